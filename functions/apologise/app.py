"""A turn failed: tells the customer, keeps the cause for the operator, gives the conversation back."""

from datetime import UTC, datetime
from typing import Any

from turnkey.store.acting import acting_for
from turnkey.store.stores import Stores
from turnkey.telemetry import follow, logger
from turnkey.turn.apologise import Apologiser
from turnkey.turn.delivery_assembly import delivery
from turnkey.turn.reference import FailedTurn

stores = Stores.from_environment()
apologiser = Apologiser(stores, delivery(stores))


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    failed = FailedTurn.model_validate(event)
    reference = failed.reference()
    follow(reference)
    logger.error("turn failed", error=failed.error.error, cause=failed.error.message())
    with acting_for(reference.tenant):
        return apologiser.apologise(reference, datetime.now(UTC)).model_dump()
