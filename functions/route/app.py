"""Drains the inbox into a turn and decides what it shows the model."""

from datetime import UTC, datetime
from typing import Any

from turnkey.environment import flag
from turnkey.store.acting import acting_for
from turnkey.store.stores import Stores
from turnkey.telemetry import follow, logger
from turnkey.turn.reference import TurnReference
from turnkey.turn.route import Router

router = Router(Stores.from_environment(), allow_private=flag("TURNKEY_ALLOW_PRIVATE_ADDRESSES"))


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    reference = TurnReference.model_validate(event)
    follow(reference)
    with acting_for(reference.tenant):
        return router.route(reference, datetime.now(UTC)).model_dump()
