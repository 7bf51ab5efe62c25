"""Whether an answer may stand: what the delivery check finds, less what an honest way out excuses."""

from turnkey.reading.facts import Kind
from turnkey.reply import language as languages
from turnkey.reply.delivery import check, is_honest_exit
from turnkey.reply.finding import Finding, finding
from turnkey.reply.ledger import Ledger
from turnkey.reply.telling import untold

_ASKS = ("?", "？", "؟")


def wrong_with(
    text: str, due: Kind, ledger: Ledger, language: str, *, asked: str = "", open_question: bool = False
) -> tuple[Finding, ...]:
    """What keeps the text from being sent; empty where it may. That nothing was handed over is no fault of a text
    that says so, or that asks for what is still open (`open_question`). `asked` is the customer's question."""
    found = (*check(text, due, ledger, language), *untold(text, due, ledger, asked))
    if is_honest_exit(text, language) or (open_question and any(mark in text for mark in _ASKS)):
        found = tuple(one for one in found if one.kind != "missing")
    if due in ("items", "chart", "action") and is_delivered(due, ledger) and is_honest_exit(text, language):
        found = (*found, finding("untold", "it says that there is none, beside what was handed over"))
    if language and languages.differs(text, language):
        found = (*found, finding("language", text[:80]))
    return found


def is_delivered(due: Kind, ledger: Ledger) -> bool:
    """Whether what was due has come back in this turn."""
    match due:
        case "items":
            return ledger.has_cards()
        case "chart":
            return ledger.has_chart()
        case "action":
            return ledger.has_acted()
        case "lookup":
            return ledger.has_looked()
        case "answer":
            return True
