"""Whether a reply written from facts tells them: its own prompt repeated, nothing of the result, or mostly words from
nowhere are no replies. For turns in which tools ran."""

import json
import re
from collections.abc import Iterator

from turnkey.deliverables import fields
from turnkey.deliverables.single import find_object
from turnkey.detection import detect, everyday_words
from turnkey.reading.facts import Kind
from turnkey.reply.finding import Finding, finding
from turnkey.reply.ledger import Ledger
from turnkey.tools.builtins import NAMES

_SCAFFOLD = re.compile(
    r"(?im)^\W*(?:the customer(?: now)? sees|the customer(?:'s question)?|facts(?: found)?|question|before|customer|"
    r"shop|assistant|user|clerk|agent|your reply was not sent)\s*:|\[shown:|</?tool_"
)
_VALUE = re.compile(r"[^\W\d_]*\d[\w.,:-]*|[^\W\d_]{3,}")
_FEW_FIELDS = 2
_NEW_WORDS = 4
_NEW_SHARE = 0.45
"""Of the telling words of a reply: with more from nowhere, it is a story."""


def untold(text: str, due: Kind, ledger: Ledger, asked: str) -> Iterator[Finding]:
    """What keeps a reply from being one. `asked`: the question, and the calls' arguments."""
    if _SCAFFOLD.search(text):
        yield finding("untold", f"the prompt again: {text}")
    results = [fact for fact in ledger.results if fact.came_back]
    if due in ("action", "lookup") and results and not _tells(text, results[-1].text, asked, due):
        yield finding("untold", f"nothing of the result: {text}")
    # What the platform itself keeps brings no facts that a reply would have to tell.
    brought = any(fact.kind != "action" or fact.tool not in NAMES for fact in results)
    if brought and _is_a_story(text, ledger):
        yield finding("untold", f"mostly words from nowhere: {text}")


def _tells(text: str, result: str, asked: str, due: Kind) -> bool:
    """Whether anything stands in the reply that the result has and the question has not; of something done, its
    number, date or price where it has one."""
    new = _values(_telling(result)) - _values(asked)
    exact = {value for value in new if any(character.isdigit() for character in value)}
    wanted = exact if due == "action" and exact else new
    return not wanted or bool(wanted & _values(text))


def _telling(result: str) -> str:
    """A JSON result without its fields' names, and without the title that only says what it is about."""
    found = find_object(result)
    title = fields.title_field(found) if found and len(found) > _FEW_FIELDS else ""
    if found and title:
        return _bare(json.dumps({name: value for name, value in found.items() if name != title}, ensure_ascii=False))
    return _bare(result)


def _bare(result: str) -> str:
    return re.sub(r'"[^"\n]{1,60}"\s*:', " ", result)


def _values(text: str) -> set[str]:
    everyday = everyday_words("en")
    found = {match.rstrip(".,:").casefold() for match in _VALUE.findall(text)}
    # 19.90 is told as 19.9, 19,90 or 19.
    numbers = {re.split(r"[.,]", value)[0] for value in found if value[:1].isdigit()}
    return (found | numbers) - everyday - {"", "true", "false", "null", "eur", "usd"}


def _is_a_story(text: str, ledger: Ledger) -> bool:
    """Only where reply and facts are of one language can their words be compared."""
    known = "\n".join(ledger.texts)
    language = detect(text).language
    if not language or language != detect(known[:2000]).language:
        return False
    everyday = everyday_words(language)
    said = [word.casefold() for word in re.findall(r"[^\W\d_]{3,}", text)]
    telling = [word for word in said if word not in everyday]
    stems = {word.casefold()[:5] for word in re.findall(r"[^\W\d_]{3,}", known)}
    new = [word for word in telling if word[:5] not in stems]
    return len(new) >= _NEW_WORDS and len(new) > _NEW_SHARE * len(telling)
