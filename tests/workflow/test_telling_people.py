"""How people are told by e-mail, and what the operator sees and does."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from moto.sesv2.models import sesv2_backends

from local import cli
from local.account import ACCOUNT_ID, REGION
from local.announcement import Announcement, announce
from local.stack import Stack
from tests.support.model_server import ModelServer
from tests.support.people import PeopleHook, give_back, provision
from tests.support.shop import Shop
from tests.support.signing import new_secret
from turnkey.reply import person_words

pytestmark = pytest.mark.long

OpenShop = Callable[..., Shop]
ASKED = "상담원과 통화하고 싶어요."


@pytest.fixture
def hook() -> Iterator[PeopleHook]:
    with PeopleHook() as running:
        yield running


@pytest.fixture
def shop(shops: OpenShop, hook: PeopleHook) -> Shop:
    return shops([], person=hook.section)


class Command:
    """Runs `turnkey` where the stack is announced."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str) -> str:
        assert cli.main(words) == 0
        return self._capsys.readouterr().out


@pytest.fixture
def turnkey(
    stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    monkeypatch.chdir(tmp_path)
    announce(Announcement(stack.api_url, stack.aws_endpoint, stack.function_name("Provision"), os.getpid()))
    return Command(capsys)


def test_the_command_lists_and_gives_back(shop: Shop, hook: PeopleHook, model: ModelServer, turnkey: Command) -> None:
    assert "No conversation" in turnkey("people", shop.tenant)
    shop.post(ASKED)
    shop.texts(1)
    handover = hook.handovers()[0]["handover"]
    listed = turnkey("people", shop.tenant)
    assert handover in listed
    assert "open" in listed
    assert "NOT TOLD" not in listed
    assert "is the agent's again" in turnkey("give-back", shop.tenant, handover, "--note", "Refunded.")
    assert "was given back before" in turnkey("give-back", shop.tenant, handover)
    assert "Refunded." in turnkey("people", shop.tenant, "--returned")


DOMAIN = "mail.example.com"
DESK = "desk@shop.example.com"


@pytest.fixture
def mailbox(stack: Stack) -> Callable[[str], list[Any]]:
    """What SES has sent from an address."""
    client = stack.client("sesv2")
    if not client.list_email_identities()["EmailIdentities"]:
        client.create_email_identity(EmailIdentity=DOMAIN)
    sent: Any = sesv2_backends[ACCOUNT_ID][REGION].core_backend.sent_messages
    return lambda sender: [message for message in sent if message.source == sender]


def test_people_are_told_by_e_mail_and_the_operator_gives_back(
    shops: OpenShop, model: ModelServer, mailbox: Callable[[str], list[Any]]
) -> None:
    shop = shops([], person={"email": {"to": DESK}})
    shop.post(ASKED)
    assert shop.texts(1) == [person_words.taking_over("ko")]
    shop.post("제 주문 번호는 4711입니다.")
    shop.settle()
    first, second = mailbox(f"{shop.tenant}@{DOMAIN}")
    assert first.destinations["ToAddresses"] == [DESK]
    [handover] = provision(shop, "people")["handovers"]
    assert handover["handover"] in first.subject
    assert ASKED in first.body
    assert "4711" in second.body
    assert f"turnkey give-back {shop.tenant} {handover['handover']}" in second.body
    assert provision(shop, "give_back", handover=handover["handover"])["changed"] is True
    model.script(["다시 제가 도와드릴게요."])
    shop.post("감사합니다")
    assert shop.texts(2)[-1] == "다시 제가 도와드릴게요."
    assert len(mailbox(f"{shop.tenant}@{DOMAIN}")) == 2


@pytest.mark.parametrize("sender", ["boss@mail.example.com", "x@elsewhere.example.com", "shopx@mail.example.com"])
def test_mail_is_never_sent_as_anybody_else(sender: str, shops: OpenShop) -> None:
    shop = shops([])
    shop.manifest["agents"][0]["person"] = {"email": {"to": DESK, "from": sender}}
    assert [problem["path"] for problem in shop.apply()["errors"]] == ["agents[0].person.email.from"]


def test_a_rotated_secret_signs_and_gives_back_and_the_old_one_still_does(shop: Shop, hook: PeopleHook) -> None:
    new = new_secret()
    answer = provision(shop, "rotate_secret", name="agents.clerk.person.hook.secret", value=new)
    assert answer["changed"] is True
    shop.post(ASKED)
    shop.texts(1)
    handover = hook.handovers()[0]["handover"]
    assert give_back(shop, new, handover).status_code == 200


def test_nothing_of_it_is_left_once_the_tenant_is_deleted(shop: Shop, hook: PeopleHook) -> None:
    shop.post(ASKED)
    shop.texts(1)
    assert hook.handovers()
    for _ in range(3):
        provision(shop, "delete", confirm=shop.tenant, quiet_seconds=0)
    assert shop.rows() == []
