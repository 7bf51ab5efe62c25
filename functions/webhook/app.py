"""Takes a channel's webhook, stores the message and starts the turn."""

import json
from datetime import UTC, datetime
from typing import Any

from turnkey.channels import from_event
from turnkey.environment import required
from turnkey.errors import RequestRefused
from turnkey.store.acting import acting_for
from turnkey.store.executions import ExecutionStore
from turnkey.store.stores import Stores
from turnkey.telemetry import logger
from turnkey.turn.receive import Receiver

receiver = Receiver(Stores.from_environment(), ExecutionStore(required("TURNKEY_TURN_STATE_MACHINE_ARN")))


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    try:
        request = from_event(event)
        with acting_for(request.tenant):
            receipt = receiver.receive(request, datetime.now(UTC))
    except RequestRefused as refusal:
        logger.warning("webhook refused", status=refusal.status, code=refusal.code, path=event.get("rawPath"))
        return _answer(refusal.status, {"error": refusal.code, "message": str(refusal)})
    return _answer(200, receipt.model_dump())


def _answer(status: int, body: dict[str, Any]) -> dict[str, Any]:
    return {"statusCode": status, "headers": {"content-type": "application/json"}, "body": json.dumps(body)}
