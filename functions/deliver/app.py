"""Sends the reply and gives the conversation back."""

from datetime import UTC, datetime
from typing import Any

from turnkey.environment import flag, required
from turnkey.network.sending import HttpSender
from turnkey.store.acting import acting_for
from turnkey.store.objects import ObjectStore
from turnkey.store.stores import Stores
from turnkey.telemetry import follow, logger
from turnkey.turn.deliver import Deliverer
from turnkey.turn.reference import TurnReference

deliverer = Deliverer(
    Stores.from_environment(),
    HttpSender(allow_private=flag("TURNKEY_ALLOW_PRIVATE_ADDRESSES")),
    ObjectStore(required("TURNKEY_OBJECTS_BUCKET")),
)


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    reference = TurnReference.model_validate(event)
    follow(reference)
    with acting_for(reference.tenant):
        return deliverer.deliver(reference, datetime.now(UTC)).model_dump()
