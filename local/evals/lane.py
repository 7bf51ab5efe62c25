"""One lane of an evaluation: a demo tenant of its own on the stack, on which cases run one after the other."""

import time
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.request import Request, urlopen

import anyio
from boto3.dynamodb.types import TypeSerializer

from local import trace
from local.demo_tenant import DemoTenant
from local.evals.case import TODAY, Case, HandedCall, Message
from local.stack import Stack
from local.target import Target
from turnkey import ids
from turnkey.channels import InboundMessage
from turnkey.deliverables.handed import Handed
from turnkey.mcp.catalogue import toolset
from turnkey.mcp.registration import Registration
from turnkey.mcp.results import to_text
from turnkey.reply.language import Pinned, pin
from turnkey.store.conversations import turn_key
from turnkey.turn import handing
from turnkey.turn.bookkeeping import to_go_back_to
from turnkey.turn.journal import ModelAnswer, ToolCall, ToolResult
from turnkey.turn.record import Exchange, ReplyRecord, TurnRecord

TURN_SECONDS = 300.0
_serialise: Any = TypeSerializer().serialize


@dataclass(frozen=True)
class Run:
    """A case as it went. `seconds` from the message to the end of its turn."""

    case: Case
    trace: trace.Trace
    seconds: float
    before: Handed | None = None
    """What the turn before had handed over."""


class Lane:
    """A context manager: the tenant's server and its receiver of replies end with it."""

    def __init__(self, name: str, number: int, stack: Stack, clock_offset: float, **agent: Any) -> None:
        self._name = name
        self._stack = stack
        self._agent = agent
        self._offset = timedelta(seconds=clock_offset)
        arguments = ("--today", TODAY.isoformat()) if name == "clinic" else ()
        self._tenant = DemoTenant(
            name,
            stack.api_url,
            tenant=f"{name}{number}",
            server_arguments=arguments,
            clock_offset=clock_offset,
        )
        self._exits = ExitStack()

    def __enter__(self) -> "Lane":
        self._exits.enter_context(self._tenant)
        target = Target(self._stack.client("lambda"), self._stack.function_name("Provision"), "on this machine")
        self._tenant.onboard(target, **self._agent)
        self._tools = toolset((self._registration(),))
        return self

    def __exit__(self, *_: object) -> None:
        self._exits.close()

    def run(self, case: Case) -> Run:
        """The case, from a fresh server and a conversation of its own."""
        self._reset()
        key = ids.conversation_key(self._tenant.tenant, "web", case.id)
        before = self._prepare(case, key)
        started = time.monotonic()
        self._tenant.say(case.conversation[-1].text, case.id)
        found = self._ended(key, 2 if len(case.conversation) > 1 else 1)
        return Run(case, found, time.monotonic() - started, before)

    def _reset(self) -> None:
        url = self._tenant.mcp_url.removesuffix("/mcp") + "/reset"
        with urlopen(Request(url, b""), timeout=10):
            pass

    def _prepare(self, case: Case, key: str) -> Handed | None:
        """Writes the conversation so far as one turn that has ended; returns what that turn handed over."""
        past = case.conversation[:-1]
        pairs = list(zip(past[::2], past[1::2], strict=True))
        if not pairs:
            return None
        exchanges: list[Exchange] = []
        pinned = Pinned()
        for question, reply in pairs:
            pinned = pin([question.text], pinned)
            handed = self._handed(question, reply.handed) if reply.handed else None
            exchanges.append(
                Exchange(question=question.text, reply=reply.text, handed=handed, language=pinned.language)
            )
        self._write_turn(key, exchanges)
        return exchanges[-1].handed

    def _handed(self, question: Message, call: HandedCall) -> Handed | None:
        """Really makes the call, and gives what it hands over."""
        tool = self._tools.get(call.tool)
        if tool is None:
            raise ValueError(f"the server has no tool {call.tool!r}")
        text = anyio.run(self._call, tool.original_name, call.arguments)
        made = ToolCall(id="call_0_0", name=tool.name, arguments=call.arguments)
        cards = handing.deliverable(tool, text, None)
        result = ToolResult(call=made, tool_kind=tool.kind, status="ok", text=text, deliverable=cards)
        answer = ModelAnswer(text="", calls=(made,))
        return to_go_back_to((answer, result), (cards,) if cards else ())

    async def _call(self, name: str, arguments: dict[str, Any]) -> str:
        from mcp import Client

        async with Client(self._tenant.mcp_url) as client:
            result = await client.call_tool(name, arguments)
        plain = [part.model_dump(mode="json", by_alias=True) for part in result.content]
        return to_text(plain, result.structured_content)

    def _write_turn(self, key: str, exchanges: list[Exchange]) -> None:
        last = exchanges[-1]
        now = datetime.now(UTC) + self._offset
        message = InboundMessage(id="before", conversation="before", text=last.question, sent_at=now)
        record = TurnRecord(
            turn=1,
            agent=self._agent_name,
            messages=(message,),
            history=tuple(exchanges[:-1]),
            language=last.language,
            opened_at=now,
            deadline=now,
        )
        reply = ReplyRecord(text=last.reply, handed=last.handed)
        turn = {"json": record.model_dump_json(), "reply": reply.model_dump_json(), "ended": "delivered"}
        self._put({"pk": key, "sk": turn_key(1), **turn})
        self._put({"pk": key, "sk": "STATE", "turn_seq": 1, "pending": []})

    def _put(self, row: dict[str, Any]) -> None:
        item = {name: _serialise(value) for name, value in row.items()}
        self._stack.client("dynamodb").put_item(TableName=self._table, Item=item)

    def _ended(self, key: str, turn: int) -> trace.Trace:
        deadline = time.monotonic() + TURN_SECONDS
        while time.monotonic() < deadline:
            found = trace.find(self._stack.client("dynamodb"), self._table, key, turn)
            if found and found.ended:
                return found
            time.sleep(0.05)
        raise TimeoutError(f"the turn of {key} did not end within {TURN_SECONDS:g} s")

    @property
    def _table(self) -> str:
        return self._stack.deployment.outputs["ConversationsTableName"]

    @property
    def _agent_name(self) -> str:
        return "clerk" if self._name == "bookshop" else "receptionist"

    def _registration(self) -> Registration:
        """As provisioning wrote it."""
        table = self._stack.deployment.outputs["TenantsTableName"]
        [found] = trace.registrations(self._stack.client("dynamodb"), table, self._tenant.tenant)
        return found
