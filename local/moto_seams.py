"""The places where the one-machine stack reaches into moto: its settings, its Lambda, its retries, its clients."""

import os
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from threading import Lock, Thread
from types import SimpleNamespace
from typing import Any
from unittest import mock

from moto.awslambda.exceptions import UnknownFunctionException
from moto.awslambda_simple.models import LambdaSimpleBackend
from moto.core.base_backend import BackendDict
from moto.core.config import default_user_config
from moto.stepfunctions.parser.asl.component.common.retry import retrier_decl
from moto.stepfunctions.parser.asl.component.state.exec.state_task import lambda_eval_utils
from moto.stepfunctions.parser.asl.utils.boto_client import boto_client_for

from local.invocation import Dispatch, UnknownFunction, plain_name

_one_at_a_time = Lock()


@contextmanager
def installed(dispatch: Dispatch, port: int, retry_pace: float) -> Generator[None]:
    """For its duration, moto runs state machines for real and their Lambda tasks go to `dispatch`.

    `port` is where this process serves moto. `retry_pace` multiplies the waits between retries. Everything moto held
    before is forgotten.

    Raises `RuntimeError` when it is installed already: there is one moto a process.
    """
    if not _one_at_a_time.acquire(blocking=False):
        raise RuntimeError("An AwsServer runs in this process already. Use it, or start the other in a new process.")
    settings: dict[str, Any] = {"stepfunctions": {"execute_state_machine": True}, "lambda": {"use_docker": False}}
    with ExitStack() as stack:
        stack.callback(_one_at_a_time.release)
        stack.enter_context(mock.patch.dict(default_user_config, settings))
        stack.enter_context(mock.patch.dict(os.environ, {"MOTO_PORT": str(port), **_no_proxy_for_this_machine()}))
        stack.enter_context(mock.patch.object(LambdaSimpleBackend, "invoke", _invoke_through(dispatch)))
        stack.enter_context(mock.patch.object(lambda_eval_utils, "boto_client_for", _shared_clients()))
        stack.enter_context(mock.patch.object(retrier_decl, "time", _clock(retry_pace)))
        BackendDict.reset()
        yield


def _no_proxy_for_this_machine() -> dict[str, str]:
    """moto calls Lambda at localhost with a client that goes by the environment's proxies."""
    names = ("no_proxy", "NO_PROXY")
    return {name: ",".join(filter(None, [os.environ.get(name), "localhost,127.0.0.1"])) for name in names}


def _clock(pace: float) -> SimpleNamespace:
    def sleep(seconds: float) -> None:
        time.sleep(seconds * pace)

    return SimpleNamespace(sleep=sleep)


def _invoke_through(dispatch: Dispatch) -> Callable[..., bytes]:
    """Returns the method that Lambda's Invoke ends in."""

    def invoke(
        _backend: LambdaSimpleBackend,
        function_name: str,
        _qualifier: str | None,
        body: Any,
        headers: Any,
        response_headers: Any,
    ) -> bytes:
        event = body.encode() if isinstance(body, str) else bytes(body or b"{}")
        if headers.get("X-Amz-Invocation-Type") == "Event":
            Thread(target=dispatch, args=(plain_name(function_name), event), daemon=True).start()
            return b""
        try:
            outcome = dispatch(plain_name(function_name), event)
        except UnknownFunction:
            raise UnknownFunctionException(function_name) from None
        if outcome.failed:
            response_headers["x-amz-function-error"] = "Unhandled"
        return outcome.payload

    return invoke


def _shared_clients() -> Callable[..., Any]:
    """Returns a `boto_client_for` that makes one client a service: moto's makes one a task, in about 20 ms, and
    boto3's default session is not made for that from many threads."""
    lock, clients = Lock(), dict[tuple[str, str], Any]()

    def client_for(region: str, service: str, state_credentials: Any = None) -> Any:
        with lock:
            if (region, service) not in clients:
                clients[region, service] = boto_client_for(region, service, state_credentials)
            return clients[region, service]

    return client_for
