"""Ports of this machine."""

import random
import socket
from contextlib import suppress


def free_port(wanted: int = 0) -> int:
    """The port, or for 0 one that stays free until it is taken a moment later: none that the system hands out.

    Raises `OSError` when the port is taken.
    """
    if wanted:
        socket.create_server(("127.0.0.1", wanted)).close()
        return wanted
    for port in random.sample(range(20_000, 30_000), 100):
        with suppress(OSError):
            return free_port(port)
    raise OSError("no port between 20000 and 30000 is free")
