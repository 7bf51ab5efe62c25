"""Everything that the function browse works with, made once per process from its environment."""

from turnkey.doing.public import Browser
from turnkey.environment import flag, required
from turnkey.store.objects import ObjectStore
from turnkey.store.pages import PageStore
from turnkey.store.results import ResultStore
from turnkey.store.stores import Stores
from turnkey.turn.station import Do, Station

BROWSE_SECONDS = 8.0
"""After so many no other page is begun: the longest takes about 22, and the function has 35."""


def browsing() -> Station:
    """Public pages, by the tool's name."""
    stores, table = Stores.from_environment(), required("TURNKEY_CONVERSATIONS_TABLE")
    browser = Browser(stores.secrets, PageStore(table), allow_private=flag("TURNKEY_ALLOW_PRIVATE_ADDRESSES"))
    does: dict[str, Do] = {"search_web": browser.search, "read_page": browser.read}
    results = ResultStore(table, ObjectStore(required("TURNKEY_OBJECTS_BUCKET")))
    return Station(stores, results, "browse", does, begin_seconds=BROWSE_SECONDS)
