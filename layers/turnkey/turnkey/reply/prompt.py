"""The reply's own request, rebuilt clean: instructions, short summary, facts found, question – in the pinned language.

Nothing that piled up in the loop goes into it: no calls, no drafts, no tool definitions.
"""

from turnkey.deliverables import Cards, Chart, Deliverable, Document, Sources
from turnkey.models.chat import ChatRequest, Message
from turnkey.reply import language, public_facts
from turnkey.reply.finding import Finding
from turnkey.reply.ledger import Ledger
from turnkey.reply.reask import again
from turnkey.tenancy.settings import Agent
from turnkey.turn.journal import OUTCOME_UNKNOWN, Journal, ToolResult, findings
from turnkey.turn.record import TurnRecord
from turnkey.turn.strangers import is_public

RULES = (
    "Answer the customer's question in one or two short sentences, using only the facts given. "
    "If they do not answer it, say so."
)
PARTIAL = "Some facts are only partly shown: say that there is more, and do not invent it."
HANDED = "The customer sees the cards or the chart beside your reply: introduce them, do not list them again."
UNFINISHED = "Not everything could be done in time. Say honestly what is still open."
SUMMARY_CHARACTERS = 600
TITLES = 5


def reply_request(
    record: TurnRecord,
    agent: Agent,
    journal: Journal,
    ledger: Ledger,
    unfinished: str,
    wrong: tuple[Finding, ...] = (),
) -> ChatRequest:
    """The request. `unfinished` is why the loop stopped early, or nothing; `wrong` what was wrong with the answer
    before."""
    found = findings(journal)
    rules = [
        agent.instructions,
        RULES,
        *([HANDED] if ledger.handed else []),
        *([public_facts.RULE] if any(map(is_public, found)) else []),
        language.instruction(record.language),
        *([PARTIAL] if any(result.partial for result in found) else []),
        *([UNFINISHED] if unfinished else []),
    ]
    system: Message = {"role": "system", "content": "\n".join(rules)}
    content = _content(record, found, ledger)
    if wrong:
        content += f"\n\n{again(wrong, 'answer', '', language.instruction(record.language))}"
    return ChatRequest(messages=(system, {"role": "user", "content": content}))


def _content(record: TurnRecord, found: list[ToolResult], ledger: Ledger) -> str:
    handed = [_seen(one) for one in ledger.handed]
    facts = [_fact(result) for result in found if not (handed and result.deliverable) and not is_public(result)]
    public = public_facts.block(found)
    parts = [
        # A question that gave a plan by itself needs no past, unless it is a mere yes; a small model would answer the
        # past instead.
        *([f"Before: {_summary(record)}"] if record.history and (record.agreed or not record.plan) else []),
        f"Question: {record.question}",
        *(["The customer now sees:\n" + "\n".join(handed)] if handed else []),
        *public_facts.own_answers(record.kept),
        *(["Facts found:\n" + ("\n".join(facts) or "none")] if facts or not (handed or public) else []),
        *public,
    ]
    return "\n\n".join(parts)


def _seen(one: Deliverable) -> str:
    """Counts and a few lines: nothing to copy."""
    match one:
        case Chart():
            return f"a chart: {one.title}. {one.alt}"
        case Document():
            return f"the document “{one.title}”, version {one.version}, with a link to download it"
        case Sources():
            return f"links to the public pages: {'; '.join(source.title or source.site for source in one.sources)}"
        case Cards():
            titles = "; ".join(card.title for card in one.cards[:TITLES])
            return f"{len(one.cards)} of {one.total} items as cards: {titles}"


def _fact(result: ToolResult) -> str:
    if result.status == "started":
        return OUTCOME_UNKNOWN
    return f"FAILED: {result.text}" if result.status == "error" else result.text


def _summary(record: TurnRecord) -> str:
    """The last exchange in short: enough to know what "that" is."""
    last = record.history[-1]
    return f"the customer asked “{last.question[:SUMMARY_CHARACTERS]}” and was told “{last.reply[:SUMMARY_CHARACTERS]}”"
