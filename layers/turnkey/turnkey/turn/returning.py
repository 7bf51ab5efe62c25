"""The people's own requests: they take a conversation over, and give it back. Signed with their hook's secret.

POST /people/{tenant}/{connection}  (Standard Webhooks)
  {"type": "conversation.taken", "conversation_id": …, "summary": …}   the agent is silent from now on
  {"type": "conversation.returned", "handover": …, "note": …}          it answers again, and knows the note
Both may be sent again: the second one finds it done.
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, ValidationError

from turnkey import channels, ids
from turnkey.channels import WebhookRequest
from turnkey.errors import RequestRefused, TenantMisconfigured
from turnkey.people.handover import NOTE_CHARACTERS, SIGNED_AS, SUMMARY_CHARACTERS, Handover
from turnkey.store.secrets import RECHECK_SECONDS
from turnkey.store.stores import Stores
from turnkey.telemetry import logger
from turnkey.tenancy.settings import Connection, PersonHook, Tenant
from turnkey.values import Value


class _Taken(Value):
    type: Literal["conversation.taken"]
    conversation_id: ids.ConversationId
    summary: str = Field(default="", max_length=SUMMARY_CHARACTERS)


class _Returned(Value):
    type: Literal["conversation.returned"]
    handover: str = Field(min_length=1, max_length=100)
    note: str = Field(default="", max_length=NOTE_CHARACTERS)


_BODY: TypeAdapter[_Taken | _Returned] = TypeAdapter(Annotated[_Taken | _Returned, Field(discriminator="type")])


class Outcome(Value):
    """`changed` is False where it was so already."""

    handover: str
    changed: bool


class Returns:
    def __init__(self, stores: Stores) -> None:
        self._stores = stores

    def receive(self, request: WebhookRequest, now: datetime) -> Outcome:
        """Raises RequestRefused, with nothing changed: 404 for what there is not, 401 for what is not signed by the
        people of that connection's agent, 403 for a suspended tenant, 400 for a body that is none of the two."""
        tenant, hook = self._entry(request)
        self._verify(request, hook, now)
        if tenant.suspended:
            raise RequestRefused(403, "tenant_suspended", "this tenant is suspended: ask the platform's operator")
        body = _read(request.body)
        outcome = self._take(request, body, now) if isinstance(body, _Taken) else self._return(request, body, now)
        logger.info(body.type, tenant=tenant.id, handover=outcome.handover, changed=outcome.changed)
        return outcome

    def _take(self, request: WebhookRequest, body: _Taken, now: datetime) -> Outcome:
        place = (request.tenant, request.connection, body.conversation_id)
        # Sent again, also after it was given back, it is the same hand-over.
        handover = Handover(
            id=ids.handover_id(*place, request.headers["webhook-id"]),
            connection=request.connection,
            conversation=body.conversation_id,
            by="person",
            since=now,
            summary=body.summary,
            told_at=now,
        )
        opened = self._stores.people.open(request.tenant, handover)
        if opened == "unknown":
            raise RequestRefused(
                404, "unknown_conversation", "nobody has written in this conversation: check conversation_id"
            )
        if opened == "owned":
            owner = self._stores.conversations.standing(ids.conversation_key(*place)).person
            return Outcome(handover=owner or handover.id, changed=False)
        return Outcome(handover=handover.id, changed=opened == "opened")

    def _return(self, request: WebhookRequest, body: _Returned, now: datetime) -> Outcome:
        handover = self._stores.people.find(request.tenant, body.handover)
        if handover is None or handover.connection != request.connection:
            raise RequestRefused(404, "unknown_handover", "there is no such hand-over on this connection: check its id")
        changed = self._stores.people.give_back(request.tenant, handover, body.note, now)
        return Outcome(handover=handover.id, changed=changed)

    def _entry(self, request: WebhookRequest) -> tuple[Tenant, PersonHook]:
        known = ids.is_name(request.tenant) and ids.is_name(request.connection)
        entry = self._stores.tenants.find_entry(request.tenant, request.connection) if known else None
        hook = self._hook(*entry) if entry else None
        if entry is None or hook is None:
            raise RequestRefused(404, "unknown_hook", "there is no such connection, or its agent has no people's hook")
        return entry[0], hook

    def _hook(self, tenant: Tenant, connection: Connection) -> PersonHook | None:
        try:
            person = self._stores.tenants.agent(tenant.id, connection.agent).person
        except TenantMisconfigured:
            return None
        return person.hook if person else None

    def _verify(self, request: WebhookRequest, hook: PersonHook, now: datetime) -> None:
        """Raises RequestRefused(401). Secrets that were rotated meanwhile are read again, once a minute at most."""
        channel = channels.find(SIGNED_AS)
        secrets = self._stores.secrets.accepted(*hook.secrets)
        try:
            channel.verify(request, secrets, now)
        except RequestRefused:
            newer = self._stores.secrets.accepted(*hook.secrets, at_most=RECHECK_SECONDS)
            if newer == secrets:
                raise
            channel.verify(request, newer, now)


def _read(body: bytes) -> _Taken | _Returned:
    try:
        return _BODY.validate_json(body)
    except ValidationError as error:
        wrong = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(part) for part in wrong["loc"])
        raise RequestRefused(400, "bad_request", f"{place or 'the body'}: {wrong['msg']}") from error
