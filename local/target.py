"""Finds the provision function: of the stack on this machine, or of one deployed in AWS."""

import getpass
import json
import socket
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from local.account import client
from local.announcement import running_stack
from local.cli import REFUSED, CommandError

_DEFAULT_STACK = "turnkey"
_OUTPUT = "ProvisionFunctionName"
# Longer than the function may run, so that its own timeout is what is reported.
_READ_SECONDS = 300
# As long as another change may take.
_BUSY_SECONDS = 150
_BUSY_PAUSE = 2.0


@dataclass(frozen=True)
class Target:
    """A function: a client of the Lambda service where it is, its name, and where that is in words.

    `actor` is whom the audit log names. It is a claim; CloudTrail knows whose credentials called the function.
    """

    client: Any
    function_name: str
    place: str
    actor: str = ""


def find(stack: str | None, function: str | None) -> Target:
    """The function of the stack that runs in this directory, unless a deployed stack or function is named.

    Raises `CommandError` when AWS cannot be asked or has no such stack.
    """
    local_stack = None if stack or function else running_stack()
    if local_stack:
        actor = f"{getpass.getuser()}@{socket.gethostname()}"
        return Target(
            client(local_stack.aws_endpoint, "lambda"), local_stack.provision_function, "on this machine", actor
        )
    with aws_errors():
        import boto3
        from botocore.config import Config

        session: Any = boto3.Session()
        name = function or _output_of(session.client("cloudformation"), stack or _DEFAULT_STACK)
        config = Config(read_timeout=_READ_SECONDS, retries={"max_attempts": 0})
        actor: str = session.client("sts").get_caller_identity()["Arn"]
        return Target(session.client("lambda", config=config), name, f"in AWS ({session.region_name})", actor)


def ask(target: Target, request: Mapping[str, Any]) -> dict[str, Any]:
    """The function's answer. Raises `CommandError` when it cannot be called, fails, or refuses the request."""
    answer = invoke(target, request)
    if errors := answer.get("errors"):
        raise CommandError("; ".join(f"{error['path']}: {error['problem']}" for error in errors), REFUSED)
    return answer


def invoke(target: Target, request: Mapping[str, Any]) -> dict[str, Any]:
    """The function's answer, once nobody else changes the tenant; what it refuses is in `errors`.

    Raises `CommandError` when it cannot be called or fails.
    """
    deadline = time.monotonic() + _BUSY_SECONDS
    answer = _invoke(target, request)
    while _is_busy(answer) and time.monotonic() < deadline:
        print(f"waiting: {answer['errors'][0]['problem']}", file=sys.stderr)
        time.sleep(_BUSY_PAUSE)
        answer = _invoke(target, request)
    return answer


def _is_busy(answer: Mapping[str, Any]) -> bool:
    return any(error.get("error") == "Busy" for error in answer.get("errors") or ())


def _invoke(target: Target, request: Mapping[str, Any]) -> dict[str, Any]:
    payload = json.dumps({"actor": target.actor, **request})
    with aws_errors():
        answer = target.client.invoke(FunctionName=target.function_name, Payload=payload)
        result: dict[str, Any] = json.loads(answer["Payload"].read())
    if "FunctionError" in answer:
        problem = f"{result.get('errorType')}: {result.get('errorMessage')}"
        raise CommandError(f"{target.function_name} {target.place} failed: {problem}", REFUSED)
    return result


@contextmanager
def aws_errors() -> Generator[None]:
    """Turns what boto3 raises into a `CommandError`."""
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield
    except (BotoCoreError, ClientError) as error:
        hint = (
            "Without a stack on this machine (`turnkey up`, in this directory) this needs AWS credentials and a region."
        )
        raise CommandError(f"{str(error).rstrip('.')}. {hint}") from error


def _output_of(cloudformation: Any, stack: str) -> str:
    [description] = cloudformation.describe_stacks(StackName=stack)["Stacks"]
    outputs: dict[str, str] = {output["OutputKey"]: output["OutputValue"] for output in description.get("Outputs", [])}
    if _OUTPUT not in outputs:
        raise CommandError(f"The stack {stack} has no output {_OUTPUT}: it is not a Turnkey stack. Give --stack.")
    return outputs[_OUTPUT]
