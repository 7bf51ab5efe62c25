"""The AWS services on this machine: moto behind an HTTP endpoint, with Lambda left to the caller.

moto keeps its state for the whole process, so one process runs one `AwsServer` at a time.
"""

import logging
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from threading import RLock, Thread
from typing import Any, Protocol

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
from werkzeug.serving import make_server

from local.account import CREDENTIALS, client
from local.invocation import Dispatch
from local.moto_seams import installed

__all__ = ["CREDENTIALS", "Application", "AwsServer", "ClientFactory", "SerialApplication", "client"]


Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
"""WSGI."""


class ClientFactory(Protocol):
    """Makes a boto3 client of a service by its name."""

    def __call__(self, service: str) -> Any: ...


class AwsServer:
    """DynamoDB, Step Functions, Secrets Manager and the rest of moto at `endpoint`.

    Lambda's Invoke, from a client or from a state machine, goes to `dispatch` (see `local.invocation`).
    """

    def __init__(
        self,
        dispatch: Dispatch,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        retry_pace: float = 1.0,
        around: Callable[[Application], Application] | None = None,
    ) -> None:
        """`host` is the address to listen on (0.0.0.0 lets containers in), `port` 0 takes a free one. `retry_pace`
        multiplies the state machines' waits between retries; only tests should change it. `around` puts something
        before the services, such as `local.iam.gate.Gate.around`; without it they answer everybody.

        Raises `OSError` when the port is taken.
        """
        for logger in ("werkzeug", "moto", "urllib3.connectionpool"):
            logging.getLogger(logger).setLevel(logging.CRITICAL)
        self._dispatch = dispatch
        self._retry_pace = retry_pace
        self.requests = SerialApplication(DomainDispatcherApplication(create_backend_app))
        application = around(self.requests) if around else self.requests
        self._server = make_server(host, port, application, threaded=True, request_handler=MotoRequestHandler)
        self._clients: dict[str, Any] = {}
        self._exit = ExitStack()

    def __enter__(self) -> "AwsServer":
        self._exit.enter_context(installed(self._dispatch, self._server.port, self._retry_pace))
        thread = Thread(target=self._server.serve_forever, name="moto", daemon=True)
        thread.start()
        self._exit.callback(thread.join)
        self._exit.callback(self._server.shutdown)
        return self

    def __exit__(self, *_: object) -> None:
        self._exit.close()
        self._server.server_close()

    @property
    def endpoint(self) -> str:
        """The services' address as seen from this machine."""
        return f"http://127.0.0.1:{self._server.port}"

    def client(self, service: str) -> Any:
        """A boto3 client of an emulated service, the same one each time; it may be used from many threads."""
        if service not in self._clients:
            self._clients[service] = client(self.endpoint, service)
        return self._clients[service]


_SERIAL = ("DynamoDB_", "AWSStepFunctions.", "secretsmanager.")
_KEPT = ("DynamoDB_", "secretsmanager.")
_READS = ("Get", "BatchGet", "TransactGet", "Describe", "List", "Query", "Scan")


class SerialApplication:
    """Answers requests one at a time where moto would let two of them pass the same condition.

    moto checks a condition and writes in two steps. Served from many threads, two conditional writes of a lease, or
    two executions of one name, could both succeed, which the real services never let happen.
    """

    def __init__(self, application: Application) -> None:
        self._application = application
        self.lock = RLock()  # whoever holds it sees no half-done request
        self.writes = 0  # grows with each request that may change what is stored

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        target = str(environ.get("HTTP_X_AMZ_TARGET", ""))
        if not target.startswith(_SERIAL):
            return self._application(environ, start_response)
        with self.lock:
            if target.startswith(_KEPT) and not target.partition(".")[2].startswith(_READS):
                self.writes += 1
            return self._application(environ, start_response)
