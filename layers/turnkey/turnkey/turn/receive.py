"""The webhook: verify, store once, see that a turn runs, answer."""

from datetime import datetime

from turnkey import channels, ids
from turnkey.channels import Channel, InboundMessage, WebhookRequest
from turnkey.errors import RequestRefused
from turnkey.store.secrets import RECHECK_SECONDS
from turnkey.store.stores import Stores
from turnkey.tenancy.settings import Connection, Tenant
from turnkey.turn.starting import Executions, take
from turnkey.values import Value


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
        tenant, connection = self._entry(request)
        channel = channels.find(connection.channel)
        self._verify(channel, request, connection, now)
        if tenant.suspended:
            # Only after the signature: it is nobody else's business.
            raise RequestRefused(403, "tenant_suspended", "this tenant is suspended: ask the platform's operator")
        messages = channel.read(request)
        accepted = sum(self._take(request.tenant, connection, message, now) for message in messages)
        return Receipt(accepted=accepted, repeated=len(messages) - accepted, ignored=not messages)

    def _verify(self, channel: Channel, request: WebhookRequest, connection: Connection, now: datetime) -> None:
        """Raises RequestRefused(401). Secrets that were rotated meanwhile are read again, once a minute at most: anyone
        can send what does not verify."""
        secrets = self._stores.secrets.accepted(*connection.secrets)
        try:
            channel.verify(request, secrets, now)
        except RequestRefused:
            newer = self._stores.secrets.accepted(*connection.secrets, at_most=RECHECK_SECONDS)
            if newer == secrets:
                raise
            channel.verify(request, newer, now)

    def _entry(self, request: WebhookRequest) -> tuple[Tenant, Connection]:
        known = ids.is_name(request.tenant) and ids.is_name(request.connection)
        entry = self._stores.tenants.find_entry(request.tenant, request.connection) if known else None
        if entry is None:
            raise RequestRefused(
                404, "unknown_connection", "there is no such tenant or connection: check the address of the webhook"
            )
        return entry

    def _take(self, tenant: str, connection: Connection, message: InboundMessage, now: datetime) -> bool:
        settle = connection.settle_seconds
        return take(self._stores, self._executions, tenant, connection.name, message, now, settle_seconds=settle)
