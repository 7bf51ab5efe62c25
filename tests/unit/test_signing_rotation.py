"""Signing secrets change over without a lost message, and without a way to make us hammer Secrets Manager."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from typing import Any

import boto3
import pytest
from standardwebhooks.webhooks import Webhook

from tests.support.signing import new_secret
from turnkey import channels
from turnkey.channels import Reply, WebhookRequest
from turnkey.errors import RequestRefused
from turnkey.store.acting import acting_for
from turnkey.store.secrets import ACCEPTED_SECONDS, RECHECK_SECONDS, SecretStore
from turnkey.store.stores import Stores
from turnkey.tenancy.settings import Connection, Tenant
from turnkey.turn.receive import Receiver
from turnkey.turn.reference import TurnReference

BODY = (
    b'{"type": "message.created", "timestamp": "2026-01-01T00:00:00Z", "data": {"conversation_id": "c-1", '
    b'"sender": {"id": "u-1", "kind": "user"}, "message": {"id": "m-1", "text": "Hello?"}}}'
)


_numbers = count(1)


class NoExecutions:
    def start(self, reference: TurnReference) -> None:
        pass


class Desk:
    """One connection, whose signing secret is in Secrets Manager; `reads` counts what is asked of it."""

    def __init__(self, stores: Stores, monkeypatch: pytest.MonkeyPatch, tenant: str) -> None:
        self.now = time.time()
        self.tenant = tenant
        self.name = f"turnkey/tenants/{tenant}/connection/web/secret"
        self.reads = 0
        client: Any = boto3.client("secretsmanager")
        read = client.get_secret_value

        def counted(**request: Any) -> Any:
            self.reads += 1
            return read(**request)

        monkeypatch.setattr(client, "get_secret_value", counted)
        self.secrets = SecretStore(lambda: self.now, lambda: client)
        self.stores = replace(stores, secrets=self.secrets)
        self.receiver = Receiver(self.stores, NoExecutions())
        connection = Connection(
            name="web", channel="standard_webhooks", agent="clerk", secrets=(self.name,), reply_url="https://shop.org/"
        )
        stores.tenants.put(tenant, Tenant(id=tenant, name="A shop"))
        stores.tenants.put(tenant, connection)
        self.connection = connection

    def post(self, secret: str, message_id: str = "msg_1") -> int:
        moment = datetime.fromtimestamp(self.now, UTC)
        headers = {
            "webhook-id": message_id,
            "webhook-timestamp": str(int(self.now)),
            "webhook-signature": Webhook(secret).sign(message_id, moment, BODY.decode()),
        }
        request = WebhookRequest(tenant=self.tenant, connection="web", method="POST", headers=headers, body=BODY)
        try:
            with acting_for(self.tenant):
                self.receiver.receive(request, moment)
        except RequestRefused as refused:
            return refused.status
        return 202

    def written_elsewhere(self, secret: str) -> None:
        boto3.client("secretsmanager").put_secret_value(SecretId=self.name, SecretString=secret)


@pytest.fixture
def desk(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> Desk:
    tenant = f"rotating{next(_numbers)}"
    return Desk(stores, monkeypatch, tenant)


def test_senders_may_change_over_for_a_day(desk: Desk) -> None:
    old, new = new_secret(), new_secret()
    desk.secrets.put(desk.name, old)
    assert desk.post(old, "msg_1") == 202
    desk.secrets.rotate(desk.name, new)
    assert (desk.post(old, "msg_2"), desk.post(new, "msg_3")) == (202, 202)
    desk.now += ACCEPTED_SECONDS + 1
    assert (desk.post(old, "msg_4"), desk.post(new, "msg_5")) == (401, 202)


def test_a_rotation_at_once_shuts_the_old_secret_out(desk: Desk) -> None:
    old, new = new_secret(), new_secret()
    desk.secrets.put(desk.name, old)
    desk.secrets.rotate(desk.name, new, at_once=True)
    assert (desk.post(old), desk.post(new)) == (401, 202)


def test_a_secret_that_was_rotated_elsewhere_is_found_by_the_first_message_signed_with_it(desk: Desk) -> None:
    old, new = new_secret(), new_secret()
    desk.secrets.put(desk.name, old)
    assert desk.post(old, "msg_1") == 202
    desk.written_elsewhere(new)
    desk.now += RECHECK_SECONDS
    assert (desk.post(new, "msg_2"), desk.post(old, "msg_3")) == (202, 202)


def test_bad_signatures_make_us_look_again_once_a_minute_at_most(desk: Desk) -> None:
    desk.secrets.put(desk.name, new_secret())
    for number in range(100):
        assert desk.post(new_secret(), f"msg_{number}") == 401
    # The current value and, as it is new, the one before it.
    first = desk.reads
    assert first <= 2
    desk.now += RECHECK_SECONDS
    for number in range(100):
        assert desk.post(new_secret(), f"msg_{number}") == 401
    assert desk.reads <= first + 2


def test_replies_are_signed_with_the_current_secret_first_and_the_previous_one_too(desk: Desk) -> None:
    old, new = new_secret(), new_secret()
    desk.secrets.put(desk.name, old)
    desk.secrets.rotate(desk.name, new)
    moment = datetime.fromtimestamp(desk.now, UTC)
    reply = Reply(id="msg_r", text="Hello.", address={"conversation_id": "c-1"})
    secrets = desk.secrets.accepted(*desk.connection.secrets)
    (outgoing,) = channels.find("standard_webhooks").render(reply, desk.connection, secrets, moment)
    first, second = outgoing.headers["webhook-signature"].split()
    assert first == Webhook(new).sign("msg_r", moment, outgoing.body)
    assert second == Webhook(old).sign("msg_r", moment, outgoing.body)
    for secret in (old, new):
        # The library's own reading of it, as receivers use it.
        assert Webhook(secret).verify(outgoing.body, outgoing.headers)
