"""Showing the customer that a turn works: a status line in their language, from the tool's title, never its input.

Nothing depends on it: whatever fails here is logged and forgotten, and nobody waits for it.
"""

import asyncio
from datetime import UTC, datetime
from typing import Protocol

from turnkey import channels
from turnkey.channels import Outgoing, Progress
from turnkey.errors import TurnkeyError
from turnkey.reply import phrases
from turnkey.store.stores import Stores
from turnkey.telemetry import logger
from turnkey.tools import Toolset
from turnkey.turn.journal import ToolCall
from turnkey.turn.record import TurnRecord
from turnkey.turn.reference import TurnReference

WAIT_SECONDS = 1.0
"""For what is still on its way when the loop is over."""


class Poster(Protocol):
    async def post(self, outgoing: Outgoing) -> None:
        """Raises SendFailed or ReplyRefused."""
        ...


class Showing:
    """Does nothing for a connection that does not want it."""

    def __init__(self, stores: Stores, poster: Poster, reference: TurnReference, record: TurnRecord) -> None:
        self._stores = stores
        self._poster = poster
        self._reference = reference
        self._record = record
        self._connection = stores.tenants.connection(reference.tenant, reference.connection)
        self._shown: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def thinking(self) -> None:
        """The turn has begun."""
        if not self._shown:
            self._show(phrases.looking(self._record.language, ""))

    def calling(self, calls: tuple[ToolCall, ...], known: Toolset) -> None:
        """A tool is about to run."""
        tool = next((tool for call in calls if (tool := known.get(call.name)) and not call.problem), None)
        if tool:
            self._show(phrases.looking(self._record.language, tool.title))

    async def close(self) -> None:
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=WAIT_SECONDS)
            for task in late:
                task.cancel()

    def _show(self, text: str) -> None:
        if text in self._shown or not self._connection.progress:
            return
        self._shown.add(text)
        task = asyncio.create_task(self._post(text))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _post(self, text: str) -> None:
        try:
            await asyncio.to_thread(self._keep, text)
            outgoing = await asyncio.to_thread(self._outgoing, text)
            if outgoing:
                await self._poster.post(outgoing)
        except (TurnkeyError, OSError) as error:
            logger.warning("progress not shown", error=type(error).__name__, reason=str(error))

    def _keep(self, text: str) -> None:
        self._stores.turns.show_progress(self._reference, text, datetime.now(UTC))

    def _outgoing(self, text: str) -> Outgoing | None:
        connection = self._connection
        secrets = self._stores.secrets.accepted(*connection.secrets)
        progress = Progress(text=text, address=self._record.address)
        return channels.find(connection.channel).working(progress, connection, secrets, datetime.now(UTC))
