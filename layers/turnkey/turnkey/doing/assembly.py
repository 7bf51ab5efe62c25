"""Everything that the functions assist and browse work with, made once per process from their environment."""

from turnkey.doing.contacts import Contacts
from turnkey.doing.documents import Documents
from turnkey.doing.handover import hand_over
from turnkey.doing.public import Browser
from turnkey.doing.reminders import Reminders
from turnkey.environment import flag, required
from turnkey.store.alarms import AlarmStore
from turnkey.store.objects import ObjectStore
from turnkey.store.pages import PageStore
from turnkey.store.results import ResultStore
from turnkey.store.stores import Stores
from turnkey.turn.station import Do, Station

BROWSE_SECONDS = 8.0
"""After so many no other page is begun: the longest takes about 22, and the function has 35."""


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
    return Station(stores, _results(), "assist", does)


def browsing() -> Station:
    """Public pages."""
    stores, pages = Stores.from_environment(), PageStore(required("TURNKEY_CONVERSATIONS_TABLE"))
    browser = Browser(stores.secrets, pages, allow_private=flag("TURNKEY_ALLOW_PRIVATE_ADDRESSES"))
    does: dict[str, Do] = {"search_web": browser.search, "read_page": browser.read}
    return Station(stores, _results(), "browse", does, begin_seconds=BROWSE_SECONDS)


def _results() -> ResultStore:
    return ResultStore(required("TURNKEY_CONVERSATIONS_TABLE"), ObjectStore(required("TURNKEY_OBJECTS_BUCKET")))
