"""Draws the charts that a turn asks for. Nothing else carries what drawing needs."""

from typing import Any

from turnkey.environment import required
from turnkey.store.acting import acting_for
from turnkey.store.objects import ObjectStore
from turnkey.store.results import ResultStore
from turnkey.store.stores import Stores
from turnkey.telemetry import follow, logger
from turnkey.turn.draw import Drawer
from turnkey.turn.reference import TurnReference

objects = ObjectStore(required("TURNKEY_OBJECTS_BUCKET"))
drawer = Drawer(Stores.from_environment(), ResultStore(required("TURNKEY_CONVERSATIONS_TABLE"), objects), objects)


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    reference = TurnReference.model_validate(event)
    follow(reference)
    with acting_for(reference.tenant):
        return drawer.draw(reference).model_dump()
