"""A change of a document finds its one place, or says why it found none."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnkey.documents import asking, cleaning, differences, naming, passages, templates
from turnkey.documents.asking import Create, Edit
from turnkey.documents.document import MAX_CHARACTERS
from turnkey.documents.headings import headings
from turnkey.documents.outcome import Edited, Refused
from turnkey.documents.revising import revise

LINES = Path("tests/cases/document_edits.jsonl").read_text(encoding="utf-8").split("\n")
CASES: list[dict[str, Any]] = [json.loads(line) for line in LINES if line]
TEXTS = st.text(st.sampled_from("ab \n\r\u0301👩\u200d👧🇩🇪한ᄒ\u1161\u11abé,.#-`"), max_size=60)


def edited(text: str, arguments: dict[str, Any]) -> str | Refused:
    asked = asking.read({"name": "lease", **arguments})
    if isinstance(asked, Refused):
        return asked
    assert isinstance(asked, Edit)
    result = revise(text, asked)
    return result.text if isinstance(result, Edited) else result


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['arguments']['action']} {case['name']}")
def test_a_change_does_what_it_says_or_says_why_not(case: dict[str, Any]) -> None:
    came = edited(case["text"], case["arguments"])
    if "want" in case:
        assert came == case["want"]
    else:
        assert isinstance(came, Refused)
        assert case["why"] in came.why


@settings(max_examples=300, deadline=None)
@given(TEXTS, TEXTS, TEXTS)
def test_a_replacement_leaves_everything_around_it(before: str, passage: str, behind: str) -> None:
    text = before + passage + behind
    found = passages.find(text, passage)
    came = edited(text, {"action": "replace", "passage": passage, "text": "X"})
    if isinstance(came, str):
        ((start, end),) = found
        assert came == text[:start] + "X" + text[end:]
    elif passage.strip():
        assert len(found) != 1 or text == came


@settings(max_examples=300, deadline=None)
@given(TEXTS, TEXTS)
def test_whatever_is_asked_has_an_answer(text: str, given_text: str) -> None:
    for arguments in (
        {"action": "append", "text": given_text},
        {"action": "insert", "line": 2, "text": given_text},
        {"action": "insert", "heading": given_text, "text": given_text},
        {"action": "insert", "passage": given_text, "text": given_text, "place": "before"},
    ):
        assert edited(text, arguments) is not None
    headings(text)
    templates.fill(text, {given_text: "x"})
    assert cleaning.kept(cleaning.kept(text)) == cleaning.kept(text)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.text(max_size=8), st.none() | st.integers() | st.text() | st.lists(st.text())), st.text())
def test_whatever_a_model_writes_is_a_request_or_refused(arguments: dict[str, Any], name: str) -> None:
    for action in ("read", "create", "replace", "insert", "append", "restore", "history", "send", "burn"):
        came = asking.read({**arguments, "action": action, "name": name})
        came.model_dump_json().encode()


def test_a_huge_document_is_searched_in_no_time_worth_speaking_of() -> None:
    text = "".join(f"clause {number} of the agreement\n" for number in range(MAX_CHARACTERS // 40))
    assert edited(text, {"action": "replace", "passage": "clause 77 of", "text": "clause 78 of"}) != text
    came = edited(text, {"action": "replace", "passage": "claus 77 off the agreement", "text": "x"})
    assert isinstance(came, Refused)
    assert "line 78: clause 77 of the agreement" in came.why
    came = edited("界" * MAX_CHARACTERS, {"action": "replace", "passage": "世界", "text": "x"})
    assert isinstance(came, Refused)
    edited("#" + " " * (MAX_CHARACTERS - 10), {"action": "insert", "heading": "x", "text": "x"})
    edited("{{" + " " * 1000, {"action": "append", "text": "x"})


def test_a_template_is_filled_once_and_names_what_is_missing() -> None:
    template = "# Lease\nFor {{ Tenant Name }} at {{rent}}, {{tenant_name}}.\n{{起租日}}\n"
    assert templates.placeholders(template) == ("Tenant Name", "rent", "起租日")
    came = templates.fill(template, {"tenant name": "Ada {{rent}}", "RENT": "900", "起租日": "五月一日"})
    assert came == Edited(text="# Lease\nFor Ada {{rent}} at 900, Ada {{rent}}.\n五月一日\n")
    came = templates.fill(template, {"rent": "900"})
    assert isinstance(came, Refused)
    assert "Tenant Name; 起租日" in came.why


def test_values_of_any_kind_are_texts() -> None:
    came = asking.read(
        {"action": "create", "name": "x", "template": "t", "values": {"rent": 900, "on": True, "n": None, "l": []}}
    )
    assert isinstance(came, Create)
    assert came.values == {"rent": "900", "on": "True", "n": "", "l": ""}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Lease", "lease.md"),
        ("rental_agreement", "Rental  Agreement"),
        ("契約書", " 契約書 "),
        ("ｌｅａｓｅ", "lease"),
        ("Café", "Cafe\u0301"),
        ("임대차\u200b 계약서", "임대차 계약서"),
    ],
)
def test_a_name_is_known_however_it_is_written(one: str, other: str) -> None:
    assert naming.key(one) == naming.key(other)


@pytest.mark.parametrize("name", ["", "  ", "\u200b", ".md", "-", "x" * 81])
def test_a_name_that_is_none_is_refused(name: str) -> None:
    assert isinstance(asking.read({"action": "read", "name": name}), Refused)


def test_a_difference_is_a_unified_diff() -> None:
    told = differences.diff("a\nb\nc\n", "a\nx\nc\n", ("lease (version 1)", "lease (version 2)"))
    assert told.split("\n") == [
        "--- lease (version 1)",
        "+++ lease (version 2)",
        "@@ -1,3 +1,3 @@",
        " a",
        "-b",
        "+x",
        " c",
    ]
    assert differences.diff("a\r\n", "a\n", ("1", "2")) == ""
    assert "\\ No newline at end of file" in differences.diff("a\n", "a", ("1", "2"))


def test_a_difference_in_a_long_paragraph_shows_its_place() -> None:
    before = "甲" * 900 + "五日" + "乙" * 900
    told = differences.diff(before, before.replace("五日", "十日"), ("1", "2"))
    assert len(told) < 600
    assert "-…" in told
    assert "五日" in told
    assert "十日" in told


@pytest.mark.parametrize("after", ["\n" * MAX_CHARACTERS, "x\n" * (MAX_CHARACTERS // 2), "y" * MAX_CHARACTERS, ""])
def test_a_difference_is_bounded_and_says_so(after: str) -> None:
    before = "".join(f"line {number}\n" for number in range(20_000))
    told = differences.diff(before, after, ("1", "2"))
    assert len(told) <= differences.MOST + 40
    assert told.endswith("more lines")
