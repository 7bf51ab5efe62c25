"""What a server writes and a model will read is data: its wording is looked through before a tenant approves it, and
cleaned before a model is shown it. The digest that is approved stays over the server's own words. Plain."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any, Literal, NamedTuple, cast

from pydantic import Field

from turnkey import hidden
from turnkey.mcp import instructions
from turnkey.mcp.cleaning import LONGEST_TEXT, clean, clean_schema
from turnkey.mcp.registration import ToolDefinition
from turnkey.mcp.wording_forms import is_lookalike
from turnkey.tools import JsonObject
from turnkey.values import Value

FlagKind = Literal["control_character", "hidden_unicode", "instruction", "lookalike", "too_long", "encoded"]

__all__ = ["Flag", "FlagKind", "clean", "clean_schema", "flags"]

LONGEST_NAME = 128
EXCERPT = 120
_MOST_OF_A_KIND = 3
"""Flags of one kind in one text."""
_MOST_TEXTS = 5_000
_DEEPEST = 64
_STRUCTURE = ("type", "format", "pattern", "$ref", "$schema", "$id", "$anchor", "contentEncoding", "contentMediaType")
_NAMED = ("properties", "$defs", "definitions", "patternProperties", "dependentSchemas")
_WORD = re.compile(r"[^\W\d_]+")


class Flag(Value):
    """Something in a tool's wording that is not for a model to read, or not what it seems."""

    where: str = Field(description="such as description, or input_schema.properties.q.description")
    kind: FlagKind
    what: str = Field(description=f"the words, at most {EXCERPT} characters; what hides in them by number: U+200B")


class _Text(NamedTuple):
    where: str
    text: str
    is_name: bool


def flags(definition: ToolDefinition) -> tuple[Flag, ...]:
    """What the tenant should see before approving the tool, in the order of the definition."""
    texts = list(islice(_texts(definition), _MOST_TEXTS))
    found = [flag for one in texts for flag in _flags_of(one, definition.name)]
    if len(texts) == _MOST_TEXTS:
        found.append(
            Flag(where=texts[-1].where, kind="too_long", what=f"only the first {_MOST_TEXTS:,} texts were read")
        )
    if not any(flag.kind == "instruction" for flag in found):
        found += _split_over(texts)
    return tuple(dict.fromkeys(found))


def _flags_of(one: _Text, tool: str) -> Iterator[Flag]:
    found = [*_hidden(one), *_lookalikes(one), *_too_long(one), *_instructions(one, tool)]
    count: Counter[FlagKind] = Counter()
    for kind, what in found:
        count[kind] += 1
        if count[kind] <= _MOST_OF_A_KIND:
            yield Flag(where=one.where, kind=kind, what=_excerpt(what))


def _hidden(one: _Text) -> Iterator[tuple[FlagKind, str]]:
    for found in hidden.find(one.text):
        yield found.kind, one.text[max(0, found.start - 20) : found.end + 20]


def _lookalikes(one: _Text) -> Iterator[tuple[FlagKind, str]]:
    for word in _WORD.findall(one.text):
        if is_lookalike(word):
            yield "lookalike", word
    same = unicodedata.normalize("NFKC", one.text)
    if one.is_name and same != one.text and same.isascii():
        yield "lookalike", one.text


def _too_long(one: _Text) -> Iterator[tuple[FlagKind, str]]:
    most = LONGEST_NAME if one.is_name else LONGEST_TEXT
    if len(one.text) > most:
        yield "too_long", f"{len(one.text):,} characters: {one.text}"


def _instructions(one: _Text, tool: str) -> Iterator[tuple[FlagKind, str]]:
    for words in instructions.encoded(one.text):
        yield "encoded", words
    for _, words in instructions.find(one.text, tool):
        yield "instruction", words


def _split_over(texts: list[_Text]) -> list[Flag]:
    """What only the texts together say, each of them harmless."""
    whole = " ".join(one.text for one in texts if not one.is_name)
    kinds = ("override", "secrecy", "show", "send")
    found = (words for kind, words in instructions.find(whole) if kind in kinds)
    return [Flag(where="all texts together", kind="instruction", what=_excerpt(words)) for words in found][:1]


def _excerpt(text: str) -> str:
    shown = hidden.escaped(text)
    return shown if len(shown) <= EXCERPT else f"{shown[: EXCERPT - 1]}…"


def _texts(definition: ToolDefinition) -> Iterator[_Text]:
    yield _Text("name", definition.name, True)
    yield _Text("title", definition.title, True)
    yield _Text("description", definition.description, False)
    for place, schema in (("input_schema", definition.input_schema), ("output_schema", definition.output_schema)):
        yield from _inside(schema or {}, place, 0)


def _inside(value: Any, where: str, depth: int) -> Iterator[_Text]:
    """Every text in a schema, and every name that is not the schema's own."""
    if depth > _DEEPEST:
        return
    if isinstance(value, str):
        yield _Text(where, value, False)
    elif isinstance(value, list):
        for place, one in enumerate(cast(list[Any], value)):
            yield from _inside(one, f"{where}[{place}]", depth + 1)
    elif isinstance(value, dict):
        for name, one in cast(JsonObject, value).items():
            if where.rpartition(".")[2] in _NAMED:
                yield _Text(f"{where}.{hidden.escaped(name)}", name, True)
            elif name in _STRUCTURE and isinstance(one, str):
                continue
            yield from _inside(one, f"{where}.{hidden.escaped(name)}", depth + 1)
