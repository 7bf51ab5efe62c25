"""A plain request for a reminder, in twelve languages: that it is one, and what the customer is to be reminded of."""

import json
import re
from collections.abc import Callable
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

LONGEST = 300
"""Characters of a message that asks for a reminder and for nothing else."""
_SPACELESS = ("zh", "ja")
_PIECES = 80
"""Words, or characters of a language without blanks, that are tried."""
_APOSTROPHES = str.maketrans("’‘`´", "''''")
_LETTERS = re.compile(r"[^\W\d_]")
_FEWEST = 2
"""Letters: with fewer, nothing is said of what it is about."""
_NAMED = re.compile(
    r"(?i)\bremind|\berinner|\brappel|\brecordatorio|\brecuérda|\blembr|\bpromemoria|\bricorda|напомин|напомн|提醒|リマイン|"
    r"알림|상기|تذكير|ذكر|hatırlat"
)
_MORE = re.compile(
    r"(?i)\d|,|，|、|\b(?:and|but|und|aber|mais|y|pero|e|mas|ma|и|а|но|ve|ama)\b|\bet(?=\s)|再|그리고|\bو"
)
"""What else a message may want that takes a reminder back."""
_ALSO = re.compile(
    r"(?i)(?:\b(?:and|und|et|y|e|и|ve)\b|,|，|、|그리고|また|\bو)\s*"
    r"(?:(?:also|auch|aussi|también|também|anche|ещё|ayrıca) )?"
    r"(?:(?:what|how|which|when|where|who|tell me|show me|give me|was|wie|welche\w*|wann|wo|zeig\w*|sag\w*|"
    r"combien|quel\w*|quand|où|montre|dis-moi|cuánto|qué|cuál\w*|cuándo|dónde|dime|muéstrame|"
    r"quanto|qual|quando|onde|diga|mostra|cosa|quale|dove|dimmi|mostrami|"
    r"сколько|как\w*|когда|где|покажи\w*|скажи\w*|ne kadar|hangi|nerede|kaç)\b|"
    r"多少|什么|哪|告诉我|给我看|いくら|何|どの|どこ|얼마|무엇|어떤|어디|كم|ما |أين|متى)"
)
"""Something else is asked for in the same sentence."""
_BEFORE = re.compile(
    r"(?i)\bbefore\b|\bprior to\b|\bdavor\b|\bvorher\b|\bvorabend\b|\btag(?:e)? vor\b|\bstunden? vor\b|\bminuten vor\b|"
    r"\bveille\b|\bavant\b|\bantes\b|\bvíspera\b|\bvéspera\b|\bprima\b|накануне|\bдо\b|\bперед\b|"
    r"前一天|前一晚|之前|以前|提前|前日|前に|前まで|前夜|전날|전에|قبل|\bönce(?:ki|sinde)?\b"
)
"""A time that is counted back from another one: which is meant is not for rules to say."""
_END = " \t\n.,;:!?…。、，；：！？؟،\"“”„«»'"

SameMoment = Callable[[str], bool]
"""Whether the words name the very moment that the whole message does."""


class Request(NamedTuple):
    """The message without its asking words: the time, and what it is about."""

    rest: str
    language: str


class Parted(NamedTuple):
    """`about` is empty where the message says only "it", or nothing."""

    when: str
    about: str


class _Words(NamedTuple):
    ask: re.Pattern[str]
    beside: re.Pattern[str]
    front: re.Pattern[str]
    back: re.Pattern[str]
    it: re.Pattern[str]
    refused: re.Pattern[str]
    cancel: re.Pattern[str]


def request(message: str) -> Request | None:
    """What a message asks to be reminded of, with the time still in it; None where it is no such request in one
    sentence, or may be more than that."""
    text = _plain(message)
    if not text or len(text) > LONGEST:
        return None
    for language, words in _all().items():
        found = words.ask.search(text)
        if found is None:
            continue
        doubts = (_ALSO, _BEFORE, words.refused, words.cancel)
        if any(doubt.search(text) for doubt in doubts) or not _is_one(text, words):
            return None
        rest = words.beside.sub(" ", f"{text[: found.start()]} {text[found.end() :]}")
        return Request(" ".join(rest.split()).strip(_END), language)
    return None


def plain(message: str, language: str) -> Request:
    """A message that asks for nothing: all of it is the rest."""
    return Request(_plain(message).strip(_END), language if language in _all() else "en")


def speaks_of_reminders(text: str) -> bool:
    """Whether a tool's own words name reminders, in any of the languages."""
    return _NAMED.search(text) is not None


def cancels(message: str) -> bool:
    """Whether the message asks that a reminder be cancelled, and for nothing else."""
    text = _plain(message)
    if not text or len(text) > LONGEST // 3 or _MORE.search(text):
        return False
    return any(_cancels(text, words) for words in _all().values())


def _cancels(text: str, words: _Words) -> bool:
    return words.cancel.search(text) is not None and words.ask.search(text) is None and _is_one(text, words)


def part(asked: Request, same: SameMoment) -> Parted | None:
    """The shortest words that still name the moment, and the others. None where the rest does not name it."""
    if not same(asked.rest):
        return None
    spaceless = asked.language in _SPACELESS
    pieces = list(asked.rest) if spaceless else asked.rest.split(" ")
    if len(pieces) > _PIECES:
        return None
    glue = "" if spaceless else " "
    start = sum(1 for _ in takewhile(lambda at: same(glue.join(pieces[at + 1 :])), range(len(pieces) - 1)))
    left = pieces[start:]
    end = sum(1 for _ in takewhile(lambda at: same(glue.join(left[: -at - 1])), range(len(left) - 1)))
    when = left[: len(left) - end]
    about = _about(glue.join(pieces[:start]), glue.join(left[len(when) :]), asked.language)
    return Parted(glue.join(when).strip(_END), about)


def _about(before: str, behind: str, language: str) -> str:
    """The words around the time, without what only joined them to it."""
    words = _all()[language]
    # What stands last in the message is not next to the time.
    parts = [_trimmed(_trimmed(before, words.front), words.back), _trimmed(behind, words.front)]
    text = ("" if language in _SPACELESS else " ").join(one for one in parts if one)
    return "" if words.it.fullmatch(text) or len(_LETTERS.findall(text)) < _FEWEST else text


def _trimmed(text: str, edge: re.Pattern[str]) -> str:
    before = None
    while before != text:
        before, text = text, edge.sub("", text.strip(_END)).strip(_END)
    return text


def _is_one(text: str, words: _Words) -> bool:
    """Whether it is one sentence, beside courtesies."""
    sentences = re.split(r"[.!?…。！？؟;\n]+(?:\s|$)|[。！？]", text)
    return sum(bool(words.beside.sub("", one).strip(_END)) for one in sentences) == 1


def _plain(message: str) -> str:
    return " ".join(message.translate(_APOSTROPHES).split())


@cache
def _all() -> dict[str, _Words]:
    data = json.loads((Path(__file__).parent / "data" / "requests.json").read_text(encoding="utf-8"))
    return {language: _words(language, words) for language, words in data.items()}


def _words(language: str, words: dict[str, list[str]]) -> _Words:
    spaceless = language in _SPACELESS
    # Arabic joins its prepositions to the word.
    alone = "{}" if spaceless or language == "ar" else r"(?<!\w)(?:{})(?!\w)"
    edge = f"(?:{words['edge']})"
    # An elided article has no blank behind it.
    front, back = (edge, edge) if spaceless else (rf"{edge}(?:[\s,:]+|(?<=')|$)", rf"[\s,]+{edge}")
    return _Words(
        ask=_any(words["ask"]),
        beside=_any([alone.format(one) for one in words["beside"]]),
        front=re.compile(f"(?i)^(?:{front})"),
        back=re.compile(f"(?i)(?:{back})$"),
        it=re.compile(f"(?i)(?:{words['it']})?"),
        refused=_any([str(words["not"])]),
        cancel=_any(words["cancel"]),
    )


def _any(forms: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{form})" for form in forms), re.IGNORECASE)
