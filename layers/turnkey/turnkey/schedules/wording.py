"""What the platform itself says of reminders, in twelve languages; English for any other. Sentences are in
data/wording. Values stand where no language bends a word around them."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal

Key = Literal[
    "set",
    "follow",
    "changed",
    "cancelled",
    "due",
    "none",
    "listed",
    "ask_time",
    "ask_past",
    "ask_which",
    "ask_once",
    "ask_sooner",
    "ask_reminder",
    "full",
    "too_many",
    "alternatives",
]
_DATA = Path(__file__).parent / "data" / "wording"
LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "ru", "zh", "ja", "ko", "ar", "tr")


def reminder(language: str, text: str) -> str:
    """The reminder itself, when its time has come."""
    return say(language, "due", text=text)


def options(language: str, told: Sequence[str]) -> str:
    """These, one of which is to be chosen."""
    return say(language, "alternatives").join(told)


def say(language: str, key: Key, **values: object) -> str:
    """The sentence with its values."""
    code = language.split("-")[0].lower()
    return _read(code if code in LANGUAGES else "en")[key].format(**values)


@cache
def _read(code: str) -> dict[str, str]:
    return json.loads((_DATA / f"{code}.json").read_text(encoding="utf-8"))
