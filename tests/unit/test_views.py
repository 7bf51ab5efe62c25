"""Views of tools' results: whole where they fit, else cut along the data's own structure."""

import json
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest

from turnkey.loop import tokens
from turnkey.loop.views import MINIMUM_TOKENS, View, placeholder, view

RECORDS = [{"id": i, "title": f"Book {i}", "price": i * 1.5, "tags": ["new", "sale"]} for i in range(200)]


def body(seen: View) -> str:
    return re.split(r"(?:^|\n)\[PARTIAL", seen.text)[0]


def shown(seen: View) -> Any:
    assert seen.kind == "json"
    return json.loads(body(seen))


def says_what_is_missing(seen: View) -> bool:
    return seen.partial and f"of {seen.characters:,} characters shown" in seen.text and "do not invent" in seen.text


@pytest.mark.parametrize("result", ['{ "a" : [1,  2] }', "plain\r\ntext", "", "\ud800", "a,b\n1,2\n", "[" * 50])
def test_a_result_that_fits_is_shown_whole(result: str) -> None:
    seen = view(result, 200)
    assert (seen.text, seen.partial, seen.kind, seen.characters) == (result, False, "whole", len(result))


def test_an_array_is_cut_at_items_and_the_notice_counts_them() -> None:
    seen = view(json.dumps(RECORDS), 500)
    assert shown(seen) == RECORDS[: seen.items_shown]
    assert 3 < seen.items_shown < 200
    assert f"{seen.items_shown} of 200 items" in seen.text
    assert says_what_is_missing(seen)
    assert 400 < seen.tokens <= 500


def test_an_array_within_an_object_is_cut_and_the_other_keys_stay() -> None:
    found = shown(view(json.dumps({"total": 200, "books": RECORDS, "page": {"next": "b"}}), 500))
    assert (found["total"], found["page"]) == (200, {"next": "b"})
    assert found["books"] == RECORDS[: len(found["books"])]


def test_the_longest_arrays_are_cut_first() -> None:
    customers = [{"name": f"C{c}", "emails": ["a@b.c"] * 2, "orders": list(range(500, 900))} for c in range(4)]
    seen = view(json.dumps(customers), 400)
    assert [len(customer["emails"]) for customer in shown(seen)] == [2] * 4
    assert {len(customer["orders"]) for customer in shown(seen)} < set(range(3, 400))
    assert "of 400 items of $[0].orders" in seen.text


def test_a_long_string_in_json_is_cut_at_a_sentence_with_a_mark_inside() -> None:
    found = shown(view(json.dumps({"id": 7, "text": "It was dark. The wind blew. " * 500, "last": True}), 300))
    assert (found["id"], found["last"]) == (7, True)
    assert found["text"].endswith(("dark.… [cut]", "blew.… [cut]"))


def test_long_strings_give_way_before_items() -> None:
    seen = view(json.dumps([{"id": i, "text": "Words and words. " * 300} for i in range(9)]), 600)
    assert [item["id"] for item in shown(seen)] == list(range(seen.items_shown))
    assert seen.items_shown >= 3


def test_only_an_object_of_too_many_keys_loses_keys_and_says_so() -> None:
    whole = {f"id{i}": {"n": i, "tags": ["x"]} for i in range(500)}
    seen = view(json.dumps(whole), 400)
    assert list(shown(seen).items()) == list(whole.items())[: seen.items_shown]
    assert f"{seen.items_shown} of 500 keys" in seen.text


def test_keys_of_records_are_left_out_when_one_record_is_too_large() -> None:
    seen = view(json.dumps([{f"key{i}": i for i in range(400)}] * 3), 300)
    assert 0 < len(shown(seen)[0]) < 400
    assert "of 400 keys of $[0]" in seen.text


def test_white_space_goes_before_data_does() -> None:
    seen = view(json.dumps(RECORDS[:6], indent=8), 300)
    assert json.loads(seen.text) == RECORDS[:6]
    assert not seen.partial


def test_escaped_characters_are_shown_as_they_are_read() -> None:
    seen = view(json.dumps([{"title": "白鯨"}] * 300), 300)
    assert '{"title":"白鯨"}' in seen.text


@pytest.mark.parametrize(
    "value",
    ["1" + "0" * 60, "NaN", "-Infinity", "1.50", "1E5", '"\\ud83d"', '{"a":1,"a":2}', "[[],{}]", '"é\\"\\\\"', "-0.0"],
)
def test_values_stay_as_they_were_written(value: str) -> None:
    assert body(view(f"[{', '.join([value] * 2000)}]", 500)).startswith(f"[{value},{value},{value}")


def test_ten_thousand_levels_are_shown_as_text_that_says_so() -> None:
    seen = view("[" * 10_000 + "]" * 10_000, 300)
    assert (seen.kind, seen.partial) == ("text", True)
    assert "100 levels" in seen.text


@pytest.mark.parametrize("text", ["[1,2,3,]", '{"a":01}', "[1 2]", '{"a":1', "[1]]", "{'a':1}", '["\t"]', '{"a" 1}'])
def test_what_is_not_json_is_not_called_json(text: str) -> None:
    assert view(text + "\nwords" * 400, 300).kind == "text"


def test_a_table_is_cut_at_rows_and_keeps_its_header() -> None:
    rows = [f'{i},"Title, the {i}th\nof all",{i}.50' for i in range(300)]
    seen = view("id,title,price\n" + "\n".join(rows), 400)
    assert (seen.kind, seen.items) == ("table", 300)
    assert body(seen) == "\n".join(["id,title,price", *rows[: seen.items_shown]])


def test_a_markdown_table_keeps_what_stands_around_it() -> None:
    rows = [f"| {i} | Book {i} |" for i in range(300)]
    seen = view("\n".join(["Found:", "", "| id | title |", "|:--|---|", *rows, "", "That is all."]), 300)
    assert body(seen).startswith("Found:\n\n| id | title |\n|:--|---|\n| 0 | Book 0 |\n")
    assert body(seen).endswith(f"| {seen.items_shown - 1} | Book {seen.items_shown - 1} |\n\nThat is all.")
    assert f"{seen.items_shown} of 300 rows" in seen.text


def test_json_lines_are_cut_at_lines() -> None:
    seen = view("\n".join(json.dumps(record) for record in RECORDS), 400)
    assert [json.loads(line) for line in body(seen).splitlines()] == RECORDS[: seen.items_shown]


def test_text_keeps_head_and_tail_in_whole_lines() -> None:
    lines = [f"12:00 step {i} done" for i in range(900)]
    seen = view("\n".join(lines), 400)
    head, tail = body(seen).split("\n[…]\n")
    assert head.splitlines() == lines[: len(head.splitlines())]
    assert tail.splitlines() == lines[-len(tail.splitlines()) :]
    assert says_what_is_missing(seen)


@pytest.mark.parametrize(
    ("sentence", "end"), [("The whale is white. ", "white."), ("白い鯨。", "。"), ("정말요? ", "요?")]
)
def test_text_ends_at_a_sentence(sentence: str, end: str) -> None:
    assert body(view(sentence * 900, 300)).split("\n[…]\n")[0].rstrip().endswith(end)


@pytest.mark.parametrize("text", ["9" * 9000, "1 234 567 " * 900, "a1b22 " * 900, "3.14159 " * 900])
def test_no_number_is_halved(text: str) -> None:
    seen = view(text, 200)
    assert set(body(seen).split()) <= {*text.split(), "[…]"}


def test_a_view_goes_on_where_another_ended() -> None:
    for result, everything in ((json.dumps({"n": 200, "books": RECORDS}), RECORDS), (json.dumps(RECORDS), RECORDS)):
        first = view(result, 500, handle="r1")
        assert first.next_start is not None
        assert f"Next start: {first.next_start} (read_more, handle r1)" in first.text
        second = view(result, 500, start=first.next_start)
        assert shown(second) == everything[first.next_start : second.next_start]
        assert f"from {first.next_start} on" in second.text


def parts(result: str) -> Iterator[str]:
    start: int | None = 0
    while start is not None:
        seen = view(result, 250, start=start)
        yield re.split(r"\[PARTIAL|\n\[…\]\n", seen.text)[0]
        start = seen.next_start


def test_a_text_is_read_in_steps_without_gaps() -> None:
    result = "Some words of text. Some more, 1 234 of them! " * 200
    assert " ".join("".join(parts(result)).split()) == result.strip()


def test_a_table_is_read_in_steps_without_gaps() -> None:
    rows = [f"{i}\tname {i}\n" for i in range(300)]
    assert "".join(part.removeprefix("id\tname\n") for part in parts("id\tname\n" + "".join(rows))) == "".join(rows)


def test_a_start_past_the_end_shows_nothing_and_says_so() -> None:
    seen = view(json.dumps(RECORDS), 300, start=999)
    assert (shown(seen), seen.next_start) == ([], None)
    assert "0 of 200 items" in seen.text


def test_below_the_least_limit_only_the_size_is_told() -> None:
    seen = view(json.dumps(RECORDS), MINIMUM_TOKENS - 1)
    assert (seen.kind, seen.partial) == ("nothing", True)
    assert f"[PARTIAL: 0 of {seen.characters:,} characters" in seen.text


def test_a_notice_does_not_look_like_a_call() -> None:
    assert "(" not in placeholder("x" * 900, "r1").text.replace("(read_more, handle r1)", "")


@pytest.mark.parametrize(
    "text", ["[" + "12," * 1_000_000 + "]", "Ab1,cD2;" * 300_000, "x" * 2_000_000, "[" * 1_000_000]
)
def test_hostile_text_is_viewed_in_time(text: str) -> None:
    started = time.perf_counter()
    assert view(text, 500).partial
    assert time.perf_counter() - started < 1


def test_thirty_megabytes_are_viewed_in_time() -> None:
    record = {"id": 1, "note": "Some text. " * 9, "customer": {"address": {"lines": ["a", "b"]}}, "tags": ["x", "y"]}
    result = '{"items":[' + ",".join([json.dumps(record)] * (3_000_000 // len(json.dumps(record)))) + "]}"
    started = time.perf_counter()
    seen = view(result, 2000)
    # A tenth of the size, in a third of the time that 30 MB may take: machines that run tests are noisy.
    assert time.perf_counter() - started < 1
    assert seen.items > 10_000
    assert tokens.fits(seen.text, 2000)
