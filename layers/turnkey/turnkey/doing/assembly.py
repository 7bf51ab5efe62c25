"""Everything that the functions assist and browse work with, made once per process from their environment."""

from turnkey.environment import required
from turnkey.store.objects import ObjectStore
from turnkey.store.results import ResultStore
from turnkey.store.stores import Stores
from turnkey.turn.station import Do, Station


def assistance() -> Station:
    """What the platform itself keeps for the customer, by the tool's name."""
    does: dict[str, Do] = {}
    return Station(Stores.from_environment(), _results(), "assist", does)


def browsing() -> Station:
    """Public pages."""
    does: dict[str, Do] = {}
    return Station(Stores.from_environment(), _results(), "browse", does)


def _results() -> ResultStore:
    return ResultStore(required("TURNKEY_CONVERSATIONS_TABLE"), ObjectStore(required("TURNKEY_OBJECTS_BUCKET")))
