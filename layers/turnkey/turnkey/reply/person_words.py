"""What the platform itself says of people who take a conversation over, in twelve languages; English for any other.
The sentences are in data/person.json."""

import json
from functools import cache
from pathlib import Path

_FILE = Path(__file__).parent / "data" / "person.json"


def taking_over(language: str) -> str:
    """A person has been told and answers from here on. For a reply that is sent only then."""
    return _say(language, "taking_over")


def not_reached(language: str) -> str:
    """No person could be told. The conversation waits for one; another message has it tried again."""
    return _say(language, "not_reached")


def not_passed_on(language: str) -> str:
    """What the customer has just written could not be given to the person who answers them."""
    return _say(language, "not_passed_on")


def _say(language: str, key: str) -> str:
    sentences = _read()
    return sentences.get(language.split("-")[0].lower(), sentences["en"])[key]


@cache
def _read() -> dict[str, dict[str, str]]:
    return json.loads(_FILE.read_text(encoding="utf-8"))
