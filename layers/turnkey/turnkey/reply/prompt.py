"""The reply's own request, rebuilt clean: instructions, short summary, facts found, question – in the pinned language.

Nothing that piled up in the loop goes into it: no calls, no drafts, no tool definitions.
"""

from turnkey.models.chat import ChatRequest, Message
from turnkey.reply import language
from turnkey.tenancy.settings import Agent
from turnkey.turn.journal import OUTCOME_UNKNOWN, Journal, ToolResult, results
from turnkey.turn.record import TurnRecord

RULES = (
    "Answer the customer's question in one or two short sentences, using only the facts given. "
    "If they do not answer it, say so."
)
PARTIAL = "Some facts are only partly shown: say that there is more, and do not invent it."
UNFINISHED = "Not everything could be done in time. Say honestly what is still open."
SUMMARY_CHARACTERS = 600


def reply_request(record: TurnRecord, agent: Agent, journal: Journal, unfinished: str) -> ChatRequest:
    """The request. `unfinished` is why the loop stopped early, or nothing."""
    found = results(journal)
    rules = [
        agent.instructions,
        RULES,
        language.instruction(record.language),
        *([PARTIAL] if any(result.partial for result in found) else []),
        *([UNFINISHED] if unfinished else []),
    ]
    system: Message = {"role": "system", "content": "\n".join(rules)}
    return ChatRequest(messages=(system, {"role": "user", "content": _content(record, found)}))


def _content(record: TurnRecord, found: list[ToolResult]) -> str:
    parts = [
        # A question that gave a directive by itself needs no past; a small model would answer the past instead.
        *([f"Before: {_summary(record)}"] if record.history and not record.directive else []),
        f"Question: {record.question}",
        "Facts found:\n" + ("\n".join(_fact(result) for result in found) or "none"),
    ]
    return "\n\n".join(parts)


def _fact(result: ToolResult) -> str:
    if result.status == "started":
        return OUTCOME_UNKNOWN
    return f"FAILED: {result.text}" if result.status == "error" else result.text


def _summary(record: TurnRecord) -> str:
    """The last exchange in short: enough to know what "that" is."""
    last = record.history[-1]
    return f"the customer asked “{last.question[:SUMMARY_CHARACTERS]}” and was told “{last.reply[:SUMMARY_CHARACTERS]}”"
