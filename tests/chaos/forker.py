"""Runs invocations, each in a process of its own that is forked from this one: `python -m tests.chaos.forker FD`.

Over FD, a unix socket, comes one socket an invocation, and nothing else. The child reads its job there (see `Job`),
answers as `local.worker` does, and ends; a child that is killed leaves the socket closed without an answer. This
process has imported what takes long, makes no thread and runs nothing of a function itself.
"""

import importlib
import json
import os
import signal
import socket
import sys
import traceback
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypedDict

from local.worker import _load, _run


class Job(TypedDict):
    """`event` is JSON text; `circumstances` are those of `local.worker.Context`; `point` the fields of a `Point`."""

    function: str
    handler: str
    code_dir: str
    search_path: list[str]
    environment: dict[str, str]
    circumstances: dict[str, Any]
    event: str
    output: str
    log: str
    point: tuple[tuple[str, str, int], Any] | None


def serve(parent: socket.socket) -> None:
    """Until the parent closes its end."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # ended children leave no zombie
    while True:
        message, handles, _, _ = socket.recv_fds(parent, 1, 1)
        if not message:
            return
        if os.fork() == 0:
            parent.close()
            try:
                _play(Connection(handles[0]))
            except BaseException:
                traceback.print_exc()  # in the run's output, where it has one by then
                sys.stderr.flush()
            finally:
                os._exit(1)
        os.close(handles[0])


def _play(answers: Connection) -> None:
    """One invocation, in the child."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    job: Job = json.loads(answers.recv_bytes())
    output = os.open(job["output"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.environ.clear()
    os.environ.update(job["environment"])
    os.chdir(job["code_dir"])
    sys.path[:0] = job["search_path"]
    if job["log"]:
        _set_fuse(job)
    handler = _load(job["handler"])
    answer = _run(handler, json.dumps(job["circumstances"]).encode(), job["event"].encode())
    sys.stdout.flush()
    answers.send_bytes(answer)
    os._exit(0)


def _set_fuse(job: Job) -> None:
    from tests.chaos import fuse
    from tests.chaos.points import Operation, Point

    point = Point(Operation(*job["point"][0]), job["point"][1]) if job["point"] else None
    fuse.install(fuse.Fuse(job["function"], Path(job["log"]), point))


def _import_what_takes_long() -> None:
    """Modules and botocore's service descriptions; nothing that depends on a function's environment."""
    for name in ("jsonschema", "tests.chaos.fuse", "turnkey.mcp.snapshot", "turnkey.models.openai_endpoint", "yaml"):
        importlib.import_module(name)
    from botocore.session import Session

    from turnkey.store import making

    session = Session()
    session.register_component("data_loader", making.loader())
    for service in ("dynamodb", "lambda", "s3", "secretsmanager", "stepfunctions", "sts"):
        session.create_client(service, region_name="us-east-1", aws_access_key_id="none", aws_secret_access_key="none")


if __name__ == "__main__":
    _import_what_takes_long()
    serve(socket.socket(fileno=int(sys.argv[1])))
