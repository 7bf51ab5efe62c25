"""A message gets its turn: it is stored once, and an execution runs that will answer it."""

from datetime import datetime
from typing import Protocol

from turnkey import ids
from turnkey.channels import InboundMessage
from turnkey.store.stores import Stores
from turnkey.turn.reference import TurnReference


class Executions(Protocol):
    """The state machine."""

    def start(self, reference: TurnReference) -> None:
        """Starts the turn's execution; starting it again under the same name does nothing."""
        ...


def take(
    stores: Stores,
    executions: Executions,
    tenant: str,
    connection: str,
    message: InboundMessage,
    now: datetime,
    *,
    settle_seconds: int = 0,
) -> bool:
    """True for a new message. A repeat still sees to the turn: the first attempt may have died before it did. Raises
    RequestRefused when too many wait."""
    key = ids.conversation_key(tenant, connection, message.conversation)
    new = stores.conversations.accept(key, message, now)
    lease = stores.conversations.take_lease(key, now)
    if lease is not None and lease.needs_start:
        executions.start(
            TurnReference(
                tenant=tenant,
                connection=connection,
                conversation=message.conversation,
                turn=lease.turn,
                settle_seconds=settle_seconds,
            )
        )
    return new
