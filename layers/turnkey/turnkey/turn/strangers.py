"""What a turn may still do once the model has read strangers' words: nothing that acts without the customer's word.

Public pages are written by anybody, and a model may take a sentence of theirs for an order. So, decided from record and
journal alone: a tool of the tenant that acts is not shown any more in a turn that has read public text, unless the
customer's own messages ask for something to be done; and then, as in the turns whose history still has what came of it,
each call of such a tool is put to the customer first, with its values, and made only once they agree to it.
"""

from turnkey.deliverables import Sources
from turnkey.tools import Tool, Toolset
from turnkey.turn import journal
from turnkey.turn.journal import Journal, ModelAnswer, ToolCall, ToolResult
from turnkey.turn.record import TurnRecord


def is_public(result: ToolResult) -> bool:
    """Whether the result is strangers' text: what a search, a page, or the rest of one brought."""
    return isinstance(result.deliverable, Sources) and result.status == "ok"


def sources(handle: str, steps: Journal) -> Sources | None:
    """The pages that the result under this handle comes from, where it is strangers' text."""
    found = (result for result in journal.results(steps) if result.handle == handle and is_public(result))
    return next((result.deliverable for result in found if isinstance(result.deliverable, Sources)), None)


def were_read(steps: Journal) -> bool:
    return any(is_public(result) for result in journal.results(steps))


def are_remembered(record: TurnRecord) -> bool:
    """Whether an earlier reply, which the model is shown, was written from public pages."""
    return any(exchange.public for exchange in record.history)


def shielded(tools: Toolset, record: TurnRecord, steps: Journal) -> Toolset:
    """The tools as they may be shown now."""
    now, before = were_read(steps), are_remembered(record)
    if not (now or before) or not any(map(_acts, tools)):
        return tools
    if now and not _is_asked_for(record, steps, tools):
        return Toolset(tool for tool in tools if not _acts(tool))
    return Toolset(asked_first(tool) if _acts(tool) else tool for tool in tools)


def guarded(tool: Tool, call: ToolCall, record: TurnRecord, steps: Journal) -> Tool:
    """The tool as this call has to go by: one that acts waits for the customer where the model had read strangers'
    words when it wrote the call."""
    if not _acts(tool) or not (are_remembered(record) or _were_read_before(call, steps)):
        return tool
    return asked_first(tool)


def asked_first(tool: Tool) -> Tool:
    return tool if tool.confirm else tool.model_copy(update={"confirm": True})


def _acts(tool: Tool) -> bool:
    return bool(tool.server) and tool.kind == "action" and not tool.hints.read_only


def _were_read_before(call: ToolCall, steps: Journal) -> bool:
    for step in steps:
        if isinstance(step, ModelAnswer) and any(one.id == call.id for one in step.calls):
            return False
        if isinstance(step, ToolResult) and is_public(step):
            return True
    return False


def _is_asked_for(record: TurnRecord, steps: Journal, tools: Toolset) -> bool:
    """Whether the customer's own words look as if something were to be done."""
    # A cold start should not pay for it where nothing public is read.
    from turnkey.reading.gate import suspect

    own = [message.text for message in record.messages if message.origin == "customer"]
    own += [message.text for step in journal.joined(steps) for message in step.messages]
    found = suspect("\n".join(own), tools, handed_over=False)
    return found is not None and "action" in found.kinds
