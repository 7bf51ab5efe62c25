"""The webhook: verify, store once, see that a turn runs, answer."""

from datetime import datetime
from typing import Protocol

from turnkey import channels, ids
from turnkey.channels import InboundMessage, WebhookRequest
from turnkey.errors import RequestRefused
from turnkey.store.stores import Stores
from turnkey.tenancy.settings import Connection
from turnkey.turn.reference import TurnReference
from turnkey.values import Value


class Executions(Protocol):
    """The state machine."""

    def start(self, reference: TurnReference) -> None:
        """Starts the turn's execution; starting it again under the same name does nothing."""
        ...


class Receipt(Value):
    """What became of a webhook's messages."""

    accepted: int = 0
    repeated: int = 0
    ignored: bool = False


class Receiver:
    def __init__(self, stores: Stores, executions: Executions) -> None:
        self._stores = stores
        self._executions = executions

    def receive(self, request: WebhookRequest, now: datetime) -> Receipt:
        """Raises RequestRefused, with nothing left behind, for what is not a webhook of a known connection."""
        connection = self._connection(request)
        channel = channels.find(connection.channel)
        channel.verify(request, tuple(self._stores.secrets.get(name) for name in connection.secrets), now)
        messages = channel.read(request)
        accepted = sum(self._take(request.tenant, connection, message, now) for message in messages)
        return Receipt(accepted=accepted, repeated=len(messages) - accepted, ignored=not messages)

    def _connection(self, request: WebhookRequest) -> Connection:
        known = ids.is_name(request.tenant) and ids.is_name(request.connection)
        connection = self._stores.tenants.find_connection(request.tenant, request.connection) if known else None
        if connection is None:
            raise RequestRefused(
                404, "unknown_connection", "there is no such tenant or connection: check the address of the webhook"
            )
        return connection

    def _take(self, tenant: str, connection: Connection, message: InboundMessage, now: datetime) -> bool:
        """True for a new message. A repeat still sees to the turn: the first attempt may have died before it did."""
        key = ids.conversation_key(tenant, connection.name, message.conversation)
        new = self._stores.conversations.accept(key, message, now)
        lease = self._stores.conversations.take_lease(key, now)
        if lease is not None and lease.needs_start:
            self._executions.start(
                TurnReference(
                    tenant=tenant,
                    connection=connection.name,
                    conversation=message.conversation,
                    turn=lease.turn,
                    settle_seconds=connection.settle_seconds,
                )
            )
        return new
