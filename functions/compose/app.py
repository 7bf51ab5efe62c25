"""Writes the reply from what was found."""

from typing import Any

from turnkey.environment import flag
from turnkey.store.acting import acting_for
from turnkey.store.stores import Stores
from turnkey.telemetry import follow, logger
from turnkey.turn.compose import Composer
from turnkey.turn.reference import TurnReference

composer = Composer(Stores.from_environment(), allow_private=flag("TURNKEY_ALLOW_PRIVATE_ADDRESSES"))


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    reference = TurnReference.model_validate(event)
    follow(reference)
    with acting_for(reference.tenant):
        return composer.compose(reference).model_dump()
