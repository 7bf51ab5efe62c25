"""Everything that the functions assist and browse work with, made once per process from their environment."""

from turnkey.doing.contacts import Contacts
from turnkey.doing.documents import Documents
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
        **Reminders(stores, AlarmStore.from_environment()).does,
        "edit_document": Documents.from_environment(stores).edit,
    }
    return Station(stores, _results(), "assist", does)


def browsing() -> Station:
    """Public pages."""
    does: dict[str, Do] = {}
    return Station(Stores.from_environment(), _results(), "browse", does)


def _results() -> ResultStore:
    return ResultStore(required("TURNKEY_CONVERSATIONS_TABLE"), ObjectStore(required("TURNKEY_OBJECTS_BUCKET")))
