"""Sends the reply and gives the conversation back."""

from datetime import UTC, datetime
from typing import Any

from turnkey.store.acting import acting_for
from turnkey.store.stores import Stores
from turnkey.telemetry import follow, logger
from turnkey.turn.delivery_assembly import delivery
from turnkey.turn.reference import TurnReference

deliverer = delivery(Stores.from_environment())


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    reference = TurnReference.model_validate(event)
    follow(reference)
    with acting_for(reference.tenant):
        return deliverer.deliver(reference, datetime.now(UTC)).model_dump()
