"""How a running stack tells the `turnkey` command where it is: `.turnkey/stack.json` in the working directory."""

import json
import os
import socket
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

FILE = Path(".turnkey/stack.json")


@dataclass(frozen=True)
class Announcement:
    """A stack that runs on this machine."""

    api_url: str
    aws_endpoint: str
    provision_function: str
    pid: int


def announce(announcement: Announcement) -> None:
    """Writes the file, in one step."""
    FILE.parent.mkdir(exist_ok=True)
    new = FILE.with_suffix(f".{os.getpid()}")
    new.write_text(json.dumps(asdict(announcement), indent=2) + "\n", encoding="utf-8")
    new.replace(FILE)


def withdraw() -> None:
    """Removes the file, if it is this process's."""
    found = _read()
    if found and found.pid == os.getpid():
        FILE.unlink(missing_ok=True)


def running_stack() -> Announcement | None:
    """The stack announced in the working directory, if it still runs."""
    found = _read()
    return found if found and _answers(found.aws_endpoint) else None


def _read() -> Announcement | None:
    try:
        return Announcement(**json.loads(FILE.read_text(encoding="utf-8")))
    except (OSError, TypeError, ValueError):
        return None


def _answers(endpoint: str) -> bool:
    address = urlsplit(endpoint)
    try:
        with socket.create_connection((address.hostname or "", address.port or 0), timeout=1):
            return True
    except OSError:
        return False
