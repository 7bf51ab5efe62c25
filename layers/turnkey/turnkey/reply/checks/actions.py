"""Claims of things done: "I have booked it", "your appointment is confirmed". They need an action that succeeded."""

import re
from collections.abc import Iterator

from turnkey.reply.checks.folding import fold
from turnkey.reply.checks.reading import Reading, qualified
from turnkey.reply.checks.sentences import Clause, Sentence
from turnkey.reply.checks.wording import Wording, wording
from turnkey.reply.finding import Finding, finding
from turnkey.reply.ledger import Fact, Ledger
from turnkey.tools.builtins import edit_document

_STATUS = re.compile(r"\"(?:\w*_)?(?:status|state|confirmed|stage)\"\s*:")
# What one action may be called: holding a table is booking it, removing an appointment is cancelling it.
_FAMILIES = (
    {"book", "hold", "add", "confirm"},
    {"cancel", "delete"},
    {"send", "inform"},
    {"order", "pay"},
    {"change", "add", "book"},
    {"remind", "add", "book"},
)
_SPECIFIC = {"book", "hold", "cancel", "order", "send", "remind", "pay"}
# What is done to a thing of that name, where a tool's name has no verb that tells.
_NAMED = {"appointment": "book", "booking": "book", "reservation": "hold", "reminder": "remind", "refund": "pay"}


# What the platform's own tools do, where their names tell it in no word of that kind.
_OURS = {"capture_contact": {"add", "hold", "book"}, "forget_contact": {"delete", "cancel"}}


def claimed_actions(reading: Reading) -> Iterator[Finding]:
    """Sentences that claim what no call of this turn did."""
    acts = [fact for fact in reading.ledger.results if fact.acted]
    for sentence in reading.sentences:
        for concept, stated in claims(reading, sentence):
            if _excused(reading, acts, concept, stated):
                continue
            yield finding("claimed_action", sentence.text)
            break


def claims(reading: Reading, sentence: Sentence) -> Iterator[tuple[str, bool]]:
    """(concept, whether it is told as a state of things) of each claim in the sentence; the concept may be empty."""
    for number, clause in enumerate(sentence.clauses):
        yield from _in_clause(reading, clause)
        if not number and not clause.question:
            yield from (("", False) for own in reading.wordings if _is_bare(own, clause.text))


def _in_clause(reading: Reading, clause: Clause) -> Iterator[tuple[str, bool]]:
    # Where something was to be done, whatever is told as done is meant as the answer to that.
    keys = ("claims", "states", "passives") if reading.due == "action" else ("claims", "states")
    for key in keys:
        for own, hit in reading.hits(key, clause.text):
            if not qualified(own, clause, hit):
                yield hit.concept, key != "claims"


def _is_bare(own: Wording, clause: str) -> bool:
    """A word such as "Done!" that is a claim because nothing else is said."""
    bare = clause.strip("!.… \"'✅👍🎉✔☑")
    return any(hit.start == 0 and hit.end == len(bare) for hit in own.hits("bare", bare))


def _excused(reading: Reading, acts: list[Fact], concept: str, stated: bool) -> bool:
    if acts:
        return not _another(acts, concept, reading)
    if (stated or reading.due != "action") and _is_looked_up(reading, concept):
        return True
    return reading.due != "action" and bool(concept) and _was_said(reading, concept)


def _another(acts: list[Fact], concept: str, reading: Reading) -> bool:
    """Whether what is claimed is plainly not what was done."""
    done = {one for fact in acts for one in _concepts_of(fact)}
    if concept not in _SPECIFIC or not done:
        return False
    return not (_related(concept) & done) and not any(_tells(reading, fact, concept) for fact in acts)


def done_otherwise(action: str, ledger: Ledger) -> bool:
    """Whether an action, named in English, is plainly none of those that calls of this turn did."""
    acts = [fact for fact in ledger.results if fact.acted]
    named = wording("en").concepts("do", fold(action)) | wording("en").concepts("done", fold(action))
    done = {one for fact in acts for one in _concepts_of(fact)}
    return bool(done) and bool(named & _SPECIFIC) and not any(_related(one) & done for one in named)


def _related(concept: str) -> set[str]:
    return {concept} | {one for family in _FAMILIES if concept in family for one in family}


def _concepts_of(fact: Fact) -> set[str]:
    """What a tool does by its name and title, as far as English words tell."""
    if fact.tool in _OURS:
        return _OURS[fact.tool]
    words = re.sub(r"[_-]+", " ", fold(f"{_spaced(fact.tool)}. {fact.title}"))
    named = {concept for noun, concept in _NAMED.items() if noun in words}
    return (wording("en").concepts("do", words) - {"seek"}) or named


def _spaced(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)


def _is_looked_up(reading: Reading, concept: str) -> bool:
    """Whether a result of another kind tells that state: the status of an order, say. What a document says tells of
    nothing that was done."""
    results = (fact for fact in reading.ledger.results if fact.tool != edit_document.TOOL.name)
    looked = [fact for fact in results if fact.came_back and fact.kind != "action"]
    if concept in ("", "confirm") and any(_STATUS.search(fact.text) for fact in looked):
        return True
    return any(_tells(reading, fact, one) for fact in looked for one in _related(concept))


def _tells(reading: Reading, fact: Fact, concept: str) -> bool:
    text = re.sub(r"[_-]+", " ", fold(fact.text))
    return any(concept in one.concepts("done", text) for one in {*reading.wordings, wording("en")})


def _was_said(reading: Reading, concept: str) -> bool:
    """Whether an earlier reply claims the same: it was checked when it was sent."""
    earlier = Reading(reading.ledger.said, "answer", reading.ledger, "")
    return any(found == concept for sentence in earlier.sentences for found, _ in claims(earlier, sentence))
