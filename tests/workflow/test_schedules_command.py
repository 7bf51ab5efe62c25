"""`turnkey schedules`: what is to come, and what could not be said."""

import os
from pathlib import Path

import pytest

from local import cli
from local.announcement import Announcement, announce
from local.stack import Stack
from tests.support.model_server import ModelServer
from tests.support.reminding import obedient, say, schedules, wake
from tests.workflow.conftest import OpenShop
from tests.workflow.test_provisioning import ask

pytestmark = pytest.mark.long


def test_the_operator_sees_what_is_to_come_and_what_is_held(
    stack: Stack,
    shops: OpenShop,
    model: ModelServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    announce(Announcement(stack.api_url, stack.aws_endpoint, stack.function_name("Provision"), os.getpid()))

    def seen(*more: str) -> str:
        assert cli.main(("schedules", shop.tenant, *more)) == 0
        return capsys.readouterr().out

    shop = shops([])
    model.script(obedient)
    assert "has no reminders" in seen()
    say(shop, "Remind me tomorrow at nine to call the dentist", 1)
    say(shop, "Remind me in 3 hours to drink tea", 2)
    assert [seen().count(text) for text in ("waiting", "drink tea", "call the dentist")] == [2, 1, 1]
    ask(shop, "suspend", tenant=shop.tenant)
    assert wake(shop, schedules(shop)[1]) == {"outcome": "held"}
    held = seen("--held")
    assert "drink tea" in held
    assert "HELD: the tenant is suspended" in held
    assert "dentist" not in held
