"""A server's words as a model is shown them. The digest that is approved stays over the words as they came. Plain."""

from typing import Any, cast

from turnkey import chat_tokens, hidden
from turnkey.tools import JsonObject

LONGEST_TEXT = 2_000
"""Characters of one text."""
_CUT = "… [cut: this text has {count:,} characters]"
_READ = ("title", "description", "enum", "const", "default", "examples")
"""What of a schema a model reads as words."""
_RULES = ("pattern", "format")
"""What it reads as well, but what software goes by: kept as it is, or not at all."""


def clean(text: str) -> str:
    """The text without what hides in it, with the tokens of chat templates broken, and cut where it is too long, which
    it then says."""
    shown = chat_tokens.broken(hidden.clean(text))
    if len(shown) <= LONGEST_TEXT:
        return shown
    told = _CUT.format(count=len(shown))
    return f"{shown[: LONGEST_TEXT - len(told)].rstrip()}{told}"


def clean_schema(schema: JsonObject) -> JsonObject:
    """A schema with every text in it cleaned that a model reads. Names of properties stay: calls are made by them."""
    kept = {name: value for name, value in schema.items() if name not in _RULES or _is_clean(value)}
    return {name: _cleaned(value, is_text=name in _READ) for name, value in kept.items()}


def _cleaned(value: Any, *, is_text: bool) -> Any:
    if isinstance(value, str):
        return clean(value) if is_text else value
    if isinstance(value, list):
        return [_cleaned(one, is_text=is_text) for one in cast(list[Any], value)]
    return clean_schema(cast(JsonObject, value)) if isinstance(value, dict) else value


def _is_clean(value: Any) -> bool:
    return not isinstance(value, str) or clean(value) == value
