"""The one logger: JSON lines that carry tenant, conversation and turn, so that a turn can be followed through them."""

from aws_lambda_powertools import Logger

from turnkey.turn.reference import TurnReference

logger = Logger(service="turnkey")


def follow(reference: TurnReference) -> None:
    """Puts the turn's ids on every line of this invocation. The correlation id is the execution's name."""
    logger.append_keys(
        tenant=reference.tenant,
        connection=reference.connection,
        conversation=reference.conversation,
        turn=reference.turn,
    )
    logger.set_correlation_id(reference.execution_name)
