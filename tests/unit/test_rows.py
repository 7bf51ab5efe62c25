"""The rows inside a stored result, whatever the tool wrapped around them."""

import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnkey.deliverables.rows import Rows, find_rows

BOOKS = [
    {"id": 1, "language": "de", "tags": ["a", "b"], "author": {"name": "Ada"}},
    {"id": 2, "language": "en", "tags": [], "author": {"name": "Bo"}},
    {"id": 3, "language": "en", "tags": ["a"], "author": {"name": "Cy"}},
]


def found(text: str, field: str = "") -> Rows:
    rows = find_rows(text, field)
    assert rows is not None
    return rows


@pytest.mark.parametrize(
    "wrapped",
    [
        BOOKS,
        {"books": BOOKS},
        {"status": "ok", "data": {"items": BOOKS, "page": 1}},
        {"data": {"result": {"list": BOOKS}}},
        {"authors": [{"name": "Ada"}], "books": BOOKS, "errors": []},
        {"facets": [{"value": value} for value in range(9)], "results": BOOKS},
        json.dumps(BOOKS),
        {"b1": BOOKS[0], "b2": BOOKS[1], "b3": BOOKS[2]},
    ],
)
def test_the_list_of_objects_is_found_wherever_it_is(wrapped: Any) -> None:
    for text in (json.dumps(wrapped), json.dumps(wrapped, indent=2, ensure_ascii=False)):
        rows = found(text).rows
        assert [row["language"] for row in rows] == ["de", "en", "en"]
        assert rows[0]["author"] == {"name": "Ada"}


@pytest.mark.parametrize("field", ["authors", "data.authors", "AUTHORS"])
def test_a_named_list_is_taken_though_another_is_longer(field: str) -> None:
    text = json.dumps({"data": {"authors": [{"name": "Ada"}], "books": BOOKS}})
    assert found(text, field).rows == ({"name": "Ada"},)


@pytest.mark.parametrize(
    ("around", "total"),
    [
        ({"total": 299}, 299),
        ({"total_count": 299}, 299),
        ({"totalResults": "299"}, 299),
        ({"count": 299}, 299),
        ({"meta": {"pagination": {}, "total": 299}}, 299),
        ({"pagination": {"total_items": 299}}, 299),
        ({"total": {"value": 299, "relation": "eq"}}, 299),
        ({"count": 3, "total": 2}, 3),
        ({"total": 41.5}, 3),
        ({}, 3),
    ],
)
def test_a_larger_total_is_told(around: dict[str, Any], total: int) -> None:
    assert found(json.dumps({**around, "books": BOOKS})).total == total
    assert found(json.dumps({**around, "data": {"books": BOOKS}})).total == total


@pytest.mark.parametrize(
    "text",
    [
        "id,language\n1,de\n2,en\n3,en\n",
        "id;language\r\n1;de\r\n2;en\r\n3;en\r\n",
        "id\tlanguage\n1\tde\n2\ten\n3\ten",
        'id,language\n1,"de"\n2,"en"\n3,"en"\n',
        "| id | language |\n|---|:--|\n| 1 | de |\n| 2 | en |\n| 3 | en |\n",
        "Here they are:\n\n| id | language |\n|---|---|\n| 1 | de |\n| 2 | en |\n| 3 | en |\n\nThat is all.",
        "Found three.\n\nid,language\n1,de\n2,en\n3,en\n",
        "\n".join(json.dumps(book) for book in BOOKS),
        "\n".join(json.dumps(book, indent=2) for book in BOOKS),
        f"Here you are:\n```json\n{json.dumps(BOOKS, indent=1)}\n```\nAnything else?",
        f"3 books\n{json.dumps({'books': BOOKS})}",
        "id: 1\nlanguage: de\n\nid: 2\nlanguage: en\n\nid: 3\nlanguage: en\n",
        "1. Faust\n   - **language:** de\n2. Emma\n   - **language:** en\n3. Ulysses\n   - **language:** en",
        '{"columns": ["id", "language"], "rows": [[1, "de"], [2, "en"], [3, "en"]]}',
        '{"columns": [{"name": "id"}, {"name": "language"}], "data": [[1, "de"], [2, "en"], [3, "en"]]}',
        '[["id", "language"], [1, "de"], [2, "en"], [3, "en"]]',
        '{"id": [1, 2, 3], "language": ["de", "en", "en"]}',
    ],
)
def test_tables_and_lines_are_rows_too(text: str) -> None:
    rows = found(text)
    assert [row["language"] for row in rows.rows] == ["de", "en", "en"]
    assert rows.total == 3


def test_a_total_in_words_counts_only_beside_the_number_of_rows() -> None:
    table = "\n\n| id | x |\n|---|---|\n| 1 | a |\n| 2 | b |\n"
    assert found(f"Showing 2 of 1,299 books{table}").total == 1299
    assert found(f"{table.lstrip()}\n2 von 45").total == 45
    assert found(f"5 of 6 stars{table}").total == 2


def test_plain_values_are_rows_where_they_are_all_there_is() -> None:
    assert found('["en", "de"]').rows == ({"value": "en"}, {"value": "de"})
    assert found('{"languages": ["en", "de"], "count": 2}').rows == ({"value": "en"}, {"value": "de"})


@pytest.mark.parametrize(
    "text",
    ["", "Hello there.", "5", '"word"', "[]", '{"books": []}', json.dumps(BOOKS[0]), '[{"id": 1}, {"id":', "[" * 300, f'[{{"a": {"9" * 5000}}}]',
     "Dear customer,\nyour order: it is on its way.\nSee you soon, and thank you, Ada"],
)  # fmt: skip
def test_what_holds_no_list_gives_none(text: str) -> None:
    assert find_rows(text) is None


def test_a_large_result_costs_little_more_than_its_small_fields() -> None:
    row = {"language": "en", "description": "long words " * 400, "cover": "A" * 4000}
    text = json.dumps({"items": [row] * 500})
    tracemalloc.start()
    rows = found(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(rows.rows) == 500
    assert peak < len(text) / 4


def test_addresses_are_not_cut() -> None:
    link = "https://shop.example/" + "a" * 1000
    row = found(json.dumps([{"link": link, "text": "b" * 1000}])).rows[0]
    assert row["link"] == link
    assert row["text"] == "b" * 300


def test_what_no_picture_takes_is_left_out() -> None:
    rows = found('[{"a\\u0000": "x\\ud800\\u202ey"}, {"a": 1}]').rows
    assert rows[0] == {"a": "xy"}


SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20))
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
)


@given(st.one_of(VALUES.map(json.dumps), st.text(max_size=200), st.text("|-:,;\t\n{}[]\"'ab1 ", max_size=120)))
def test_any_text_at_all_is_read_without_an_error(text: str) -> None:
    rows = find_rows(text)
    assert rows is None or rows.total >= len(rows.rows) > 0


@given(st.lists(st.dictionaries(st.text("abcdef", min_size=1, max_size=6), st.integers(), min_size=1), min_size=1))
def test_no_object_is_lost_or_changed(rows: list[dict[str, int]]) -> None:
    assert list(found(json.dumps(rows)).rows) == rows
    assert list(found(json.dumps({"note": "x", "things": rows})).rows) == rows
