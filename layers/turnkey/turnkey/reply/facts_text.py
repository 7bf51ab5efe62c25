"""A tool result as a few lines that a customer can read: what the platform itself tells of it.

Fields get their labels (`labels`), values their form (`values_text`). Ids, addresses of pictures, technical fields and
empty values are left out. A text that is no JSON is told as it is, unless it is a machine's own talk.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, cast

from turnkey.reply import phrases
from turnkey.reply.checks.inputs import is_machine_talk
from turnkey.reply.labels import concept, label, state, words_of
from turnkey.reply.values_text import currency_of, shown

_NOTICE = re.compile(r"\n?\[PARTIAL:.*\]\s*$", re.DOTALL)
_TECHNICAL = (
    "image images picture thumbnail icon logo photo avatar embedding vector raw html debug trace score rank hash etag "
    "token cursor checksum version schema created updated modified page limit offset query next previous has more ok "
    "success type kind object locale timezone meta metadata request response"
)
_HIDDEN = frozenset(_TECHNICAL.split(" "))
_ID = re.compile(r"(?:^| )(?:id|ids|uid|uuid|guid|key|sku|ref id)$")
_NAMED_BY_ID = frozenset({"order_number", "booking_number", "ticket_number", "invoice_number", "tracking"})
_UGLY = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-|^[0-9a-f]{24,}$|^[A-Za-z0-9+/=_-]{40,}$", re.IGNORECASE)
_NO_WORDS = ("null", "none", "true", "false", "ok", "undefined")
_LONGEST_LINE = 300
_LONGEST_CUT = 20_000
_MOST_PARTS = 4
_NAMING = (
    "title",
    "name",
    "doctor",
    "service",
    "author",
    "date",
    "time",
    "start",
    "price",
    "status",
    "address",
    "city",
)
_PAIR = re.compile(r'"([A-Za-z_]\w*)"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false)')


def lines(text: str, language: str, limit: int) -> str:
    """At most `limit` lines of the result, one a value, or one an item where it is a list. Says so in a last line
    where there is more. Empty where nothing in it is fit for a customer."""
    body = _NOTICE.sub("", text).replace("… [cut]", "…")
    value = _value(body)
    found = list(_lines(value, language)) if value is not None else list(_plain_lines(body))
    told = [line if len(line) <= _LONGEST_LINE else _cut(line, language) for line in found[: max(limit, 0)]]
    if told and (len(found) > len(told) or _NOTICE.search(text)):
        told.append(phrases.partial(language))
    return "\n".join(told)


def labels(fields: Sequence[str], language: str) -> tuple[str, ...]:
    """The labels of these fields, in small letters where the language writes them so inside a sentence."""
    return tuple(_inside(label(_without_id(field), language), language) for field in fields)


def _without_id(field: str) -> str:
    """book_id is asked for as the book."""
    words = words_of(field)
    return words if concept(field) else re.sub(r" (?:id|uid|key)$", "", words) or words


def _inside(text: str, language: str) -> str:
    return text if language == "de" or not text[1:2].islower() else text[:1].lower() + text[1:]


def _value(text: str) -> Any:
    """The JSON value of the text; the pairs that can be read where it is cut off; None where it is no JSON."""
    bare = text.strip()
    if not bare.startswith(("{", "[")):
        return None
    try:
        return json.loads(bare)
    except (ValueError, RecursionError):
        return {name: json.loads(value) for name, value in _PAIR.findall(bare[:_LONGEST_CUT])} or None


def _lines(value: Any, language: str, currency: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        yield from _object_lines(cast(dict[str, Any], value), language, currency)
    elif isinstance(value, list):
        yield from _list_lines(cast(list[Any], value), language, currency)


def _object_lines(members: dict[str, Any], language: str, outer: str) -> Iterator[str]:
    """One line a value; a list of objects an item a line; a wrapping object's own members."""
    currency = currency_of(members) or outer
    told = [(name, member) for name, member in members.items() if not _is_hidden(name, member)]
    if any(isinstance(member, list) for _, member in told):
        told = [(name, member) for name, member in told if not _counts(name, member)]
    if len(told) == 1 and isinstance(told[0][1], dict):
        yield from _lines(told[0][1], language, currency)
        return
    for name, member in told:
        if isinstance(member, list) and any(isinstance(one, dict) for one in cast(list[Any], member)):
            yield from _list_lines(cast(list[Any], member), language, currency)
        elif text := _inline(name, member, language, currency):
            yield f"{_label(name, member, language, currency)}{phrases.phrases(language)['colon']}{text}"


def _counts(name: str, value: Any) -> bool:
    """The length of a list beside it: the reader sees the list."""
    return concept(name) == "count" and isinstance(value, int)


def _label(name: str, value: Any, language: str, currency: str) -> str:
    if concept(name) == "count" and (currency or isinstance(value, float)):
        return label("total price", language)
    if isinstance(value, bool) and not concept(name) and (word := state(name, language)):
        return word[:1].upper() + word[1:]
    return label(name, language)


def _list_lines(items: list[Any], language: str, currency: str) -> Iterator[str]:
    for item in items:
        text = _inline("", item, language, currency)
        if text:
            yield f"– {text}"


def _inline(name: str, value: Any, language: str, currency: str) -> str:
    """A value within a line: of an object its most telling members, of a list its parts."""
    if isinstance(value, dict):
        members = cast(dict[str, Any], value)
        own = currency_of(members) or currency
        named = [(field, one) for field, one in members.items() if not _is_hidden(field, one)]
        parts = [_inline(field, one, language, own) for field, one in sorted(named, key=_telling)]
        return phrases.joined(language, [part for part in parts if part][:_MOST_PARTS])
    if isinstance(value, list):
        parts = [_inline(name, one, language, currency) for one in cast(list[Any], value)]
        parts = [part for part in parts if part]
        rest = len(parts) - _MOST_PARTS
        more = [phrases.phrases(language)["more"].format(count=rest)] if rest > 0 else []
        return phrases.joined(language, [*parts[:_MOST_PARTS], *more])
    return shown(name, value, language, currency)


def _telling(member: tuple[str, Any]) -> int:
    """The place of a field among those that name a thing; the others behind them, in their own order."""
    found = concept(member[0])
    return _NAMING.index(found) if found in _NAMING else len(_NAMING)


def _is_hidden(name: str, value: Any) -> bool:
    if value is None or value in ("", [], {}) or name.startswith(("_", "$")):
        return True
    if isinstance(value, str) and _UGLY.search(value.strip()):
        return True
    words = words_of(name)
    if isinstance(value, bool) and not concept(name) and not state(name, "en"):
        return True
    if words == "currency" or words.endswith(" currency"):
        return True
    if concept(name):
        return words in _HIDDEN or (bool(_ID.search(words)) and concept(name) not in _NAMED_BY_ID)
    return bool(_ID.search(words)) or any(word in _HIDDEN for word in words.split())


def _plain_lines(text: str) -> Iterator[str]:
    if is_machine_talk(text) or text.strip().lower() in _NO_WORDS:
        return
    for line in text.splitlines():
        if bare := " ".join(re.sub(r"<[^<>]{1,200}>|^[#>\s]+|\*\*|`", " ", line).split()):
            yield bare


def _cut(line: str, language: str) -> str:
    kept = line[:_LONGEST_LINE].rsplit(" ", 1)[0] if " " in line[:_LONGEST_LINE] else line[:_LONGEST_LINE]
    return f"{kept.rstrip()}… {phrases.phrases(language)['cut']}"
