"""A server that sends whatever bytes a test wants, at the pace it wants."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Self


class RawServer:
    """play: what is done with each connection once its request's head has come. A context manager."""

    def __init__(self, play: Callable[[socket.socket], None]) -> None:
        self._play = play
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/"
        self.closed = threading.Event()

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closed.set()
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        # A client that has had enough is part of the play.
        with connection, suppress(OSError):
            seen = b""
            while b"\r\n\r\n" not in seen:
                seen += connection.recv(65536)
            self._play(connection)


def drip(connection: socket.socket, piece: bytes, pause: Callable[[], None], times: int) -> None:
    """Sends `piece` again and again."""
    for _ in range(times):
        connection.sendall(piece)
        pause()
