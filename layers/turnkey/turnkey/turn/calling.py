"""Making the calls of one model answer: reading ones at the same time, acting ones in order, each journalled."""

import time
from datetime import UTC, datetime
from functools import partial
from itertools import takewhile
from typing import Any, Protocol, TypeGuard

import anyio

from turnkey.deliverables import Cards
from turnkey.reading.plan import Drawn
from turnkey.store.results import ResultStore
from turnkey.store.tallies import TallyStore
from turnkey.store.turns import TurnStore
from turnkey.telemetry import logger
from turnkey.tools import CallOutcome, JsonObject, Tool
from turnkey.tools.builtins import find_tools, invoke_skill, read_more, show_items
from turnkey.turn import confirming, handing, journal, offering, paging, strangers
from turnkey.turn.ending import Ending
from turnkey.turn.journal import Journal, Step, ToolCall, ToolResult
from turnkey.turn.run import Run
from turnkey.turn.skill_calls import SkillCalls

INSTRUCTIONS_TOKENS = 10_000
"""For a skill's instructions: as long as a manifest lets them be, with what is told around them."""


class Caller(Protocol):
    """The way to the tenant's servers."""

    async def ready(self) -> None:
        """Opens what calls need, before the first of a group: connections belong to the task that opened them."""
        ...

    @property
    def seconds(self) -> float:
        """The longest that one call may take."""
        ...

    async def call(self, tool: Tool, arguments: JsonObject) -> CallOutcome:
        """Every failure is an outcome, none is raised."""
        ...


class Calling:
    def __init__(
        self,
        run: Run,
        turns: TurnStore,
        kept: ResultStore,
        tallies: TallyStore,
        caller: Caller,
        skills: SkillCalls,
    ) -> None:
        self._run = run
        self._reference = run.reference
        self._record = run.record
        self._plan = run.record.plan
        self._tools = run.known
        self._limits = run.agent.limits
        self._turns = turns
        self._kept = kept
        self._tallies = tallies
        self._caller = caller
        self._skills = skills
        self._steps: Journal = ()
        self._sources: dict[str, str] = {}
        """Which tool each handle came from."""
        self._ending = Ending(run.reference, turns, kept, run.agent.limits)
        self._agreed: frozenset[str] = frozenset()
        """Ids of the calls that the customer agreed to."""
        self._offered: tuple[str, ...] = ()
        """Names of the tools that the model was shown when it made these calls."""

    @property
    def seconds(self) -> float:
        """The longest that one run may take."""
        return self._caller.seconds

    async def run(self, calls: tuple[ToolCall, ...], steps: list[Step]) -> None:
        """Makes the first of the calls, as many as may run together; their starts and ends go into the journal and
        into `steps`. It takes no longer than one call: whoever has time left comes again for the others."""
        await self._caller.ready()
        self._steps = steps
        self._sources = {result.handle: result.call.name for result in journal.results(steps)}
        self._agreed = confirming.agreed_calls(self._record, steps)
        self._offered = offering.offered(self._run, steps).names
        begun = [(call, self._start(call, steps)) for call in self._together(calls)]
        async with anyio.create_task_group() as tasks:
            for call, resumed in begun:
                tasks.start_soon(self._make, call, resumed, steps)

    def _start(self, call: ToolCall, steps: list[Step]) -> bool:
        """Writes down that the call begins; True where an earlier run had done so and died before its end."""
        if journal.was_started(steps, call):
            return True
        tool = self._tools.get(call.name)
        handle = f"r{len(journal.results(steps)) + 1}"
        started = ToolResult(call=call, handle=handle, tool_kind=tool.kind if tool else "lookup")
        self._turns.start_call(self._reference, started, datetime.now(UTC))
        steps.append(started)
        return False

    async def _make(self, call: ToolCall, resumed: bool, steps: list[Step]) -> None:
        begun = time.monotonic()
        outcome = await self._outcome(call, resumed)
        milliseconds = int((time.monotonic() - begun) * 1000)
        for place, step in enumerate(steps):
            if _is_start_of(step, call):
                steps[place] = self._end(step, outcome, steps, milliseconds)

    def _end(self, started: ToolResult, outcome: CallOutcome, steps: list[Step], milliseconds: int) -> ToolResult:
        tool = self._tools.get(started.call.name)
        is_list = tool is not None and tool.kind == "items" and bool(tool.server)
        meaning = self._meaning(tool, started, outcome, outcome.handle or started.handle) if tool else {}
        return self._ending.end(
            started,
            outcome,
            steps,
            milliseconds,
            is_list=is_list,
            # What show_items and draw_chart are given.
            named=is_list and not self._plan,
            items=handing.count(tool, outcome.text) if tool and is_list else 0,
            room=INSTRUCTIONS_TOKENS if meaning.get("skill") else 0,
            meaning=meaning,
            also=self._cut,
        )

    def _meaning(self, tool: Tool, started: ToolResult, outcome: CallOutcome, handle: str) -> dict[str, Any]:
        """What the result is good for: cards, and the plan's next step; or to be asked about."""
        if outcome.status == "unconfirmed":
            return {"unconfirmed": confirming.kept(tool, started.call, datetime.now(UTC))}
        if outcome.status != "ok":
            return {}
        if tool.name == show_items.TOOL.name and not tool.server:
            return {"deliverable": self._cards(started.call.arguments)}
        if tool.name == find_tools.TOOL.name and not tool.server:
            return {"found": offering.look_for(self._run, started.call.arguments, self._offered)}
        if tool.name == read_more.TOOL.name and not tool.server:
            return {"deliverable": strangers.sources(str(started.call.arguments["handle"]), self._steps)}
        if tool.name == invoke_skill.TOOL.name and not tool.server:
            return self._skills.meaning(started.call.arguments, self._steps)
        return {
            "deliverable": handing.deliverable(tool, outcome.text, self._plan),
            "followed_by": handing.following(self._plan, tool, outcome.text, handle, self._tools),
        }

    def _cards(self, arguments: JsonObject) -> Cards | None:
        """Cards of a stored result, by the mapping of the tool that it came from."""
        handle = str(arguments["handle"])
        text = self._kept.find(self._reference, handle)
        tool = self._tools.get(self._sources.get(handle, ""))
        return handing.shown(text, tool, show_items.limit(arguments)) if text and tool else None

    def _show(self, arguments: JsonObject) -> CallOutcome:
        cards = self._cards(arguments)
        if cards is None:
            return CallOutcome(status="error", text=show_items.no_list(str(arguments["handle"])))
        titles = (card.title for card in cards.cards)
        return CallOutcome(status="ok", text=show_items.told(len(cards.cards), cards.total, titles))

    def _cut(self, ended: ToolResult) -> list[dict[str, Any]]:
        """Logs a cut, and gives the write that counts it for the tenant's tool."""
        tool = self._tools.get(ended.call.name)
        if not ended.partial or tool is None or not tool.server:
            return []
        full, shown = ended.characters, len(ended.text)
        logger.warning("result cut", tool=tool.name, full=full, shown=shown)
        tenant, now = self._reference.tenant, datetime.now(UTC)
        return [self._tallies.add_write(tenant, tool.server, tool.original_name, full, shown, now)]

    async def _outcome(self, call: ToolCall, resumed: bool) -> CallOutcome:
        tool = self._tools.get(call.name)
        if call.problem or tool is None:
            return CallOutcome(status="error", text=call.problem)
        if waits := confirming.outcome(strangers.guarded(tool, call, self._record, self._steps), call, self._agreed):
            return waits
        if resumed and not tool.hints.safe_to_repeat:
            return CallOutcome(status="unknown", text=journal.OUTCOME_UNKNOWN)
        if tool.name == read_more.TOOL.name and not tool.server:
            return read_more.run(call.arguments, lambda handle: self._kept.find(self._reference, handle))
        if tool.name == show_items.TOOL.name and not tool.server:
            return self._show(call.arguments)
        if tool.name == find_tools.TOOL.name and not tool.server:
            found = offering.look_for(self._run, call.arguments, self._offered)
            return find_tools.told(call.arguments, found, self._tools)
        if tool.name == invoke_skill.TOOL.name and not tool.server:
            return self._skills.outcome(call.arguments, self._steps)
        outcome = await self._caller.call(tool, call.arguments)
        if self._is_charted(tool):
            outcome = await paging.whole(outcome, tool, call.arguments, partial(self._caller.call, tool))
        if outcome.status == "unknown":
            return outcome.model_copy(update={"text": f"{outcome.text} {journal.OUTCOME_UNKNOWN}"})
        return outcome

    def _is_charted(self, tool: Tool) -> bool:
        """Whether the result is to be drawn: then it is wanted whole."""
        plan = self._plan
        if plan is None or tool.confirm or not isinstance(plan.following, Drawn):
            return False
        return tool.name == plan.directive.tool

    def _together(self, calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
        """From the front: one that acts runs alone, in its place; neighbours that only read run at the same time, as
        many as one server may be asked at once, so that none of them waits for another."""
        reading = tuple(takewhile(self._only_reads, calls))
        return reading[: self._limits.parallel] or calls[:1]

    def _only_reads(self, call: ToolCall) -> bool:
        tool = self._tools.get(call.name)
        return tool is None or tool.hints.read_only


def _is_start_of(step: Step, call: ToolCall) -> TypeGuard[ToolResult]:
    return isinstance(step, ToolResult) and step.call.id == call.id
