"""What a chart counts, how it names it, and the specification of the picture."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnkey.deliverables.charts import Aggregate, ChartError, aggregate, alt, chart_title, drawing, spec
from turnkey.deliverables.charts.vocabulary import LANGUAGES
from turnkey.deliverables.rows import Rows

BOOKS = (
    [{"language": "English", "author": {"name": "Austen"}, "price_eur": 10, "tags": ["novel", "love"]}] * 5
    + [{"language": "German", "author": {"name": "Goethe"}, "price_eur": "20,50 €", "tags": ["novel"]}] * 3
    + [{"language": None, "author": {"name": "Anon"}, "price_eur": 30, "tags": []}] * 2
)


def counted(rows: list[dict[str, Any]], group_by: str, measure: str = "count", total: int = 0) -> Aggregate:
    return aggregate(Rows(tuple(rows), max(total, len(rows))), group_by, measure)


def values(found: Aggregate) -> list[tuple[str, float | None]]:
    return [(group.text or group.kind, group.value) for group in found.groups]


def told(found: Aggregate, language: str = "en") -> list[str]:
    return alt(found, language).split(", ")


def drawn(found: Aggregate, kind: str = "") -> str:
    picture = spec(found, kind)
    mark = picture["mark"] if "mark" in picture else picture["layer"][0]["mark"]
    return str(mark["type"])


def labels(picture: dict[str, Any]) -> list[str]:
    return [value["label"] for value in picture["data"]["values"]]


def test_rows_are_counted_by_a_field_and_the_missing_are_named() -> None:
    assert told(counted(BOOKS, "language")) == ["English: 5", "German: 3", "Not given: 2"]
    assert told(counted(BOOKS, "language"), "tr")[2] == "Belirtilmemiş: 2"


def test_a_field_inside_an_object_is_found_by_its_path_and_by_the_object() -> None:
    expected = [("Austen", 5), ("Goethe", 3), ("Anon", 2)]
    assert values(counted(BOOKS, "author.name")) == values(counted(BOOKS, "author")) == expected


def test_each_value_of_a_list_counts_once_a_row() -> None:
    rows = [{"tags": ["a", "b", "a"]}, {"tags": ["a"]}, {"tags": []}]
    assert values(counted(rows, "tags")) == [("a", 2), ("b", 1), ("missing", 1)]


def test_spellings_that_differ_in_case_are_one_group() -> None:
    assert values(counted([{"x": "Rome"}, {"x": "Rome "}, {"x": "ROME"}, {"x": "Oslo"}], "x")) == [
        ("Rome", 3),
        ("Oslo", 1),
    ]


@pytest.mark.parametrize(
    ("measure", "english"),
    [
        ("sum:price_eur", 50),
        ("total price_eur", 50),
        ("avg price", 10),
        ("mean(price_eur)", 10),
        ("price", 10),
        ("min:price_eur", 10),
        ("highest price", 10),
        ("平均价格", 10),
        ("средняя цена", 10),
        ("Summe Preis", 50),
        ("COUNT(*)", 5),
        ("number of books", 5),
        ("", 5),
    ],
)
def test_measures_are_read_as_models_write_them(measure: str, english: float) -> None:
    assert dict(values(counted(BOOKS, "language", measure)))["English"] == english


def test_prices_written_as_text_are_summed() -> None:
    rows = [{"g": "a", "price": price} for price in ("12,90 €", "1.234,50 €", "7 €")]
    found = counted(rows, "g", "sum:price")
    assert found.groups[0].value == pytest.approx(1254.4)
    assert chart_title(counted(rows, "g", "average:price"), "de").startswith("Preis (EUR) – Durchschnitt")


def test_currencies_are_never_added_up() -> None:
    with pytest.raises(ChartError, match=r"several currencies: \$, EUR"):
        counted([{"g": "a", "price": "5 €"}, {"g": "a", "price": "$6"}], "g", "sum:price")


def test_past_twenty_groups_the_smaller_ones_are_together_and_none_is_lost() -> None:
    rows = [{"x": f"author {'abcdefghijklmnopqrstuvwxyz'[place]}"} for place in range(26) for _ in range(place + 1)]
    found = counted(rows, "x")
    assert len(found.groups) == 20
    assert found.groups[0].value == 26
    assert (found.groups[-1].kind, found.groups[-1].value) == ("other", sum(range(1, 8)))


def test_the_rest_is_averaged_over_its_rows_not_over_its_groups() -> None:
    rows = [{"x": f"n{'abcdefghijklmnopqrstuvwxyz'[place % 26]}", "v": place} for place in range(26 * 3)]
    rows += [{"x": "odd one", "v": 1000}]
    rest = counted(rows, "x", "average:v").groups[-1]
    assert rest.kind == "other"
    assert rest.rows == 3 * 7 + 1


@pytest.mark.parametrize(
    ("dates", "unit", "periods"),
    [
        (["2024-03-01", "2024-03-04T10:00:00Z"], "day", 4),
        (["01.03.2024", "15.05.2024"], "week", 12),
        (["March 1, 2023", "2 May 2024"], "month", 15),
        (["2001", "2011"], "year", 11),
        (["1605", "1999"], "decade", 40),
        (["2024-03-01T08:10", "2024-03-01T12:40"], "hour", 5),
    ],
)
def test_dates_fall_into_periods_as_the_span_suits_and_none_is_leapt_over(
    dates: list[str], unit: str, periods: int
) -> None:
    found = counted([{"published_date": date} for date in dates], "published_date")
    assert (found.unit, len(found.groups)) == (unit, periods)
    assert [group.value for group in found.groups][1:-1] == [0] * (periods - 2)
    assert drawn(found) == "line"


def test_the_period_asked_for_is_taken() -> None:
    rows = [{"published_at": f"20{year}-05-01"} for year in range(10, 16)]
    assert counted(rows, "published_at").unit == "year"
    assert counted(rows, "published_at by month").unit == "month"


def test_a_period_without_rows_has_no_average() -> None:
    rows = [{"year": 2001, "v": 5}, {"year": 2003, "v": 7}]
    assert [group.value for group in counted(rows, "year", "avg:v").groups] == [5, None, 7]


def test_rows_without_a_date_are_said_to_be_left_out() -> None:
    found = counted([{"date": "2024-01-01"}] * 3 + [{"date": None}], "date")
    assert spec(found, language="pt")["title"]["subtitle"] == ["Não informado: 1"]


def test_a_rest_that_would_dwarf_all_bars_is_told_in_words() -> None:
    rows = [{"x": f"w{letter}{other}"} for letter in "abcdefghijkl" for other in "abcdefghijkl"]
    picture = spec(counted(rows, "x"), language="it")
    assert picture["title"]["subtitle"] == ["Altri: 125"]
    assert len(labels(picture)) == 19


def test_many_numbers_are_put_into_ranges_with_readable_edges() -> None:
    found = counted([{"pages": pages} for pages in range(13, 600, 7)], "pages")
    assert told(found)[:2] == ["0–99: 13", "100–199: 14"]
    assert sum(group.rows for group in found.groups) == len(range(13, 600, 7))


def test_ranges_grow_where_equal_ones_would_hold_nearly_all_rows() -> None:
    found = counted([{"price": price} for price in [*range(1, 60), 9000, 15000]], "price")
    assert max(group.rows for group in found.groups) < 40


@pytest.mark.parametrize(
    ("shuffled", "ordered"),
    [
        (["B1", "A2", "A1", "C1"], ["A1", "A2", "B1", "C1"]),
        (["L", "S", "XL", "M"], ["S", "M", "L", "XL"]),
        (["Level 10", "Level 2"], ["Level 2", "Level 10"]),
        (["Sonntag", "Montag", "Dienstag"], ["Montag", "Dienstag", "Sonntag"]),
        (["金曜日", "月曜日"], ["月曜日", "金曜日"]),
        (["Mar", "Jan", "Feb"], ["Jan", "Feb", "Mar"]),
    ],
)
def test_scales_keep_their_own_order(shuffled: list[str], ordered: list[str]) -> None:
    rows = [{"x": label} for place, label in enumerate(shuffled) for _ in range(place + 1)]
    assert [group.text for group in counted(rows, "x").groups] == ordered


def test_an_unknown_field_is_answered_with_those_that_exist() -> None:
    with pytest.raises(ChartError) as error:
        counted(BOOKS, "langauge")
    assert "Did you mean 'language'?" in str(error.value)
    assert "language, author.name, price_eur, tags" in str(error.value)


@pytest.mark.parametrize("measure", ["sum:language", "median price_eur", "sum:nonsense", "average"])
def test_an_impossible_measure_is_refused_with_what_is_possible(measure: str) -> None:
    rows = [{**row, "pages": 3} for row in BOOKS]
    with pytest.raises(ChartError, match=r"price_eur|count, or sum"):
        counted(rows, "language", measure)


def test_a_field_that_is_empty_throughout_is_refused() -> None:
    with pytest.raises(ChartError, match="'x' is empty in all rows"):
        counted([{"x": None, "y": 1}], "x")
    with pytest.raises(ChartError, match="no rows"):
        counted([], "x")


@pytest.mark.parametrize(
    ("kind", "mark"),
    [("", "bar"), ("pie", "arc"), ("Tortendiagramm", "arc"), ("donut", "arc"), ("column", "bar"), ("histogram", "bar"),
     ("折れ線グラフ", "line"), ("Balkendiagramm", "bar"), ("nonsense", "bar")],
)  # fmt: skip
def test_kinds_are_read_as_models_and_customers_call_them(kind: str, mark: str) -> None:
    assert drawn(counted(BOOKS, "language"), kind) == mark


def test_a_pie_is_drawn_only_of_few_parts_of_a_whole() -> None:
    assert drawn(counted([{"x": f"w{letter}"} for letter in "abcdefghi"], "x"), "pie") == "bar"
    assert drawn(counted(BOOKS, "language", "average:price_eur"), "pie") == "bar"
    assert drawn(counted(BOOKS, "tags"), "pie") == "bar"


def test_the_title_says_when_it_is_based_on_a_part() -> None:
    found = counted(BOOKS, "language", total=299)
    assert chart_title(found, "en") == "Count by language (10 of 299)"
    assert chart_title(found, "zh") == "按语言统计：数量 (299 条中的 10 条)"
    assert chart_title(found, "de", "Unsere Bücher") == "Unsere Bücher (10 von 299)"
    assert chart_title(counted(BOOKS, "language"), "ja") == "言語別：件数"


@pytest.mark.parametrize("language", LANGUAGES)
def test_titles_axes_and_numbers_are_in_the_customers_language(language: str) -> None:
    rows = [{"language": "x", "price_eur": 1234567.5}] * 2 + [{"language": None, "price_eur": 2}]
    picture = spec(counted(rows, "language", "sum:price_eur", total=4000), language=language)
    said = json.dumps(picture, ensure_ascii=False)
    assert (language == "en") == ("Language" in said)
    assert (language == "en") == ("Not given" in said)
    figure = picture["data"]["values"][0]["figure"]
    assert figure == "2{0}469{0}135".format(picture["config"]["locale"]["number"]["thousands"])


def test_arabic_runs_from_right_to_left() -> None:
    picture = spec(counted(BOOKS, "language"), language="ar")
    assert picture["encoding"]["y"]["axis"]["orient"] == "right"
    assert picture["encoding"]["x"]["scale"]["reverse"] is True
    assert picture["title"]["text"][0].startswith("\u202b")


def test_long_labels_are_cut_and_still_told_apart() -> None:
    rows = [
        {"x": f"A title that goes on and on for much longer than any chart has room, part {part}"} for part in "abc"
    ]
    shown = labels(spec(counted(rows, "x")))
    assert len(set(shown)) == 3
    assert all(len(line) < 45 for label in shown for line in label.split("\n"))


def test_the_words_for_a_picture_are_bounded() -> None:
    found = counted([{"x": "w" * 150 + letter} for letter in "abcdefghijklmnop"], "x")
    assert len(alt(found, "fr")) < 700
    assert "autres" in alt(found, "fr")


def test_the_tools_plan_counts_all_rows_of_the_stored_result() -> None:
    text = json.dumps({"total": 40, "books": [{"language": "de"}] * 30})
    planned = drawing.plan({"handle": "r1", "group_by": "language"}, text, "es", "Libros")
    assert isinstance(planned, drawing.Planned)
    assert (planned.title, planned.alt, planned.rows, planned.total) == ("Libros (30 de 40)", "de: 30", 30, 40)


def test_the_tools_plan_tells_the_model_what_went_wrong() -> None:
    assert "no list of rows" in str(drawing.plan({"handle": "r1", "group_by": "x"}, "Hello.", "en"))
    answer = drawing.plan({"handle": "r1", "group_by": "x"}, json.dumps([{"a": 1}, {"a": 2}]), "en")
    assert answer == "The rows have no field 'x'. Fields: a."


TEXTS = st.one_of(st.text(max_size=12), st.sampled_from(["a", "b", "2024-01-05", "12,50 €", "7", "true", ""]))
CELLS = st.one_of(TEXTS, st.integers(), st.floats(), st.none(), st.booleans(), st.lists(TEXTS, max_size=3))
ROWS = st.lists(st.fixed_dictionaries({"field": CELLS, "amount": CELLS}), min_size=1, max_size=30)


@given(ROWS, st.sampled_from(["count", "sum:amount", "average:amount", "amount"]), st.sampled_from(["", "line", "pie"]))
def test_any_values_give_a_chart_or_say_why_not(rows: list[dict[str, Any]], measure: str, kind: str) -> None:
    try:
        found = counted(rows, "field", measure)
    except ChartError:
        return
    picture = spec(found, kind, language="ru")
    assert json.loads(json.dumps(picture, allow_nan=False)) == picture
    assert len(set(labels(picture))) == len(found.groups)


@given(st.lists(st.sampled_from(["x", "y", "z", None]), min_size=1).filter(any))
def test_counts_add_up_to_the_rows(cells: list[str | None]) -> None:
    found = counted([{"cell": cell} for cell in cells], "cell")
    assert {group.text or None: group.value for group in found.groups} == Counter(cells)
