"""A small HTTP server in a thread, for the far ends of the tests: model endpoint, reply receiver."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self


class Server:
    """Serves `handle` from `start()` until `close()`; a context manager.

    host: "127.0.0.1", or "0.0.0.0" where containers call it. port: 0 picks a free one.
    """

    def __init__(self, *, host: str = "127.0.0.1", port: int = 0) -> None:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self._answer()

            def do_POST(self) -> None:
                self._answer()

            def do_DELETE(self) -> None:
                self._answer()

            def _answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                # A client that gave up is part of the play, not a failure of this server.
                with suppress(BrokenPipeError, ConnectionResetError):
                    owner.handle(self, body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._http = ThreadingHTTPServer((host, port), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)
        self._changed = threading.Condition()

    @property
    def port(self) -> int:
        return self._http.server_address[1]

    def url(self, path: str = "", *, host: str = "127.0.0.1") -> str:
        """The address of `path` on this server; host: how the caller reaches this machine."""
        return f"http://{host}:{self.port}{path}"

    def handle(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        raise NotImplementedError

    def wait(self, condition: Callable[[], bool], seconds: float) -> bool:
        """True as soon as `condition` holds, False when it still does not after `seconds`."""
        with self._changed:
            return self._changed.wait_for(condition, seconds)

    def use(self, context: ssl.SSLContext) -> None:
        """Serves over TLS; before it is started."""
        self._http.socket = context.wrap_socket(self._http.socket, server_side=True)

    def start(self) -> Self:
        self._thread.start()
        return self

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()


def send(request: BaseHTTPRequestHandler, status: int, body: bytes, headers: dict[str, str]) -> None:
    """Writes a whole answer."""
    request.send_response(status)
    for name, value in {"content-length": str(len(body)), **headers}.items():
        request.send_header(name, value)
    request.end_headers()
    request.wfile.write(body)
