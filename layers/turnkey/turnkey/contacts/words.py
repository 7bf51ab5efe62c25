"""Names and free fields: each of their words stands in the customer's own messages, as a word."""

import re
from collections.abc import Mapping, Sequence

from turnkey import chat_tokens
from turnkey.contacts.contact import Given
from turnkey.contacts.fields import LONGEST_FIELD, LONGEST_NAME
from turnkey.contacts.finding import Refused
from turnkey.contacts.folding import plain, seen

# Written without blanks between words: what stands there stands anywhere in a run of such letters.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff"
)
_MARKS = "\u0300-\u036f\u0640\u064b-\u065f\u0670"
_WORD = re.compile(rf"\d+(?:[.,:/-]\d+)*|[{_UNSPACED}]+|(?:[^\W\d_{_UNSPACED}]|[{_MARKS}])+")
_ADDRESS = re.compile(r"@|://|\bwww\.", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")


def check_name(given: str, texts: Sequence[str]) -> Given | Refused:
    """A person's name. Letters' case may be other than the customer's; accents are theirs."""
    name = cleaned(given)
    if len(name) > LONGEST_NAME:
        return Refused(why="too_long")
    if not _LETTER.search(name) or _ADDRESS.search(name) or any(character.isdigit() for character in name):
        return Refused(why="invalid" if name else "empty")
    return _found(name, texts)


def check_field(given: str, texts: Sequence[str]) -> Given | Refused:
    """What the tenant wants to know besides."""
    value = cleaned(given)
    if len(value) > LONGEST_FIELD:
        return Refused(why="too_long")
    return _found(value, texts) if _WORD.search(value) else Refused(why="empty")


def cleaned(text: str) -> str:
    """In one line, without what nobody sees and what a model would take for a turn of its own."""
    return " ".join(chat_tokens.broken(seen(text)).split())


def _found(value: str, texts: Sequence[str]) -> Given | Refused:
    said = {plain(found[0]): found[0] for text in reversed(texts) for found in _WORD.finditer(cleaned(text))}
    for found in _WORD.finditer(value):
        own = _said_as(found[0], said)
        if not own:
            return Refused(why="not_said")
        if found[0].casefold() != own.casefold():
            value = value.replace(found[0], own)
    return Given(value=value)


def _said_as(word: str, said: Mapping[str, str]) -> str:
    """The word in the customer's own spelling, or nothing. `said` has theirs by what it is compared by."""
    wanted = plain(word)
    if wanted in said:
        return said[wanted]
    unspaced = re.match(rf"[{_UNSPACED}]", word)
    return word if unspaced and any(wanted in own for own in said) else ""
