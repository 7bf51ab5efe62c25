"""Searches public pages and reads them, where the tenant has switched that on."""

from typing import Any

from turnkey.doing.browsing import browsing
from turnkey.store.acting import acting_for
from turnkey.telemetry import follow, logger
from turnkey.turn.reference import TurnReference

station = browsing()


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    reference = TurnReference.model_validate(event)
    follow(reference)
    with acting_for(reference.tenant):
        return station.run(reference).model_dump()
