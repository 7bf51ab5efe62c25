"""What the model is sent in the loop: instructions, conversation, question, and the journal so far.

Two forms, by how the endpoint is shown tools: `native` (the tools field) and `text` (tools and calls written out, for
models whose chat template drops that field).
"""

import json
from collections.abc import Iterable
from itertools import zip_longest

from turnkey.loop import worked_calls
from turnkey.mcp import schemas
from turnkey.models.chat import ChatRequest, Message
from turnkey.reply import public_facts
from turnkey.tenancy.settings import Agent, CallFormat
from turnkey.tools import JsonObject, Tool, Toolset
from turnkey.turn.journal import Again, Joined, Journal, ModelAnswer, Step, ToolResult, directive_now
from turnkey.turn.record import TurnRecord

RULES = (
    "Use the tools to look things up and to act; never claim what no tool has returned. "
    "If a result is marked PARTIAL, do not invent the rest."
)
TEXT_RULES = (
    "To use a tool, answer with its call and nothing else:\n"
    '<tool_call>\n{"name": "the tool\'s name", "arguments": {}}\n</tool_call>\n'
    "Tools:\n"
)


def loop_request(
    record: TurnRecord, agent: Agent, tools: Toolset, journal: Journal, call_format: CallFormat
) -> ChatRequest:
    """The next request. With a directive, a text endpoint's request is clean: the directive and worked calls."""
    if call_format == "native":
        return ChatRequest(
            messages=(
                _system(f"{_told(agent, record)}\n\n{RULES}" if len(tools) else _told(agent, record)),
                *_conversation(record),
                *_native(journal),
            ),
            tools=tuple(tool.as_function() for tool in tools),
        )
    directive = directive_now(record.plan, journal)
    tool = tools.get(directive.tool) if directive else None
    # Asked once more, it is told what it left out, in the conversation's own form.
    if directive and tool and directive.complete and not (journal and isinstance(journal[-1], Again)):
        return ChatRequest(messages=worked_calls.request(tool, directive), max_tokens=400)
    system = _system(_text_system(_told(agent, record), tools))
    return ChatRequest(messages=(system, *_conversation(record), *_text(journal)))


def _system(content: str) -> Message:
    return {"role": "system", "content": content}


def _told(agent: Agent, record: TurnRecord) -> str:
    """The instructions, with what the tenant has itself answered to such a question."""
    return "\n\n".join((agent.instructions, *public_facts.own_answers(record.kept)))


def _text_system(instructions: str, tools: Toolset) -> str:
    if not len(tools):
        return instructions
    return f"{instructions}\n\n{RULES}\n{TEXT_RULES}{_definitions(tools)}"


def _definitions(tools: Iterable[Tool]) -> str:
    """A line each, such as: search_books(query: string, limit?: integer) - Finds books.

    A third of the schemas' length: small models read slowly.
    """
    return "\n".join(f"{tool.name}({_signature(tool)}) - {tool.told}" for tool in tools)


def _signature(tool: Tool) -> str:
    needed = schemas.required(tool.parameters)
    return ", ".join(
        f"{name}{'' if name in needed else '?'}: {_kind(schema)}"
        for name, schema in schemas.properties(tool.parameters).items()
    )


def _kind(schema: JsonObject) -> str:
    if schema.get("enum"):
        return "|".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    kinds = schema.get("type", "any")
    return kinds if isinstance(kinds, str) else "|".join(str(kind) for kind in kinds if kind != "null")


def _conversation(record: TurnRecord) -> list[Message]:
    messages: list[Message] = []
    for exchange in record.history:
        messages += [{"role": "user", "content": exchange.question}, {"role": "assistant", "content": exchange.told}]
    question = f"{record.question}\n\n{record.plan.directive.sentence}" if record.plan else record.question
    return [*messages, {"role": "user", "content": question}]


def _native(journal: Journal) -> list[Message]:
    messages: list[Message] = []
    for step in _spoken(journal):
        match step:
            case ModelAnswer():
                messages.append(_native_answer(step))
            case ToolResult():
                messages.append({"role": "tool", "tool_call_id": step.call.id, "content": step.text})
            case Joined() | Again():
                messages.append({"role": "user", "content": step.text})
        if isinstance(step, ToolResult) and step.followed_by:
            messages.append({"role": "user", "content": step.followed_by.sentence})
    return messages


def _spoken(journal: Journal) -> list[Step]:
    """Without answers that the customer never saw: one that was ready when another message joined is written anew,
    to answer them all."""
    return [
        step
        for step, following in zip_longest(journal, journal[1:])
        if not (isinstance(step, ModelAnswer) and isinstance(following, Joined))
    ]


def _native_answer(answer: ModelAnswer) -> Message:
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)},
        }
        for call in answer.calls
    ]
    return {"role": "assistant", "content": answer.text or None, **({"tool_calls": calls} if calls else {})}


def _text(journal: Journal) -> list[Message]:
    messages: list[Message] = []
    for step in _spoken(journal):
        if isinstance(step, ToolResult):
            messages.append({"role": "user", "content": f"<tool_response>\n{step.text}\n</tool_response>"})
        elif isinstance(step, (Joined, Again)):
            messages.append({"role": "user", "content": step.text})
        else:
            calls = [worked_calls.written(call.name, call.arguments) for call in step.calls]
            messages.append({"role": "assistant", "content": "\n".join([step.text, *calls]).strip()})
    return messages
