"""Strings in policies: wildcards, and variables that stand for the request's condition keys.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_variables.html
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from local.iam.values import Context, UnsupportedPolicy

_TOKEN = re.compile(r"\$\{([^}]*)\}|[*?]")
_LITERALS = ("*", "?", "$")
"""What ${*}, ${?} and ${$} stand for."""


class Unresolved(Exception):
    """A variable stands for a key that the request does not have."""


class Pattern:
    """A string of a policy in version 2012-10-17. With `wild`, * stands for any text and ? for any character."""

    def __init__(self, text: str, *, wild: bool, ignore_case: bool = False) -> None:
        """Raises UnsupportedPolicy for a variable with a default."""
        self.text = text
        self._variables = tuple(_variables(text))
        self._wild = wild
        self._ignore_case = ignore_case

    def matches(self, value: str, context: Context) -> bool:
        """Raises Unresolved."""
        values = tuple(_value(name, context) for name in self._variables)
        return _regex(self.text, values, self._wild, self._ignore_case).fullmatch(value) is not None


def _variables(text: str) -> Iterator[str]:
    """Keys in lower case."""
    for found in _TOKEN.finditer(text):
        name = found[1]
        if name is None or name in _LITERALS:
            continue
        if "," in name or not name.strip():
            raise UnsupportedPolicy(f"variable {found[0]!r} in {text!r}: only ${{key}} is understood")
        yield name.strip().lower()


def _value(name: str, context: Context) -> str:
    values = context.get(name, ())
    if len(values) != 1:
        raise Unresolved(name)
    return values[0]


@lru_cache(maxsize=4096)
def _regex(text: str, values: tuple[str, ...], wild: bool, ignore_case: bool) -> re.Pattern[str]:
    """A variable's value stands for itself, whatever it holds."""
    remaining = iter(values)

    def piece(found: re.Match[str]) -> str:
        name = found[1]
        if name is None:
            return {"*": ".*", "?": "."}[found[0]] if wild else re.escape(found[0])
        return re.escape(name if name in _LITERALS else next(remaining))

    parts, last = list[str](), 0
    for found in _TOKEN.finditer(text):
        parts += (re.escape(text[last : found.start()]), piece(found))
        last = found.end()
    return re.compile("".join([*parts, re.escape(text[last:])]), re.DOTALL | (re.IGNORECASE if ignore_case else 0))
