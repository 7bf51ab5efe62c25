"""Turns that were under way when a stack with `--data` ended: their executions are started again."""

from local.stack import Stack
from local.stores import Item
from turnkey import ids
from turnkey.turn.reference import TurnReference


def resume(stack: Stack, table: str, state: Item) -> None:
    """Starts the execution of the turn that holds the conversation `state` is of. The turn's journal does the rest."""
    tenant, connection, conversation = ids.split_conversation_key(state["pk"]["S"])
    reference = TurnReference(
        tenant=tenant, connection=connection, conversation=conversation, turn=int(state["lease_turn"]["N"])
    )
    stack.client("stepfunctions").start_execution(
        stateMachineArn=stack.deployment.outputs["TurnStateMachineArn"],
        name=reference.execution_name,
        input=reference.model_dump_json(),
    )
