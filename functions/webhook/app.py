"""Takes a channel's webhook, stores the message and starts the turn; and what people say who answer themselves."""

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
from turnkey.turn.returning import Returns

OF_PEOPLE = "POST /people/{tenant}/{connection}"
stores = Stores.from_environment()
returns = Returns(stores)
receiver = Receiver(stores, ExecutionStore(required("TURNKEY_TURN_STATE_MACHINE_ARN")))


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    try:
        request = from_event(event)
        now, by_people = datetime.now(UTC), event.get("routeKey") == OF_PEOPLE
        with acting_for(request.tenant):
            receipt = returns.receive(request, now) if by_people else receiver.receive(request, now)
    except RequestRefused as refusal:
        logger.warning("webhook refused", status=refusal.status, code=refusal.code, path=event.get("rawPath"))
        return _answer(refusal.status, {"error": refusal.code, "message": str(refusal)})
    return _answer(200, receipt.model_dump())


def _answer(status: int, body: dict[str, Any]) -> dict[str, Any]:
    return {"statusCode": status, "headers": {"content-type": "application/json"}, "body": json.dumps(body)}
