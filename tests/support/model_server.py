"""A scripted OpenAI-compatible chat completions endpoint.

    with ModelServer([calls(Call("search", {"query": "wool"})), "Two scarves."]) as model:
        model.base_url       # http://127.0.0.1:PORT/v1
        model.requests[0].body["messages"]

Answers plain and streamed requests from the same script. A request beyond the script's end is answered 500 and kept
in `beyond_script`, so that a test which forgot an answer fails with that request in sight.

Requests for the model named SMALL have a script and a list of their own. Unless told otherwise the small model reads
nothing into what it is asked, and the turn goes on as if it had never been asked.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler
from itertools import chain, repeat
from typing import Any, NamedTuple

from tests.support.serving import Server, send

Json = dict[str, Any]
SMALL = "scripted-small"
_READS_NOTHING = '{"kind": "answer"}'


@dataclass(frozen=True)
class Call:
    """A tool call of the model. arguments: an object, or the exact text where it is malformed on purpose.

    id: unique within the server where it is left out.
    """

    name: str
    arguments: Json | str = field(default_factory=dict[str, Any])
    id: str = ""

    @property
    def text(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


@dataclass(frozen=True)
class Answer:
    """What the endpoint does with one request.

    status: anything but 200 gives an OpenAI error object with `text` as its message; 0 hangs up without an answer.
    body: sent as it is, in place of a completion, for endpoints that answer nonsense.
    """

    text: str | None = None
    calls: tuple[Call, ...] = ()
    status: int = 200
    delay_seconds: float = 0
    finish_reason: str = ""
    prompt_tokens: int = 100
    completion_tokens: int = 20
    headers: dict[str, str] = field(default_factory=dict[str, str])
    body: bytes | None = None


class Request(NamedTuple):
    path: str
    headers: dict[str, str]
    body: Json


Script = Sequence[Answer | str] | Callable[[Json], Answer | str]


def calls(*tool_calls: Call, text: str | None = None) -> Answer:
    """The answer that calls these tools."""
    return Answer(text=text, calls=tool_calls)


class ModelServer(Server):
    """script: answers in order (a str is the answer with that text), or what maps a request's body to its answer."""

    def __init__(self, script: Script = (), *, host: str = "127.0.0.1", port: int = 0) -> None:
        super().__init__(host=host, port=port)
        self._lock = threading.Lock()
        self._next: Callable[[Json], Answer | str]
        self._next_small: Callable[[Json], Answer | str]
        self.script(script)
        self.small([])
        self.requests: list[Request] = []
        self.small_requests: list[Request] = []
        self.beyond_script: list[Request] = []

    @property
    def base_url(self) -> str:
        return self.url("/v1")

    def script(self, script: Script) -> None:
        """Replaces what is left of the script."""
        self._next = script if callable(script) else _in_order(tuple(script))

    def small(self, script: Script) -> None:
        """Replaces what is left of the small model's script; beyond its end it reads nothing again."""
        self._next_small = script if callable(script) else _in_order(chain(script, repeat(_READS_NOTHING)))

    def handle(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        if request.command == "GET":
            return _send_json(request, 200, {"object": "list", "data": [{"id": "scripted", "object": "model"}]}, {})
        if not request.path.endswith("/chat/completions"):
            return _send_error(request, 404, f"no such path: {request.path}", {})
        asked = Request(request.path, {k.lower(): v for k, v in request.headers.items()}, json.loads(body))
        _play(request, asked, self._answer_to(asked))

    def _answer_to(self, asked: Request) -> Answer:
        is_small = asked.body.get("model") == SMALL
        with self._lock:
            (self.small_requests if is_small else self.requests).append(asked)
            try:
                answer = (self._next_small if is_small else self._next)(asked.body)
            except StopIteration:
                self.beyond_script.append(asked)
                answer = Answer("the script has no answer left", status=500)
            number = len(self.requests)
        with self._changed:
            self._changed.notify_all()
        return _with_ids(Answer(answer) if isinstance(answer, str) else answer, number)


def _in_order(script: Iterable[Answer | str]) -> Callable[[Json], Answer | str]:
    remaining = iter(script)
    return lambda _: next(remaining)


def _with_ids(answer: Answer, number: int) -> Answer:
    named = (replace(call, id=call.id or f"call_{number}_{at}") for at, call in enumerate(answer.calls, start=1))
    return replace(answer, calls=tuple(named))


def _play(request: BaseHTTPRequestHandler, asked: Request, answer: Answer) -> None:
    time.sleep(answer.delay_seconds)
    if answer.status == 0:
        request.close_connection = True
    elif answer.status != 200:
        _send_error(request, answer.status, answer.text or "scripted failure", answer.headers)
    elif answer.body is not None:
        send(request, 200, answer.body, {"content-type": "application/json", **answer.headers})
    elif asked.body.get("stream"):
        _stream(request, asked.body, answer)
    else:
        _send_json(request, 200, _completion(asked.body, answer), answer.headers)


def _send_json(request: BaseHTTPRequestHandler, status: int, value: Json, headers: dict[str, str]) -> None:
    send(request, status, json.dumps(value).encode(), {"content-type": "application/json", **headers})


def _send_error(request: BaseHTTPRequestHandler, status: int, message: str, headers: dict[str, str]) -> None:
    kind = "invalid_request_error" if status < 500 else "server_error"
    _send_json(request, status, {"error": {"message": message, "type": kind, "code": None, "param": None}}, headers)


def _envelope(body: Json, kind: str) -> Json:
    return {"id": "chatcmpl-scripted", "object": kind, "created": int(time.time()), "model": body.get("model", "")}


def _tool_calls(answer: Answer) -> list[Json]:
    return [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.text}}
        for call in answer.calls
    ]


def _finish_reason(answer: Answer) -> str:
    return answer.finish_reason or ("tool_calls" if answer.calls else "stop")


def _usage(answer: Answer) -> Json:
    return {
        "prompt_tokens": answer.prompt_tokens,
        "completion_tokens": answer.completion_tokens,
        "total_tokens": answer.prompt_tokens + answer.completion_tokens,
    }


def _completion(body: Json, answer: Answer) -> Json:
    message: Json = {"role": "assistant", "content": answer.text}
    if answer.calls:
        message["tool_calls"] = _tool_calls(answer)
    choice = {"index": 0, "message": message, "finish_reason": _finish_reason(answer), "logprobs": None}
    return {**_envelope(body, "chat.completion"), "choices": [choice], "usage": _usage(answer)}


def _stream(request: BaseHTTPRequestHandler, body: Json, answer: Answer) -> None:
    events = [json.dumps(chunk) for chunk in _chunks(body, answer)]
    payload = "".join(f"data: {event}\n\n" for event in [*events, "[DONE]"])
    send(request, 200, payload.encode(), {"content-type": "text/event-stream", **answer.headers})


def _chunks(body: Json, answer: Answer) -> Iterator[Json]:
    def chunk(delta: Json, finish_reason: str | None = None) -> Json:
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
        return {**_envelope(body, "chat.completion.chunk"), "choices": [choice]}

    yield chunk({"role": "assistant", "content": ""})
    yield from (chunk({"content": piece}) for piece in _pieces(answer.text or ""))
    for index, call in enumerate(_tool_calls(answer)):
        opening = {**call, "function": {"name": call["function"]["name"], "arguments": ""}}
        yield chunk({"tool_calls": [{"index": index, **opening}]})
        for piece in _pieces(call["function"]["arguments"]):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield chunk({}, _finish_reason(answer))
    if (body.get("stream_options") or {}).get("include_usage"):
        yield {**_envelope(body, "chat.completion.chunk"), "choices": [], "usage": _usage(answer)}


def _pieces(text: str, size: int = 8) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]
