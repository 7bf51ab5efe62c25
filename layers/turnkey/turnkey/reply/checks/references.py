"""References to what was never made: a chart below, an attachment, search results, a handle, a tool by its name."""

import re
from collections.abc import Iterator

from turnkey.reply.checks.honesty import denies
from turnkey.reply.checks.lists import listed
from turnkey.reply.checks.promises import is_promise
from turnkey.reply.checks.reading import Reading, qualified
from turnkey.reply.checks.sentences import Clause, Sentence
from turnkey.reply.finding import Finding, finding

_HANDLE = re.compile(r"(?<![\w./#-])r\d{1,3}(?![\w.-]*\w)", re.ASCII)
_TOOL_NAME = re.compile(
    r"(?<![\w/.@-])(?:get|search|list|check|find|create|update|delete|book|send|read|fetch|query|hold|cancel|draw|run|"
    r"call|set|add|make|show|reserve|order|lookup|use|remove|plot|render|schedule|post|submit|tool|functions?)"
    r"(?:_[a-z0-9]+)+(?![\w@])",
    re.ASCII,
)
_ADDRESS = re.compile(r"https?://|www\.|\]\(|\w\.[a-z]{2,9}/")
_SHORT = 30


def unmade_references(reading: Reading) -> Iterator[Finding]:
    """Sentences that point at something that is not there."""
    listing = bool(listed(reading.text))
    for number, sentence in enumerate(reading.sentences):
        if _points_nowhere(reading, sentence, listing) or (not listing and _introduces_nothing(reading, number)):
            yield finding("unmade_reference", sentence.text)
    yield from (finding("unmade_reference", name) for name in _internal_names(reading))


def _points_nowhere(reading: Reading, sentence: Sentence, listing: bool) -> bool:
    ledger = reading.ledger
    absent = [
        *(["charts"] if not ledger.has_chart() else []),
        *(["attachments"] if not (ledger.has_chart() or ledger.has_document()) else []),
        *(["lists"] if not (ledger.handed or listing or ledger.has_looked()) else []),
        *(["links"] if not (_ADDRESS.search(reading.text) or ledger.has_cards() or ledger.has_document()) else []),
        *(["sources"] if not any(fact.status == "ok" for fact in ledger.results) else []),
    ]
    if any(_in_clause(reading, clause, key) for key in absent for clause in sentence.clauses):
        return True
    looked = any(fact.status == "ok" for fact in ledger.results)
    return not looked and not denies(reading, sentence) and _claims_search(reading, sentence)


def _claims_search(reading: Reading, sentence: Sentence) -> bool:
    return any(_in_clause(reading, clause, "searched") for clause in sentence.clauses)


def _in_clause(reading: Reading, clause: Clause, key: str) -> bool:
    return any(not qualified(wording, clause, hit) for wording, hit in reading.hits(key, clause.text))


def _introduces_nothing(reading: Reading, number: int) -> bool:
    """ "Here are five books about whales." with nothing handed over and nothing behind it that could be meant."""
    sentence = reading.sentences[number]
    if reading.ledger.handed or reading.ledger.has_looked() or sentence.is_question:
        return False
    rest = reading.sentences[number + 1 :]
    if any(_says_something(reading, one) for one in rest) or _holds_its_content(sentence):
        return False
    return any(_in_clause(reading, clause, "introductions") for clause in sentence.clauses)


def _holds_its_content(sentence: Sentence) -> bool:
    """Whether what is announced follows in the same sentence: "Here is our address: 5 Main Street"."""
    _, colon, behind = (
        re.split(r"([:：])", sentence.text, maxsplit=1) if re.search("[:：]", sentence.text) else ("", "", "")
    )
    return bool(colon) and len(behind.strip()) > 3


def _says_something(reading: Reading, sentence: Sentence) -> bool:
    return not (sentence.is_question or len(sentence.folded) < _SHORT or is_promise(reading, sentence))


def _internal_names(reading: Reading) -> Iterator[str]:
    text, ledger = reading.text, reading.ledger
    known = {*ledger.tools, *(fact.tool for fact in ledger.results)}
    yield from (
        name for name in known if _is_internal(name) and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)
    )
    yield from (found.group() for found in _TOOL_NAME.finditer(text) if found.group() not in {*known})
    yield from (found.group() for found in _HANDLE.finditer(text) if found.group() not in ledger.said.split())


def _is_internal(name: str) -> bool:
    """A name that no sentence would have by itself."""
    return "_" in name or "-" in name or bool(re.search("[a-z][A-Z]", name))
