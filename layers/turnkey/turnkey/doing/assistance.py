"""Everything that the function assist works with, made once per process from its environment."""

from turnkey.doing.contacts import Contacts
from turnkey.doing.documents import Documents
from turnkey.doing.handover import hand_over
from turnkey.doing.reminders import Reminders
from turnkey.environment import required
from turnkey.store.alarms import AlarmStore
from turnkey.store.objects import ObjectStore
from turnkey.store.results import ResultStore
from turnkey.store.stores import Stores
from turnkey.turn.station import Do, Station


def assistance() -> Station:
    """What the platform itself keeps for the customer, by the tool's name."""
    stores = Stores.from_environment()
    contacts = Contacts.of(stores)
    does: dict[str, Do] = {
        "capture_contact": contacts.capture,
        "forget_contact": contacts.forget,
        "hand_to_person": hand_over,
        **Reminders(stores, AlarmStore.from_environment()).does,
        "edit_document": Documents.from_environment(stores).edit,
    }
    results = ResultStore(required("TURNKEY_CONVERSATIONS_TABLE"), ObjectStore(required("TURNKEY_OBJECTS_BUCKET")))
    return Station(stores, results, "assist", does)
