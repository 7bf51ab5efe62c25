"""`turnkey review`: what waits, what stands, what is right instead."""

import io
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from local import cli
from local.announcement import Announcement, announce
from local.stack import Stack
from tests.support.model_server import Answer, Call, ModelServer, calls
from tests.support.public_web import PublicWeb
from tests.support.shop import Shop

pytestmark = pytest.mark.long

Turnkey = Callable[..., tuple[int, str]]


@pytest.fixture
def turnkey(
    stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Turnkey:
    monkeypatch.chdir(tmp_path)
    announce(Announcement(stack.api_url, stack.aws_endpoint, stack.function_name("Provision"), os.getpid()))

    def run(*words: str, typed: str = "") -> tuple[int, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        status = cli.main(words)
        said = capsys.readouterr()
        return status, said.out + said.err

    return run


@pytest.fixture
def web() -> Iterator[PublicWeb]:
    with PublicWeb() as server:
        yield server


def test_a_reply_is_listed_corrected_and_audited(
    turnkey: Turnkey, shops: Callable[..., Shop], model: ModelServer, web: PublicWeb
) -> None:
    url = web.page("/visit", "<p>The city museum opens at 9:45 on every day of the week but Monday.</p>")
    web.find(url)

    def answer(body: dict[str, Any]) -> Answer | str:
        if "tools" not in body or any(message["role"] == "tool" for message in body["messages"]):
            return "The city museum opens at 9:45."
        return calls(Call("read_page", {"url": url}))

    model.script(answer)
    shop = shops(public_sources={"provider": "searxng", "url": web.url()})
    shop.post(f"Please look at {url} for ann@shop.example: when does the city museum open?")
    shop.texts(1)
    status, listed = turnkey("review", "list", shop.tenant)
    assert status == 0
    assert "told:  The city museum opens at 9:45 [1]." in listed
    assert url in listed
    assert "ann@shop.example" not in listed
    found = re.search(r"msg_\S+", listed)
    assert found
    assert turnkey("review", "correct", shop.tenant)[0] == 2
    assert turnkey("review", "correct", shop.tenant, found[0], typed=" \n")[0] == 2
    assert turnkey("review", "approve", shop.tenant, "msg_none")[0] == 1
    status, said = turnkey("review", "correct", shop.tenant, found[0], "--text", "It opens at 10:30.")
    assert (status, "is corrected" in said) == (0, True), said
    assert "No reply" in turnkey("review", "list", shop.tenant)[1]
    assert "right: It opens at 10:30." in turnkey("review", "list", shop.tenant, "--state", "all")[1]
    assert "review_correct" in turnkey("audit", shop.tenant)[1]
    assert turnkey("review", "approve", shop.tenant, found[0])[0] == 0
    assert "approved" in turnkey("review", "list", shop.tenant, "--state", "approved")[1]
