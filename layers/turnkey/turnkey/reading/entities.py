"""Arguments that name one of several things: an enum's value, a language, a doctor, a specialty, a service."""

import re
from itertools import pairwise
from typing import Any, cast

from turnkey.mcp import schemas
from turnkey.reading.asked import Asked
from turnkey.reading.references import meant
from turnkey.reading.roles import Role, role
from turnkey.reading.shelf import dealt_in
from turnkey.reading.subject import named_as_condition, own_words, without
from turnkey.reading.words import concepts, ids, words
from turnkey.tools import JsonObject, Tool

CODES = {
    "english": "en",
    "german": "de",
    "french": "fr",
    "spanish": "es",
    "portuguese": "pt",
    "italian": "it",
    "russian": "ru",
    "chinese": "zh",
    "japanese": "ja",
    "korean": "ko",
    "arabic": "ar",
    "turkish": "tr",
}
_TITLED = re.compile(
    r"(?:\b(?:Dra?|Doctor|Doktor|Docteur|Doctora|Dottor(?:e|essa)|Prof|др|доктор\w*)\b\.?)\s*[^\W\d_][\w'’-]+(?:\s+(?-i:[A-ZÀ-ÞА-ЯİŞÇÖÜ])[\w'’-]+)?",
    re.I,
)
_TITLED_AFTER = re.compile(r"[\w·]{2,8}?\s?(?:医生|醫生|大夫|先生|선생님|의사|박사|Bey|Hanım)")
_BY_NAME = re.compile(r"\b(?:by|of|the|full|whose) names?\b|\bname\b", re.I)
_GENERIC = frozenset(
    ["doctor", "appointment", "slot", "time", "date", "staff", "service", "price", "book", "document", "availability"]
)


def find(is_for: Role, name: str, schema: JsonObject, tool: Tool, asked: Asked) -> str | None:
    """The value, or None where the words give none."""
    if is_for == "choice":
        return _choice(schema, asked)
    if is_for == "language":
        return _language(schema, tool, asked)
    return _named(name, schema, asked) or listed(schema, asked) or _subject(name, schema, tool, asked)


def _choice(schema: JsonObject, asked: Asked) -> str | None:
    """The enum's value that the message names, by its word or by what it means."""
    said, meant = set(words(asked.message)), concepts(asked.message)
    values = [str(value) for value in cast(list[Any], schema["enum"]) if value != schema.get("default")]
    named = [value for value in values if set(words(value)) <= said and words(value)]
    named = named or [value for value in values if concepts(value) & meant]
    return named[0] if len(named) == 1 else None


def _language(schema: JsonObject, tool: Tool, asked: Asked) -> str | None:
    """The language that is a condition of its own ("in German"), not a part of the subject ("Russian novels")."""
    named = [language for language in CODES if language in concepts(asked.message)]
    has_query = any(role(name, one) == "query" for name, one in schemas.present(tool.parameters).items())
    in_subject = has_query and named[:1] and named[0] in concepts(asked.facts.subject)
    if len(named) != 1 or (in_subject and named[0] not in named_as_condition(asked.message)):
        return None
    is_coded = re.search(r"\b[a-z]{2}\b(?=[,;)]|\s*(?:$|or\b))|such as [a-z]{2}\b", str(schema.get("description", "")))
    return CODES[named[0]] if is_coded else named[0].capitalize()


def _named(name: str, schema: JsonObject, asked: Asked) -> str | None:
    """A person by title and name, for an argument that asks for one by name."""
    if not _is_by_name(name, schema):
        return None
    item = meant(asked, asked.handed) if asked.handed else None
    if item and _TITLED.search(item.title):
        return item.title
    for text in (asked.message, asked.facts.subject, *asked.customer[1:2], asked.said_before):
        match = _TITLED.search(text) or _TITLED_AFTER.search(text)
        if match and concepts(match.group()) & {"doctor", "staff"}:
            return match.group().strip()
    return None


def _is_by_name(name: str, schema: JsonObject) -> bool:
    return bool(concepts(name.replace("_", " ")) & {"doctor", "staff"}) and bool(
        _BY_NAME.search(str(schema.get("description", "")))
    )


def listed(schema: JsonObject, asked: Asked) -> str | None:
    """A value that the description lists, where the message has exactly one."""
    said = set(words(asked.message))
    named = [value for value in listed_values(schema) if set(words(value)) & said]
    return named[0] if len(named) == 1 else None


def listed_values(schema: JsonObject) -> list[str]:
    """Those of a description such as "main, north or harbour"."""
    description = str(schema.get("description", ""))
    if not re.match(r"^[\w-]+(?:, [\w-]+)+,? or [\w-]+", description):
        return []
    return [value for value in re.findall(r"[\w-]+", description.split(".")[0].split(";")[0]) if value != "or"]


def _subject(name: str, schema: JsonObject, tool: Tool, asked: Asked) -> str | None:
    """What is asked about: whole where the argument is the tool's one required entity, else the part that is of its
    kind."""
    required = schemas.required(tool.parameters)
    if name in required:
        return own_words(asked, tool) or None
    if _is_by_name(name, schema) or not _takes(name, schema):
        return None
    telling = [(dealt_in(concepts(word)) - _GENERIC, word) for word in _pieces(asked)]
    most = max((len(found) for found, _ in telling), default=0)
    if most:
        return min((word for found, word in telling if len(found) == most), key=len)
    left = without(asked.facts.subject, tool, asked.language)
    return left if left and len(left.split()) <= _FEW and not asked.elliptical and not _is_named(left) else None


def _is_named(text: str) -> bool:
    """Whether it is one thing of its own, by id or by a person's title: no kind of things."""
    return bool(ids(text) or _TITLED.search(text))


_FEW = 2
_OPEN = frozenset(["specialty", "speciality", "department", "category", "genre", "service", "type", "topic", "field"])


def _takes(name: str, schema: JsonObject) -> bool:
    """Whether an optional argument is of a kind that a subject's word can be: a category, not a note."""
    return name.lower() in _OPEN or bool(set(words(name.replace("_", " "))) & _OPEN)


def _pieces(asked: Asked) -> list[str]:
    """The subject's words, single and in pairs; the message's where there is no subject."""
    single = re.findall(r"[^\W\d_]+", asked.facts.subject or asked.message)
    return [*single, *(f"{first} {second}" for first, second in pairwise(single))]
