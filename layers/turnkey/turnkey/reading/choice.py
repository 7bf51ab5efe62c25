"""Which one tool a message plainly means, by words alone: the first, cheap form of reading. In doubt, none.

It knows look-ups with one required argument in plain words, or an id that the message spells out. Everything else is
left to the model, which then sees all its tools.
"""

import re
import unicodedata

from turnkey.mcp import schemas
from turnkey.reading.directive import Directive, compose
from turnkey.tools import JsonObject, Tool, Toolset

_WORD = re.compile(r"[\w'-]+")
_ID = re.compile(r"\b(?=\w*\d)(?=\w*[A-Za-z])[A-Za-z0-9][\w-]{2,}\b")
_QUERY_NAMES = {"query", "q", "text", "search", "keywords", "keyword", "terms", "term", "words", "topic", "subject"}
# Words of a request that are no words of its subject.
_IDLE = frozenset(
    [
        "a",
        "about",
        "all",
        "also",
        "an",
        "and",
        "any",
        "are",
        "at",
        "available",
        "be",
        "by",
        "can",
        "could",
        "do",
        "does",
        "few",
        "find",
        "for",
        "from",
        "get",
        "give",
        "got",
        "hand",
        "has",
        "have",
        "hello",
        "help",
        "hi",
        "how",
        "i",
        "i'd",
        "i'm",
        "in",
        "is",
        "it",
        "know",
        "like",
        "list",
        "look",
        "looking",
        "many",
        "may",
        "me",
        "more",
        "my",
        "need",
        "no",
        "now",
        "of",
        "on",
        "one",
        "or",
        "other",
        "our",
        "please",
        "recommend",
        "search",
        "see",
        "sell",
        "show",
        "some",
        "something",
        "that",
        "the",
        "their",
        "them",
        "there",
        "these",
        "they",
        "thing",
        "think",
        "this",
        "those",
        "to",
        "up",
        "us",
        "want",
        "we",
        "what",
        "what's",
        "when",
        "where",
        "which",
        "who",
        "will",
        "with",
        "would",
        "you",
        "your",
    ]
)


def choose(question: str, tools: Toolset) -> Directive | None:
    """The directive for the one read-only tool the question names, or None when no tool or several could be meant."""
    words = _words(question)
    found = [
        (overlap, tool, arguments)
        for tool in tools
        if tool.hints.read_only
        and (overlap := len(_words(f"{_spaced(tool.name)} {tool.title}") & words))
        and (arguments := _arguments(question, tool)) is not None
    ]
    best = max((overlap for overlap, _, _ in found), default=0)
    winners = [(tool, arguments) for overlap, tool, arguments in found if overlap == best]
    if len(winners) != 1:
        return None
    tool, arguments = winners[0]
    return compose(tool.name, arguments)


def _arguments(question: str, tool: Tool) -> JsonObject | None:
    """Values for all required arguments, or None where the question does not give them."""
    required = schemas.required(tool.parameters)
    if len(required) != 1 or schemas.properties(tool.parameters).get(required[0], {}).get("type") != "string":
        return None
    name = required[0]
    if name.lower() in _QUERY_NAMES:
        subject = _subject(question, tool)
        return {name: subject} if subject else None
    if name.lower().endswith("id"):
        ids = set(_ID.findall(question))
        return {name: ids.pop()} if len(ids) == 1 else None
    return None


def _subject(question: str, tool: Tool) -> str:
    """The question's own words, in order, without idle ones and without those that name the tool. Nothing where it
    spells out an id: then something else is meant than a search."""
    if _ID.search(question):
        return ""
    of_tool = _words(f"{_spaced(tool.name)} {tool.title}")
    kept = [
        word for word in _WORD.findall(question) if not ({word.lower(), _fold(word)} & _IDLE or _fold(word) in of_tool)
    ]
    return " ".join(kept) if len(kept) <= 6 else ""


def _words(text: str) -> frozenset[str]:
    return frozenset(_fold(word) for word in _WORD.findall(text)) - _IDLE


def _fold(word: str) -> str:
    """Lower case, without accents and a plural s."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", word.lower()) if not unicodedata.combining(c))
    return plain[:-1] if len(plain) > 3 and plain.endswith("s") and not plain.endswith("ss") else plain


def _spaced(name: str) -> str:
    return re.sub(r"[_-]+|(?<=[a-z])(?=[A-Z])", " ", name)
