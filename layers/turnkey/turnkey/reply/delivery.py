"""The delivery check: what was due must really have come back, and the reply may say no more than that.

Pure rules over the text and the turn's ledger, in twelve languages. They look for eight kinds of fault; each is decided
by what the ledger holds, never by how the text looks alone. A good reply to an ordinary question yields nothing.
"""

from collections.abc import Callable, Iterator

from turnkey.reading.facts import Kind
from turnkey.reply.checks.actions import claimed_actions
from turnkey.reply.checks.blocks import empty_blocks
from turnkey.reply.checks.grounding import ungrounded
from turnkey.reply.checks.honesty import is_honest
from turnkey.reply.checks.inputs import tool_inputs
from turnkey.reply.checks.lists import typed_lists
from turnkey.reply.checks.promises import promises
from turnkey.reply.checks.reading import Reading
from turnkey.reply.checks.references import unmade_references
from turnkey.reply.finding import Finding, FindingKind, finding
from turnkey.reply.ledger import Ledger

__all__ = ["Finding", "FindingKind", "check", "is_honest_exit"]

_MOST_OF_A_KIND = 3


def check(text: str, due: Kind, ledger: Ledger, language: str) -> tuple[Finding, ...]:
    """What is wrong with `text` as the reply of a turn in which `due` was asked for; empty when it may be sent.

    `language` is a BCP 47 code; the reply is also read in the language it seems to be written in. Outside the twelve,
    only what needs no words is found. Raises nothing; linear in the text.
    """
    reading = Reading(text, due, ledger, language)
    rules: tuple[Callable[[Reading], Iterator[Finding]], ...] = (
        _missing,
        typed_lists,
        empty_blocks,
        unmade_references,
        tool_inputs,
        promises,
        claimed_actions,
        ungrounded,
    )
    return tuple(found for rule in rules for found in _few(rule(reading)))


def is_honest_exit(text: str, language: str) -> bool:
    """Whether the text says that there is none, that it could not be done, or asks for what is needed first."""
    return is_honest(Reading(text, "answer", Ledger(), language))


def _few(found: Iterator[Finding]) -> list[Finding]:
    return list(dict.fromkeys(found))[:_MOST_OF_A_KIND]


def _missing(reading: Reading) -> Iterator[Finding]:
    """What was due did not come back, and the reply does not say so."""
    if not _has_come(reading) and not is_honest(reading):
        yield finding("missing", f"{reading.due} was due, and nothing of that kind came back in this turn")


def _has_come(reading: Reading) -> bool:
    ledger = reading.ledger
    came = {
        "items": ledger.has_cards,
        "chart": ledger.has_chart,
        "action": ledger.has_acted,
        "lookup": ledger.has_looked,
    }
    return reading.due not in came or came[reading.due]()
