"""The turn's record of model answers, tool calls, messages that joined and second asks, each written before the next
step.

A crash anywhere resumes from it: no answer is sampled twice for the same step, no call is made twice unless repeating
it is safe. `progress.next_step` decides from the journal alone what comes next.
"""

import json
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from turnkey.channels.protocol import InboundMessage
from turnkey.contacts.note import Note
from turnkey.deliverables import Deliverable
from turnkey.reading.directive import Directive
from turnkey.reading.plan import Plan
from turnkey.tools import JsonObject, ToolKind
from turnkey.tools.builtins import find_tools, invoke_skill
from turnkey.turn.unconfirmed import Unconfirmed
from turnkey.values import Value


class ToolCall(Value):
    """A call as the model wrote it. `problem` says why it cannot be run; then it never is."""

    id: str = Field(description="ours: call_<answer's number>_<place in it>")
    name: str
    arguments: JsonObject = {}
    problem: str = ""

    @property
    def fingerprint(self) -> str:
        """Equal for calls of the same tool with the same arguments."""
        return json.dumps([self.name, self.arguments], sort_keys=True)


class ModelAnswer(Value):
    """Step: one answer of the model in the loop, or a call the platform makes in its place."""

    kind: Literal["answer"] = "answer"
    author: Literal["model", "platform"] = Field(default="model", description="platform: a call it made itself")
    text: str
    calls: tuple[ToolCall, ...] = ()
    finish_reason: str = ""
    prompt_characters: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    milliseconds: int = 0


class ToolResult(Value):
    """Step: a tool call, from its start (`status` started) to its end."""

    kind: Literal["result"] = "result"
    call: ToolCall
    tool_kind: ToolKind = "lookup"
    deliverable: Deliverable | None = Field(default=None, description="what the customer can be handed of it")
    followed_by: Directive | None = Field(default=None, description="the plan's next step, completed from this result")
    unconfirmed: Unconfirmed | None = Field(default=None, description="not made yet: what the customer is asked about")
    found: tuple[str, ...] = Field(default=(), description="tools that find_tools or a skill has brought up")
    skill: str = Field(default="", description="the skill that this call has loaded")
    handover: str = Field(default="", description="id of the hand-over to a person that this call has asked for")
    contact: Note | None = Field(default=None, description="what the customer is told of what was kept of them")
    asks: str = Field(default="", description="what the platform itself would ask the customer because of it")
    pending: Plan | None = Field(default=None, description="the call that their answer completes")
    status: Literal["started", "ok", "error", "unknown", "unconfirmed"] = "started"
    text: str = Field(
        default="", description="what the model sees: the whole result, or a view that says it is partial"
    )
    handle: str = Field(default="", description="under which a result that is not shown whole is kept, such as r1")
    characters: int = Field(default=0, description="size of the whole result")
    tokens: int = Field(default=0, description="estimated cost of the text")
    items: int = Field(default=0, description="items, rows or keys of the whole result, where it has such")
    items_shown: int = 0
    partial: bool = False
    milliseconds: int = 0


class Joined(Value):
    """Step: messages that the customer wrote while the turn ran, and that it answers as well."""

    kind: Literal["joined"] = "joined"
    messages: tuple[InboundMessage, ...]

    @property
    def text(self) -> str:
        return "\n".join(message.said for message in self.messages)


class Again(Value):
    """Step: the one more ask, after an answer that did not hand over what was due."""

    kind: Literal["again"] = "again"
    text: str = Field(description="what the model is told: the skipped step, and the honest way out")


Step = Annotated[ModelAnswer | ToolResult | Joined | Again, Field(discriminator="kind")]
STEP: TypeAdapter[Step] = TypeAdapter(Step)
Journal = Sequence[Step]
"""In order: an answer, its calls' results, messages that joined behind it, the next answer …"""


def answers(journal: Journal) -> list[ModelAnswer]:
    return [step for step in journal if isinstance(step, ModelAnswer)]


def results(journal: Journal) -> list[ToolResult]:
    return [step for step in journal if isinstance(step, ToolResult)]


def joined(journal: Journal) -> list[Joined]:
    return [step for step in journal if isinstance(step, Joined)]


def findings(journal: Journal) -> list[ToolResult]:
    """What may be told to the customer: which tools and instructions there are is none of their business."""
    return [result for result in results(journal) if not _is_inner(result.call)]


def _is_inner(call: ToolCall) -> bool:
    """Whether it only gets the model ready; a skill's file is read for what it says."""
    if call.name == invoke_skill.TOOL.name:
        return not call.arguments.get("file")
    return call.name == find_tools.TOOL.name


def found(journal: Journal) -> tuple[str, ...]:
    """Names of the tools that find_tools has brought up, the newest last."""
    newest_first = (name for result in reversed(results(journal)) for name in reversed(result.found))
    return tuple(reversed(dict.fromkeys(newest_first)))


def again(journal: Journal) -> list[Again]:
    return [step for step in journal if isinstance(step, Again)]


def directive_now(plan: Plan | None, journal: Journal) -> Directive | None:
    """The directive of the plan's step that is due; None without a plan, once it is over, or when messages joined that
    it was not made for."""
    if plan is None or joined(journal):
        return None
    ended = [result for result in results(journal) if result.status != "started" and not result.call.problem]
    return ended[-1].followed_by if ended else plan.directive


def unconfirmed(journal: Journal) -> tuple[Unconfirmed, ...]:
    """The calls of the newest answer that wait for the customer's word. What an older answer asked for was overtaken by
    a message that joined."""
    given = answers(journal)
    newest = {call.id for call in given[-1].calls} if given else set[str]()
    return tuple(step.unconfirmed for step in results(journal) if step.unconfirmed and step.call.id in newest)


def left_open(journal: Journal) -> ToolResult | None:
    """The last call, where it could not be made for want of something that the customer can say."""
    last = results(journal)[-1] if results(journal) else None
    return last if last and last.status == "error" and last.asks else None


def was_started(journal: Journal, call: ToolCall) -> bool:
    """Whether a crash may have come between this call's start and its end."""
    return any(result.call.id == call.id and result.status == "started" for result in results(journal))


OUTCOME_UNKNOWN = (
    "The outcome of this call is unknown: the connection broke after it was sent. It may have happened. "
    "Do not just repeat it: check first, or tell the customer that it could not be confirmed."
)
