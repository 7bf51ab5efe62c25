"""Lambda's Invoke, for the functions that run stdio servers."""

import json
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from turnkey.errors import InvocationFailed
from turnkey.store import clients


class FunctionStore:
    """Invokes with the credentials of the tenant that is acted for. Never repeats: a call may not be safe to."""

    def invoke(self, arn: str, payload: bytes) -> bytes:
        """The function's answer, JSON; waits for it. Raises InvocationFailed where there is none: the function is not
        there, not allowed, throttled, failed, said too much, or nothing."""
        try:
            answer = clients.awslambda().invoke(FunctionName=arn, Payload=payload)
            body = answer["Payload"].read()
        except ClientError as error:
            code = str(error.response.get("Error", {}).get("Code", "Unknown"))
            raise InvocationFailed(code, f"function {_name(arn)!r} was not run: {code}") from error
        except BotoCoreError as error:
            code = type(error).__name__
            raise InvocationFailed(code, f"function {_name(arn)!r} gave no answer: {code}") from error
        if "FunctionError" in answer:
            code = _error_type(body)
            raise InvocationFailed(code, f"function {_name(arn)!r} failed with {code}: look at its log")
        return body


def _name(arn: str) -> str:
    return arn.rpartition(":function:")[2]


def _error_type(body: bytes) -> str:
    try:
        error: Any = json.loads(body)
        return str(error["errorType"])
    except (ValueError, KeyError, TypeError):
        return "Unhandled"
