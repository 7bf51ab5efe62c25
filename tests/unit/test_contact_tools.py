"""When the tools for contact details are shown, and how: by what customers write, and by what the tenant wants."""

import json
from pathlib import Path
from typing import Any

import pytest

from turnkey.asks import wants
from turnkey.tools.builtins import Known, Situation, attached

CASES: list[dict[str, Any]] = [
    json.loads(line) for line in Path("tests/cases/forget_contact.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['language']}-{case['text']}")
def test_a_wish_to_be_forgotten_is_heard_and_no_other_for_it(case: dict[str, Any]) -> None:
    assert wants("forget", case["text"]) is case["wanted"]


def shown(text: str, **known: Any) -> dict[str, Any]:
    """The fields of each tool that is shown, by its name."""
    situation = Situation(messages=(text,), known=Known.model_validate(known))
    return {tool.name: tool.parameters["properties"] for tool in attached(situation)}


@pytest.mark.parametrize(
    "text",
    [
        "My number is 0151 23456789",
        "我的电话是13812345678",
        "電話番号は090-1234-5678です",
        "제 번호는 010-1234-5678이에요",
        "Мой телефон 8 (916) 123-45-67",
    ],
)
def test_who_gives_a_number_brings_the_tool_that_keeps_it(text: str) -> None:
    assert "capture_contact" in shown(text)
    assert "forget_contact" not in shown(text)
    assert "capture_contact" not in shown(text, captures_contacts=False)


@pytest.mark.parametrize("text", ["Please delete my number", "删除我的信息", "удалите мои данные"])
def test_who_wants_to_be_forgotten_brings_the_tool_that_forgets(text: str) -> None:
    assert "forget_contact" in shown(text)
    assert "forget_contact" not in shown(text, captures_contacts=False)


@pytest.mark.parametrize("text", ["Do you have books about whales?", "有关于鲸鱼的书吗？", "クジラの本はありますか"])
def test_an_ordinary_question_brings_neither(text: str) -> None:
    assert not {"capture_contact", "forget_contact"} & set(shown(text))


def test_the_tenants_own_fields_stand_in_both_tools() -> None:
    known = {"contact_fields": ("company",), "field_descriptions": ("Where they work",)}
    text = "My number is 0151 23456789. And please delete my data."
    tools = shown(text, **known)
    assert tools["capture_contact"]["company"]["description"] == "Where they work, as they wrote it"
    assert "company" in tools["forget_contact"]["fields"]["items"]["enum"]
    assert list(shown(text)["capture_contact"]) == ["name", "phone", "email"]
