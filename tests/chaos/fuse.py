"""Counts what a process does, and kills it at one point.

A run's processes share a file of JSON lines, the run's log: one line where an operation begins, one where it ended,
one for the kill. It outlives whoever is killed, and it is what the checks read.
"""

import fcntl
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, NoReturn

import httpx2
from botocore.client import BaseClient

from tests.chaos.points import Operation, Point, When, name_of_call, name_of_request

Event = Literal["begun", "done", "failed", "killed"]


class Line(NamedTuple):
    """One line of a run's log."""

    event: Event
    operation: Operation


def read_log(log: Path) -> list[Line]:
    """In the order in which it was written; nothing where nothing was."""
    if not log.exists():
        return []
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    return [Line(event, Operation(*operation)) for event, *operation in rows]


class Fuse:
    """One process's part of a run. `point` is where a process of the run is to die, if at all."""

    def __init__(self, function: str, log: Path, point: Point | None) -> None:
        self._function = function
        self._log = log
        self._point = point

    def begin(self, name: str) -> Operation:
        """Numbers the operation among its equals. May not return."""
        with self._log.open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            begun = [line.operation for line in read_log(self._log) if line.event == "begun"]
            same = sum(operation.function == self._function and operation.name == name for operation in begun)
            operation = Operation(self._function, name, same + 1)
            file.write(_line("begun", operation))
        self._burn(operation, "before")
        return operation

    def end(self, operation: Operation, *, done: bool) -> None:
        """The operation has taken effect, or `done` is false. May not return."""
        self._write("done" if done else "failed", operation)
        self._burn(operation, "after")

    def _burn(self, operation: Operation, when: When) -> None:
        if self._point == Point(operation, when):
            self._write("killed", operation)
            _die()

    def _write(self, event: Event, operation: Operation) -> None:
        with self._log.open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write(_line(event, operation))


def install(fuse: Fuse) -> None:
    """From here on every botocore call and every HTTP request of this process goes by the fuse."""
    client: Any = BaseClient
    call: Any = client._make_api_call
    send = httpx2.AsyncHTTPTransport.handle_async_request

    def make_api_call(self: Any, operation_name: str, api_params: Mapping[str, Any]) -> Any:
        operation = fuse.begin(name_of_call(self.meta.service_model.service_name, operation_name, api_params))
        try:
            answer = call(self, operation_name, api_params)
        except Exception:
            fuse.end(operation, done=False)
            raise
        fuse.end(operation, done=True)
        return answer

    async def handle_async_request(self: httpx2.AsyncHTTPTransport, request: httpx2.Request) -> httpx2.Response:
        operation = fuse.begin(name_of_request(request.method, str(request.url), _content(request)))
        try:
            response = await send(self, request)
        except Exception:
            fuse.end(operation, done=False)
            raise
        fuse.end(operation, done=True)
        return response

    client._make_api_call = make_api_call
    httpx2.AsyncHTTPTransport.handle_async_request = handle_async_request


def _content(request: httpx2.Request) -> bytes:
    try:
        return request.content
    except httpx2.RequestNotRead:
        return b""


def _line(event: Event, operation: Operation) -> str:
    return json.dumps([event, operation.function, operation.name, operation.occurrence]) + "\n"


def _die() -> NoReturn:
    """As a process dies whose machine is taken away: nothing is closed, flushed or told."""
    os._exit(137)
