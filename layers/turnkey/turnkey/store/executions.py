"""The state machine's executions."""

from botocore.exceptions import ClientError

from turnkey.store import platform
from turnkey.turn.reference import TurnReference


class ExecutionStore:
    def __init__(self, state_machine_arn: str) -> None:
        self._arn = state_machine_arn

    def start(self, reference: TurnReference) -> None:
        """Starts the turn. The name is the turn's own: a second start, also after the end, does nothing."""
        try:
            platform.stepfunctions().start_execution(
                stateMachineArn=self._arn, name=reference.execution_name, input=reference.model_dump_json()
            )
        except ClientError as error:
            if error.response.get("Error", {}).get("Code") != "ExecutionAlreadyExists":
                raise
