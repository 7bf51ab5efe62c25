"""A built-in tool is in the request that the model gets where the customer gives a reason for it, and nowhere else."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.languages import in_languages
from tests.support.model_server import ModelServer
from tests.support.shop import Shop
from turnkey.tools.builtins import NAMES, TOOLS

Json = dict[str, Any]
OpenShop = Callable[..., Shop]
PLAIN = {
    "en": "Hello, which of your books are the longest?",
    "ru": "Это напоминает мне детство. Спасибо!",
    "zh": "你好，这本书让我想起了小时候。",
    "ja": "こんにちは。注文番号は20241183345です。",
    "ko": "안녕하세요, 인권에 관한 책이 좋아요.",
}
ASKED = {
    "en": ("Let me know when the atlas is back in stock.", {"schedule_follow_up"}),
    "ru": ("Мой номер +7 912 345-67-89", {"capture_contact"}),
    "zh": ("帮我起草一份租房合同", {"edit_document"}),
    "ja": ("電話番号は090-1234-5678です。入荷したら知らせてください", {"capture_contact", "schedule_follow_up"}),
    "ko": ("제 이메일로 보내 주세요: minsu@example.kr", {"capture_contact"}),
}


def traces(body: Json) -> set[str]:
    """Built-in tools of which anything is in the request, wherever it stands."""
    sent = json.dumps(body, ensure_ascii=False)
    return {tool.name for tool in TOOLS if tool.name in sent or tool.description[:60] in sent}


@pytest.mark.parametrize("language", in_languages(PLAIN))
def test_the_model_is_sent_the_tools_that_the_message_gives_a_reason_for(
    language: str, shops: OpenShop, model: ModelServer
) -> None:
    text, wanted = ASKED[language]
    shop = shops([])
    model.script(["Good.", "Well.", "Fine."])
    for number, said in enumerate((PLAIN[language], text, PLAIN[language]), 1):
        shop.post(said)
        shop.texts(number)
    assert [traces(request.body) for request in model.requests] == [set(), wanted, set()]
    assert "tools" not in model.requests[0].body


@pytest.mark.long
def test_what_the_agent_asks_for_is_a_reason_in_the_next_turn(shops: OpenShop, model: ModelServer) -> None:
    shop = shops([])
    model.script(["May I have your phone number?", "Thank you.", "Goodbye."])
    for number, said in enumerate(("Please hold the atlas for me", "0151 23456789", "Goodbye!"), 1):
        shop.post(said)
        shop.texts(number)
    assert [traces(request.body) for request in model.requests] == [set(), {"capture_contact"}, set()]


def test_an_agent_with_every_switch_on_is_still_told_of_nothing_in_an_ordinary_turn(
    shops: OpenShop, model: ModelServer
) -> None:
    shop = shops([], public_sources={"provider": "searxng", "url": "http://127.0.0.1:9"})
    model.script(["We open at nine.", "It is sunny."])
    shop.post("When do you open tomorrow?")
    shop.texts(1)
    shop.post("And what's the weather like in Lisbon tomorrow?")
    shop.texts(2)
    first, second = (traces(request.body) for request in model.requests[:2])
    assert (first, second) == (set(), {"search_web", "read_page"})
    assert set(NAMES) >= second
