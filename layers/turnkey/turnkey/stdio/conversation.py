"""Talking to a server's process: messages out line by line, answers in, everything bounded."""

import json
import os
import selectors
import subprocess
import time
from collections import deque
from collections.abc import Iterable
from typing import IO, Any, Literal, cast

from turnkey.nesting import is_deeper
from turnkey.stdio.request import THE_TASK, Message, StdioAnswer, StdioFailure

MAX_ANSWER_BYTES = 5_900_000
"""Lambda carries 6 MB (6,291,456 bytes) at most, wrapping included."""
MAX_READ_BYTES = 64 * 1024 * 1024
"""Everything that a server writes in one conversation; most of it may be noise."""
STDERR_BYTES = 4096
DEEPEST = 100
"""Levels in an answer. Deeper ones fail in what reads them later: none is written by a person."""
_PIECE = 64 * 1024
_LOOK_SECONDS = 0.1
"""How often to see whether the process is still there: something it left behind may hold its pipes open."""
_METHOD_NOT_FOUND = -32601
_Kind = Literal["TimedOut", "TooLarge", "InvalidAnswer", "ServerError", "Refused"]


class _Ended(Exception):
    """The conversation is over before all was answered."""

    def __init__(self, kind: _Kind, message: str) -> None:
        super().__init__(message)
        self.kind: _Kind = kind


class Conversation:
    """`process` has pipes for all three streams; whoever made it ends it."""

    def __init__(self, process: "subprocess.Popen[bytes]", messages: Iterable[Message], seconds: float) -> None:
        self._process = process
        self._deadline = time.monotonic() + seconds
        self._seconds = seconds
        self._waiting = deque(messages)
        self._awaited: Any = None
        self._begun = False
        self._out = bytearray()
        self._in = bytearray()
        self._read = 0
        self._answers: list[Message] = []
        self._answer_bytes = 0
        self.stderr = b""
        """The end of what the server wrote there."""

    def have(self) -> StdioAnswer:
        """The answers to all requests; or those there were, and why there are no more."""
        try:
            with selectors.DefaultSelector() as selector:
                for pipe, kind in self._pipes():
                    os.set_blocking(pipe.fileno(), False)
                    selector.register(pipe, kind)
                self._talk(selector)
        except _Ended as ended:
            failure = StdioFailure(kind=ended.kind, message=str(ended), begun=self._begun)
            return StdioAnswer(messages=tuple(self._answers), failure=failure)
        return StdioAnswer(messages=tuple(self._answers))

    def _pipes(self) -> list[tuple[IO[bytes], int]]:
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        kinds = selectors.EVENT_WRITE, selectors.EVENT_READ, selectors.EVENT_READ
        return [(pipe, kind) for pipe, kind in zip(pipes, kinds, strict=True) if pipe is not None]

    def _talk(self, selector: selectors.BaseSelector) -> None:
        while self._go_on():
            self._watch_stdin(selector)
            left = self._deadline - time.monotonic()
            if left <= 0:
                raise _Ended("TimedOut", f"did not answer within {self._seconds:g} s: is it the right command?")
            ready = selector.select(min(left, _LOOK_SECONDS))
            for key, _ in ready:
                self._move(cast(IO[bytes], key.fileobj), selector)
            if not ready and self._process.poll() is not None:
                raise self._died()

    def _go_on(self) -> bool:
        """Takes up what is to be written next; False once all is said and answered."""
        while self._awaited is None and self._waiting:
            message = self._waiting.popleft()
            self._say(message if message.get("params") != THE_TASK else {**message, "params": self._task()})
            self._awaited = message.get("id")
            self._begun = self._begun or (self._awaited is not None and message["method"] != "initialize")
        return self._awaited is not None or bool(self._out)

    def _task(self) -> Message:
        result: Any = self._answers[-1].get("result") if self._answers else None
        task: Any = cast(Message, result).get("task") if isinstance(result, dict) else None
        if not isinstance(task, dict):
            raise _Ended("InvalidAnswer", "began no task where it said that it would")
        return {"taskId": cast(Message, task).get("taskId")}

    def _say(self, message: Message) -> None:
        self._out += json.dumps(message, ensure_ascii=False).encode(errors="replace") + b"\n"

    def _watch_stdin(self, selector: selectors.BaseSelector) -> None:
        """A pipe that can always be written would never let the loop wait."""
        stdin = self._process.stdin
        if stdin is None:
            return
        is_watched = stdin in selector.get_map()
        if self._out and not is_watched:
            selector.register(stdin, selectors.EVENT_WRITE)
        elif is_watched and not self._out:
            selector.unregister(stdin)

    def _move(self, pipe: IO[bytes], selector: selectors.BaseSelector) -> None:
        if pipe is self._process.stdin:
            return self._write(pipe)
        data = os.read(pipe.fileno(), _PIECE)
        if not data:
            selector.unregister(pipe)
            if pipe is self._process.stdout:
                raise self._died()
        elif pipe is self._process.stderr:
            self.stderr = (self.stderr + data)[-STDERR_BYTES:]
        else:
            self._take(data)

    def _write(self, pipe: IO[bytes]) -> None:
        try:
            del self._out[: os.write(pipe.fileno(), self._out[:_PIECE])]
        except BrokenPipeError:
            raise self._died() from None

    def _take(self, data: bytes) -> None:
        self._read += len(data)
        self._in += data
        if self._read > MAX_READ_BYTES:
            raise _Ended("TooLarge", f"wrote more than {MAX_READ_BYTES:,} bytes: let its tools return less")
        if b"\n" not in data:
            return
        *lines, rest = bytes(self._in).split(b"\n")
        self._in = bytearray(rest)
        for line in lines:
            self._hear(line)

    def _hear(self, line: bytes) -> None:
        """Takes an answer to what was asked; answers what the server asks; lets the rest go by."""
        try:
            found: Any = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not isinstance(found, dict):
            return
        message = cast(Message, found)
        if "method" in message:
            if "id" in message:
                self._say(_reply(message))
        elif self._awaited is not None and message.get("id") == self._awaited:
            self._keep(message, len(line))

    def _keep(self, message: Message, size: int) -> None:
        self._answer_bytes += size
        if self._answer_bytes > MAX_ANSWER_BYTES:
            text = f"gave an answer of {self._answer_bytes:,} bytes, more than the {MAX_ANSWER_BYTES:,} that a function"
            raise _Ended("TooLarge", f"{text} can pass on: let its tools return less")
        if is_deeper(message, DEEPEST):
            raise _Ended("InvalidAnswer", f"gave an answer of more than {DEEPEST} levels: make it flatter")
        self._answers.append(message)
        self._awaited = None

    def _died(self) -> _Ended:
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return _Ended("InvalidAnswer", "closed its output before it had answered")
        return _Ended("InvalidAnswer", f"ended with exit status {code} before it had answered")


def _reply(request: Message) -> Message:
    """Nothing is done for a server but to say that one is there."""
    if request["method"] == "ping":
        return {"jsonrpc": "2.0", "id": request["id"], "result": {}}
    error = {"code": _METHOD_NOT_FOUND, "message": "Method not found"}
    return {"jsonrpc": "2.0", "id": request["id"], "error": error}
