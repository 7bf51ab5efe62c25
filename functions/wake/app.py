"""A reminder or a follow-up is due: starts the turn that says so."""

from datetime import UTC, datetime
from typing import Any

from turnkey.environment import required
from turnkey.store.acting import acting_for
from turnkey.store.executions import ExecutionStore
from turnkey.store.stores import Stores
from turnkey.telemetry import logger
from turnkey.turn.wake import Wake, Waker

waker = Waker(Stores.from_environment(), ExecutionStore(required("TURNKEY_TURN_STATE_MACHINE_ARN")))


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    wake = Wake.model_validate(event)
    with acting_for(wake.tenant):
        return {"outcome": waker.wake(wake, datetime.now(UTC))}
