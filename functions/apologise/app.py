"""A turn failed: tells the customer, keeps the cause for the operator, gives the conversation back."""

from datetime import UTC, datetime
from typing import Any

from turnkey.environment import flag, required
from turnkey.network.sending import HttpSender
from turnkey.store.acting import acting_for
from turnkey.store.objects import ObjectStore
from turnkey.store.stores import Stores
from turnkey.telemetry import follow, logger
from turnkey.turn.apologise import Apologiser
from turnkey.turn.deliver import Deliverer
from turnkey.turn.reference import FailedTurn

stores = Stores.from_environment()
sender = HttpSender(allow_private=flag("TURNKEY_ALLOW_PRIVATE_ADDRESSES"))
apologiser = Apologiser(stores, Deliverer(stores, sender, ObjectStore(required("TURNKEY_OBJECTS_BUCKET"))))


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    failed = FailedTurn.model_validate(event)
    reference = failed.reference()
    follow(reference)
    logger.error("turn failed", error=failed.error.error, cause=failed.error.message())
    with acting_for(reference.tenant):
        return apologiser.apologise(reference, datetime.now(UTC)).model_dump()
