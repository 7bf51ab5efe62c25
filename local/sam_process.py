"""Starting and ending `sam local …`, and the Lambda service that it serves."""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Lock
from typing import IO, Any, cast

from botocore.exceptions import BotoCoreError, ClientError

from local.aws import CREDENTIALS, client
from local.deployment import Deployment
from local.intrinsics import REGION
from local.invocation import Outcome, UnknownFunction, failure
from local.ports import free_port

ROOT = Path(__file__).parents[1]
_SCRIPT = ROOT / "local" / "sam_cli.py"
_START_SECONDS = 300  # the first start makes an image for each set of layers
_END_SECONDS = 60


class SamUnavailable(RuntimeError):
    """SAM, or its containers, cannot run here; the message says why and what to do."""


class SamProcess(AbstractContextManager["SamProcess"]):
    """A command of `sam local` that listens on a port, from entering it to leaving it."""

    def __init__(self, arguments: Sequence[str], port: int, log: IO[bytes] | None) -> None:
        """`log` is where SAM and the functions write, this process's own output when None."""
        self._arguments = arguments
        self._port = port
        self._log = log

    def __enter__(self) -> "SamProcess":
        """Returns once the port answers. Raises `SamUnavailable` when it is taken, or does not answer."""
        sam_port(self._port)
        self._process = subprocess.Popen(
            [*sam_command(), "local", *self._arguments, "--port", str(self._port)],
            cwd=ROOT,
            env=sam_environment(),
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,  # a second signal, such as the terminal's Ctrl-C, would stop SAM cleaning up
        )
        try:
            self._wait()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """SAM removes its containers when it is asked to end."""
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def _wait(self) -> None:
        name = f"sam local {self._arguments[0]}"
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise SamUnavailable(
                    f"{name} ended with status {self._process.returncode}; its log says why. Does Docker run here?"
                )
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self._port)) == 0:
                    return
            time.sleep(0.1)
        raise SamUnavailable(f"{name} did not listen on {self._port} after {_START_SECONDS} s; its log says why.")


class SamFunctions:
    """Runs functions by name in the containers of `sam local start-lambda` at `endpoint` (a `Dispatch`)."""

    def __init__(self, deployment: Deployment, endpoint: str) -> None:
        self._client = client(endpoint, "lambda")
        self._logical_ids = {name: function.logical_id for name, function in deployment.functions.items()}
        # SAM has one container a function, and would count the wait for it as running time.
        self._locks = {name: Lock() for name in deployment.functions}

    def __call__(self, name: str, event: bytes) -> Outcome:
        if name not in self._logical_ids:
            raise UnknownFunction(name)
        try:
            with self._locks[name]:
                answer = self._client.invoke(FunctionName=self._logical_ids[name], Payload=event)
                payload: bytes = answer["Payload"].read()
        except (BotoCoreError, ClientError) as error:
            return failure("Sandbox.Failure", f"SAM could not run {name}: {error}")
        return Outcome(payload, failed="FunctionError" in answer or _is_error(payload))


def _is_error(payload: bytes) -> bool:
    """SAM takes Python's error object for a result, because there is a requestId in it."""
    try:
        value: Any = json.loads(payload)
    except ValueError:
        return True
    return isinstance(value, dict) and {"errorType", "errorMessage"} <= cast(dict[str, Any], value).keys()


def sam_command() -> list[str]:
    """What runs the locked SAM CLI: an interpreter that has it, and its script. The variable SAM names another one.

    It is not started through `uv run`, which would stand between SAM and the signal that ends it.

    Raises `SamUnavailable` when it can neither be found nor installed.
    """
    if given := os.environ.get("SAM"):
        return given.split()
    uv, script = os.environ.get("UV") or "uv", str(_SCRIPT)
    try:
        subprocess.run([uv, "sync", "--quiet", "--locked", "--script", script], check=True)
        found = subprocess.run([uv, "python", "find", "--script", script], check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        message = f"The SAM CLI cannot be installed: {error}. Set UV to the path of uv, or SAM to that of sam."
        raise SamUnavailable(message) from error
    return [found.stdout.strip(), script]


def sam_environment() -> dict[str, str]:
    """This process's environment without its AWS credentials: SAM hands what it finds on to the functions."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "TURNKEY_"))}
    return {**kept, **CREDENTIALS, "AWS_REGION": REGION, "AWS_DEFAULT_REGION": REGION, "SAM_CLI_TELEMETRY": "0"}


def remove_containers(variable: str) -> None:
    """Removes containers whose environment has `variable` (NAME=value): SAM leaves the others behind when one of its
    containers cannot be stopped."""
    docker = shutil.which("docker")
    if not docker:
        return

    def ask(*words: str) -> list[str]:
        return subprocess.run([docker, *words], capture_output=True, text=True).stdout.split()

    environments = ("inspect", "--format", "{{json .Config.Env}}")
    ours = [container for container in ask("ps", "-aq") if f'"{variable}"' in "".join(ask(*environments, container))]
    if ours:
        ask("rm", "--force", *ours)


def sam_port(wanted: int = 0) -> int:
    """The port, or for 0 one that stays free for the minute until SAM takes it.

    Raises `SamUnavailable` when the port is taken.
    """
    try:
        return free_port(wanted)
    except OSError as error:
        raise SamUnavailable(f"Port {wanted} is taken. Give another --port.") from error
