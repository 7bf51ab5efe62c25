"""Which skill a message is about, and whether a conversation still is: read by words alone, in twelve languages.

Measured on tests/cases/skills: of 32 messages that are for a skill 28 open it, and of 42 others none does. `fits_later`
was written when that was done: 21 of 24 and one of 31 others when it first ran, gift cards for gift-wrapping, none now.
"""

from pathlib import Path

import pytest

from turnkey.reading.skills import Fit, fit, goes_on, tells
from turnkey.skills.head import SkillHead

CASES = Path("tests/cases/skills")
REFUNDS = SkillHead(
    name="refunds", description="Gives customers their money back. Use it when somebody wants to be refunded."
)
HEADS = (
    REFUNDS,
    SkillHead(name="gift-wrapping", description="How to wrap a book as a present and write a card for it."),
    SkillHead(name="damaged-goods", description="What to do when a book arrives damaged, wet or with pages missing."),
    SkillHead(name="order-changes", description="Changes an order before it is sent: another address, fewer copies."),
    SkillHead(name="school-orders", description="Bulk orders for schools: class sets, teacher discounts."),
    SkillHead(name="cancel-subscription", description="Ends a subscription of our monthly book box."),
)


def rows(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (CASES / f"{name}.tsv").read_text(encoding="utf-8").splitlines()]


def of(language: str, message: str) -> Fit:
    return fit(message, HEADS, language)


@pytest.mark.parametrize(("name", "at_least"), [("fits", 28), ("fits_later", 20)])
def test_what_is_plainly_for_a_skill_opens_it_and_no_other(name: str, at_least: int) -> None:
    wanted = [(message, skill, of(language, message).clear) for language, message, skill in rows(name) if skill]
    assert [case for case in wanted if case[2] not in (case[1], "")] == []
    assert sum(skill == found for _, skill, found in wanted) >= at_least


@pytest.mark.parametrize(
    ("language", "message"),
    [(language, message) for name in ("fits", "fits_later") for language, message, skill in rows(name) if not skill],
)
def test_an_ordinary_message_opens_none(language: str, message: str) -> None:
    assert of(language, message).clear == ""


@pytest.mark.parametrize("name", ["fits", "fits_later"])
def test_hardly_an_ordinary_message_may_cost_a_small_call(name: str) -> None:
    ordinary = [(language, message) for language, message, skill in rows(name) if not skill]
    asked = [message for language, message in ordinary if of(language, message).likely]
    assert len(asked) <= len(ordinary) / 10, asked


@pytest.mark.parametrize("name", ["goes_on", "goes_on_later"])
def test_a_skill_stays_while_the_conversation_is_about_it_and_ends_with_another_topic(name: str) -> None:
    wrong = [
        (message, expected)
        for language, question, reply, message, expected in rows(name)
        if goes_on(message, REFUNDS, question, reply, language) != (expected == "yes")
    ]
    assert [message for message, expected in wrong if expected == "no"] == []
    # One that ends too soon is loaded again where it is needed.
    assert len(wrong) <= 2, wrong


@pytest.mark.parametrize(
    "text",
    [
        "Hello!",
        "Thanks a lot, bye",
        "ok",
        "yes please",
        "你好",
        "谢谢你",
        "ありがとうございます",
        "네",
        "Спасибо большое!",
        "Guten Tag",
        "",
    ],
)
def test_courtesies_tell_nothing(text: str) -> None:
    assert not tells(text)


@pytest.mark.parametrize(
    "text",
    [
        "I want my money back",
        "4711",
        "It broke",
        "退款",
        "返品したい",
        "환불",
        "Где мой заказ",
        "Paramı geri istiyorum",
    ],
)
def test_whatever_is_asked_for_tells_something(text: str) -> None:
    assert tells(text)
