"""The question before a call that needs the customer's word: what would be done, with every value, in their language.

The values are the call's own, whole: what a customer has not read they cannot agree to.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from turnkey import hidden
from turnkey.reply import phrases
from turnkey.reply.facts_text import labels
from turnkey.reply.values_text import shown
from turnkey.tools import JsonObject

_TITLE_CHARACTERS = 80


def question(calls: Sequence[tuple[str, JsonObject]], names: Mapping[str, str], language: str) -> str:
    """What the customer is asked about these calls, each by its title and its arguments. `names` tells what an id in
    the arguments stands for."""
    asked = [_call(title, arguments, names, language) for title, arguments in calls]
    return "\n\n".join([phrases.confirm(language, len(calls) > 1), *asked, phrases.answer(language)])


def _call(title: str, arguments: JsonObject, names: Mapping[str, str], language: str) -> str:
    colon = phrases.phrases(language)["colon"]
    lines = [
        f"– {_label(name, language)}{colon}{_value(name, value, names, language)}"
        for name, value in arguments.items()
        if value is not None
    ]
    return "\n".join([f"“{' '.join(hidden.clean(title).split())[:_TITLE_CHARACTERS]}”", *lines])


def _label(name: str, language: str) -> str:
    found = labels([name], language)[0]
    return f"{found[:1].upper()}{found[1:]}"


def _value(name: str, value: Any, names: Mapping[str, str], language: str) -> str:
    """A value in one line, whatever it is made of."""
    words = phrases.phrases(language)
    if isinstance(value, dict):
        members = cast(JsonObject, value).items()
        parts = [f"{_label(key, language)}{words['colon']}{_value(key, one, names, language)}" for key, one in members]
        return f"({'; '.join(parts)})"
    if isinstance(value, list):
        return "; ".join(_value(name, one, names, language) for one in cast(list[Any], value)) or "–"
    if isinstance(value, str):
        return _text(name, value, names, language)
    return "–" if value is None else shown(name, value, language, "")


def _text(name: str, value: str, names: Mapping[str, str], language: str) -> str:
    """The text as it is: only dates, times and amounts get the language's form. An id gets its name before it."""
    line = " ".join(value.split())
    if known := names.get(value):
        return f"{known} ({line})"
    # `shown` takes tags out, which the call would still have.
    is_plain = "<" in line or not any(character.isdigit() for character in line)
    return line if is_plain else shown(name, line, language, "")
