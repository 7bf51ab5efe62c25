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
from turnkey.turn.station import Station

objects = ObjectStore(required("TURNKEY_OBJECTS_BUCKET"))
results = ResultStore(required("TURNKEY_CONVERSATIONS_TABLE"), objects)
station = Station(Stores.from_environment(), results, "draw", {"draw_chart": Drawer(results, objects).draw})


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    reference = TurnReference.model_validate(event)
    follow(reference)
    with acting_for(reference.tenant):
        return station.run(reference).model_dump()
