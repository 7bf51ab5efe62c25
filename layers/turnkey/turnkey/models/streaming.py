"""Putting a completion together from its chunks. Works on anything that has the chunks' attributes: endpoints differ,
and the library does not validate what they send."""

import json
from types import SimpleNamespace
from typing import Any, cast

from turnkey.errors import ModelAnswerInvalid
from turnkey.loop.repetition import repeated_from
from turnkey.models.chat import ChatAnswer, WireCall

LOOK_EVERY = 40
"""Characters between two looks for repetition."""
MAX_CHARACTERS = 200_000
"""Of one answer, reasoning and arguments included: memory is bounded whatever an endpoint sends."""


class Gathered:
    """What has come so far."""

    def __init__(self) -> None:
        self._text = ""
        self._looked_at = 0
        self._hidden = 0
        self._calls: dict[int, list[str]] = {}
        self._finish_reason = ""
        self._usage: Any = None
        self._came = False

    def add(self, chunk: Any) -> bool:
        """Takes a chunk in; False when nothing more need be read."""
        self._usage = getattr(chunk, "usage", None) or self._usage
        for choice in _entries(chunk, "choices")[:1]:
            self._take(getattr(choice, "delta", None), choice)
        return not self._is_repeating() and not self._is_too_long()

    def add_whole(self, completion: Any) -> None:
        """Takes in a completion that was not streamed."""
        self._usage = getattr(completion, "usage", None)
        for choice in _entries(completion, "choices")[:1]:
            self._take(getattr(choice, "message", None), choice)
        self._is_repeating()

    def answer(self, milliseconds: int) -> ChatAnswer:
        """Raises ModelAnswerInvalid when nothing came that a completion is made of."""
        if not self._came:
            raise ModelAnswerInvalid("the model endpoint answered without a message: is the address the right one?")
        return ChatAnswer(
            text=self._text,
            calls=tuple(WireCall(name=name, arguments=arguments) for name, arguments in self._named_calls()),
            finish_reason=self._finish_reason,
            prompt_tokens=_count(self._usage, "prompt_tokens"),
            completion_tokens=_count(self._usage, "completion_tokens"),
            milliseconds=milliseconds,
        )

    def _take(self, message: Any, choice: Any) -> None:
        """A chunk's delta or a whole message: both have content and tool_calls."""
        self._came = self._came or message is not None
        self._finish_reason = getattr(choice, "finish_reason", None) or self._finish_reason
        content = getattr(message, "content", None)
        self._text += content if isinstance(content, str) else ""
        reasoning = getattr(message, "reasoning_content", None) or getattr(message, "reasoning", None)
        self._hidden += len(reasoning) if isinstance(reasoning, str) else 0
        for place, call in enumerate(_entries(message, "tool_calls")):
            self._take_call(place, call)

    def _take_call(self, place: int, call: Any) -> None:
        function = getattr(call, "function", None)
        index = getattr(call, "index", None)
        parts = self._calls.setdefault(place if index is None else index, ["", ""])
        arguments = _text(getattr(function, "arguments", None))
        parts[0] += getattr(function, "name", None) or ""
        parts[1] += arguments
        self._hidden += len(arguments)

    def _named_calls(self) -> list[tuple[str, str]]:
        # Cut short, the last call's arguments are not all there.
        calls = [(name, arguments) for _, (name, arguments) in sorted(self._calls.items())]
        return calls[:-1] if self._finish_reason in ("length", "repetition", "too_long") else calls

    def _is_repeating(self) -> bool:
        if len(self._text) - self._looked_at < LOOK_EVERY:
            return False
        self._looked_at = len(self._text)
        place = repeated_from(self._text)
        if place is None:
            return False
        self._text, self._finish_reason = self._text[:place], "repetition"
        return True

    def _is_too_long(self) -> bool:
        if len(self._text) + self._hidden <= MAX_CHARACTERS:
            return False
        self._finish_reason = "too_long"
        return True


def gather_completion(body: bytes) -> Gathered:
    """The same from a completion that came whole. Raises ValueError for what is no JSON object."""
    completion = json.loads(body, object_hook=lambda fields: SimpleNamespace(**fields))
    if not isinstance(completion, SimpleNamespace):
        raise ValueError("no JSON object")
    gathered = Gathered()
    gathered.add_whole(completion)
    return gathered


def _entries(holder: Any, name: str) -> list[Any]:
    """A list attribute; empty where it is missing or something else."""
    value: Any = getattr(holder, name, None)
    return cast(list[Any], value) if isinstance(value, list) else []


def _count(usage: Any, name: str) -> int:
    value = getattr(usage, name, 0)
    return value if isinstance(value, int) else 0


def _text(arguments: object) -> str:
    """Some endpoints send the arguments as an object instead of its text."""
    if isinstance(arguments, str):
        return arguments
    return "" if arguments is None else json.dumps(arguments, default=vars)
