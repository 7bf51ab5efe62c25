"""Topics, and whether a message is about one."""

import json
from functools import cache
from pathlib import Path
from typing import Literal, get_args

Topic = Literal["reminder", "follow_up", "reminders_kept", "contact", "document", "person", "public"]
TOPICS: tuple[Topic, ...] = get_args(Topic)


def wants(topic: Topic, text: str) -> bool:
    """Whether the message asks for it."""
    folded = text.casefold()
    return any(word in folded for word in _words(topic))


@cache
def _words(topic: Topic) -> tuple[str, ...]:
    data: dict[str, list[str]] = json.loads((Path(__file__).parent / f"{topic}.json").read_text(encoding="utf-8"))
    return tuple(word for words in data.values() for word in words)
