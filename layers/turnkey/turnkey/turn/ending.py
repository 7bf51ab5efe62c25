"""The end of a call: its whole result is kept, and the model's view of it is written into the journal."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from turnkey.loop.budgets import allot
from turnkey.store.results import ResultStore
from turnkey.store.turns import TurnStore
from turnkey.telemetry import logger
from turnkey.tenancy.settings import Limits
from turnkey.tools import CallOutcome
from turnkey.turn import journal
from turnkey.turn.journal import Journal, ToolResult
from turnkey.turn.reference import TurnReference

Write = dict[str, Any]


class Ending:
    """Of the calls of one run."""

    def __init__(self, reference: TurnReference, turns: TurnStore, kept: ResultStore, limits: Limits) -> None:
        self._reference = reference
        self._turns = turns
        self._kept = kept
        self._limits = limits

    def end(
        self,
        started: ToolResult,
        outcome: CallOutcome,
        steps: Journal,
        milliseconds: int,
        *,
        is_list: bool = False,
        named: bool = False,
        items: int = 0,
        room: int = 0,
        meaning: Mapping[str, Any] | None = None,
        also: Callable[[ToolResult], list[Write]] = lambda _: [],
    ) -> ToolResult:
        """The result as the journal has it now. `is_list`: it is kept whole even where all of it is shown, and with
        `named` the model is told its handle. `items`: entries where the view counts none. `room`: tokens that it has
        for itself, because it is no result: instructions. `meaning`: other fields of the step. `also`: writes that go
        with it."""
        used = sum(result.tokens for result in journal.results(steps))
        handle = outcome.handle or started.handle
        limits = self._limits
        each, every = (room, room) if room else (limits.result_tokens, limits.results_tokens)
        seen = allot(0 if room else used, outcome.text, each, every, handle, start=outcome.start)
        if (seen.partial or is_list) and outcome.status == "ok" and not outcome.handle:
            self._kept.put(self._reference, handle, outcome.text, datetime.now(UTC))
        ended = started.model_copy(
            update={
                **(meaning or {}),
                "status": outcome.status,
                "text": f"{seen.text}\n[result {handle}]" if named else seen.text,
                "characters": seen.characters,
                "tokens": 0 if room else seen.tokens,
                "items": seen.items or items,
                "items_shown": seen.items_shown,
                "partial": seen.partial,
                "milliseconds": milliseconds,
            }
        )
        self._turns.end_call(self._reference, ended, *also(ended))
        logger.info(
            "tool called",
            tool=ended.call.name,
            status=ended.status,
            error=outcome.error,
            milliseconds=milliseconds,
        )
        return ended
