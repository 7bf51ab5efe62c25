"""Promises to look, to act or to come back: a turn ends with its reply, so nothing comes after it."""

from collections.abc import Iterator

from turnkey.reply.checks.reading import Reading, segment
from turnkey.reply.checks.sentences import Clause, Sentence
from turnkey.reply.finding import Finding, finding


def promises(reading: Reading) -> Iterator[Finding]:
    """Sentences that promise what was not done in this turn.

    "Let me check" before what the check found is a manner of speaking; as a reply's end, or with no call made, it is
    a promise. Offers and conditions ("if you tell me the title, I will check") are none.
    """
    looked = any(fact.status == "ok" for fact in reading.ledger.results)
    acted = reading.ledger.has_acted()
    last = _last_substantial(reading)
    for number, sentence in enumerate(reading.sentences):
        if _conditional(reading, sentence):
            continue
        told = looked and number < last
        if (_promised(reading, sentence, ("promises", "waits")) and not told) or (
            _promised(reading, sentence, ("act_promises", "later")) and not acted and not told
        ):
            yield finding("promise", sentence.text)


def is_promise(reading: Reading, sentence: Sentence) -> bool:
    """Whether the sentence only announces something."""
    return _promised(reading, sentence, ("promises", "waits", "act_promises", "later"))


def _last_substantial(reading: Reading) -> int:
    """The place of the last sentence that says something and promises nothing."""
    saying = [
        number
        for number, sentence in enumerate(reading.sentences)
        if not sentence.is_question and len(sentence.folded) > 12 and not is_promise(reading, sentence)
    ]
    return max(saying, default=-1)


def _conditional(reading: Reading, sentence: Sentence) -> bool:
    return reading.says("conditions", sentence.folded)


def _promised(reading: Reading, sentence: Sentence, keys: tuple[str, ...]) -> bool:
    return any(_in_clause(reading, clause, key) for clause in sentence.clauses for key in keys)


def _in_clause(reading: Reading, clause: Clause, key: str) -> bool:
    if clause.question:
        return False
    if key == "waits":
        return reading.says(key, clause.text)
    hits = reading.hits(key, clause.text)
    return any(not wording.says("negators", segment(wording, clause.text, hit)) for wording, hit in hits)
