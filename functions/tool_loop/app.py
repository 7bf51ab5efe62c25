"""Runs model and tools until there is an answer or a limit."""

from typing import Any

from turnkey.environment import flag, optional, required
from turnkey.store.acting import acting_for
from turnkey.store.functions import RefreshRequests
from turnkey.store.objects import ObjectStore
from turnkey.store.results import ResultStore
from turnkey.store.stores import Stores
from turnkey.store.tallies import TallyStore
from turnkey.telemetry import follow, logger
from turnkey.turn.reference import TurnReference
from turnkey.turn.tool_loop import ToolLoop

table = required("TURNKEY_CONVERSATIONS_TABLE")
loop = ToolLoop(
    Stores.from_environment(),
    ResultStore(table, ObjectStore(required("TURNKEY_OBJECTS_BUCKET"))),
    TallyStore(table),
    RefreshRequests(optional("TURNKEY_REFRESH_FUNCTION")),
    allow_private=flag("TURNKEY_ALLOW_PRIVATE_ADDRESSES"),
)


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    reference = TurnReference.model_validate(event)
    follow(reference)
    with acting_for(reference.tenant):
        return loop.run(reference, lambda: context.get_remaining_time_in_millis() / 1000).model_dump()
