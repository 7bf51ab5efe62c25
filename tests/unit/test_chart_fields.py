"""From words to fields, and from what is written in them to numbers and dates."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnkey.deliverables.charts import match_field
from turnkey.deliverables.charts.dates import Moment, read_moments
from turnkey.deliverables.charts.labels import field_title
from turnkey.deliverables.charts.numbers import read_numbers
from turnkey.deliverables.charts.vocabulary import LANGUAGES, names, phrase, title

BOOKS = [
    {
        "book_id": "b1",
        "title": "Emma",
        "author": {"id": 3, "name": "Austen", "birth_year": 1775},
        "language": "en",
        "level": "B2",
        "price_eur": 12.5,
        "subjects": ["love"],
        "published_at": "1815-12-23",
        "pageCount": 300,
        "doctor_name": "Dr. Weber",
        "color": "red",
        "copies": 2,
    }
]


@pytest.mark.parametrize(
    "words",
    [
        "by language", "nach Sprache", "nach Sprachen", "par langue", "por idioma", "per lingua", "по языкам", "按语言",
        "言語別", "언어별로", "حسب اللغة", "dillere göre", "languages", "Language",
        "Show me a chart of the number of books by language",
        "Zeig mir bitte ein Diagramm: wie viele Bücher gibt es pro Sprache?",
        "Постройте график количества книг по языкам",
        "请画一张各语言图书数量的图表",
        "言語ごとの本の数をグラフにして、言語別で",
        "ارسم لي مخططا لعدد الكتب حسب اللغة",
    ],
)  # fmt: skip
def test_customers_words_lead_to_the_field_in_twelve_languages(words: str) -> None:
    assert match_field(words, BOOKS) == "language"


@pytest.mark.parametrize(
    ("words", "field"),
    [
        ("per author", "author.name"),
        ("по авторам", "author.name"),
        ("著者別", "author.name"),
        ("by author birth year", "author.birth_year"),
        ("nach Preis", "price_eur"),
        ("por precio", "price_eur"),
        ("by subject", "subjects"),
        ("par niveau", "level"),
        ("over time", "published_at"),
        ("pro Jahr", "published_at"),
        ("per month", "published_at"),
        ("number of pages", "pageCount"),
        ("nach Seitenzahl", "pageCount"),
        ("nach Arzt", "doctor_name"),
        ("per medico", "doctor_name"),
        ("renge göre", "color"),
        ("by colour", "color"),
        ("stock by level", "level"),
        ("by book id", "book_id"),
    ],
)
def test_other_fields_are_found_as_well(words: str, field: str) -> None:
    assert match_field(words, BOOKS) == field


@pytest.mark.parametrize("words", ["", "hello", "what is the weather like", "by category", "按城市", "Привет"])
def test_words_that_fit_no_field_give_none(words: str) -> None:
    assert match_field(words, BOOKS) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_concept_is_found_by_its_name_in_every_language(language: str) -> None:
    for concept in {concept for concept, _ in names()}:
        own = title(concept, language)
        assert own
        assert match_field(own, [{concept: "x"}]) == concept, own


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_month_has_a_name_that_is_read_back(language: str) -> None:
    months = phrase("months", language).split()
    texts = [phrase("day", language, day="5", month=month) + " 2024" for month in months]
    if not months[0][0].isdigit():
        assert [found and found.month for found in read_moments(texts, timely=False)] == list(range(1, 13))


@pytest.mark.parametrize(
    ("path", "language", "name"),
    [
        ("price_eur", "en", "Price (EUR)"),
        ("price_eur", "de", "Preis (EUR)"),
        ("author.name", "fr", "Auteur"),
        ("node.author.name", "ja", "著者"),
        ("pageCount", "es", "Páginas"),
        ("publication_year", "ru", "Год"),
        ("daysOpen", "de", "Days open"),
        ("Оценка", "en", "Rating"),
        ("is_free", "en", "Free"),
    ],
)
def test_axes_name_fields_as_people_do(path: str, language: str, name: str) -> None:
    assert field_title(path, language) == name


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("12,90 €", 12.9), ("1.234,50", 1234.5), ("$1,200", 1200), ("1 234,5", 1234.5), ("1\u202f234", 1234),
        ("1,200", 1200), ("1.200", 1.2), ("1.200 €", 1200), ("1.234.567", 1234567), ("0,5", 0.5), (".5", 0.5),
        ("4.5/5", 4.5), ("12 kg", 12), ("-5", -5), ("−5", -5), ("(1,200)", -1200), ("$-3", -3), ("1e3", 1000),
        ("1.2k", 1200), ("3 Mio.", 3e6), ("5万", 50000), ("12%", 12), ("٣٫٥", 3.5), ("１２", 12), ("CHF 1’234.50", 1234.5),
        ("R$ 1.234,56", 1234.56), (7, 7), (2.5, 2.5),
    ],
)  # fmt: skip
def test_numbers_are_read_as_they_are_written(written: object, value: float) -> None:
    (number,) = read_numbers([written])
    assert number is not None
    assert number.value == pytest.approx(value)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "A1",
        "2024-03-05",
        "12:30",
        "10-20",
        "192.168.1.1",
        "+49 170 1234567",
        "five",
        True,
        None,
        float("nan"),
        "1,2,3",
    ],
)
def test_what_is_no_number_is_none(written: object) -> None:
    assert read_numbers([written]) == [None]


def test_a_column_settles_what_one_value_leaves_open() -> None:
    assert [number and number.value for number in read_numbers(["1.200", "3,50"])] == [1200, 3.5]
    assert [number and number.value for number in read_numbers(["1.200", "3.50"])] == [1.2, 3.5]
    assert [number and number.value for number in read_numbers(["1,200", "3,5"])] == [1.2, 3.5]


@given(st.integers(-(10**9), 10**9), st.sampled_from(LANGUAGES))
def test_a_number_written_in_any_language_is_read_back(value: int, language: str) -> None:
    grouped = f"{value:,}".replace(",", phrase("thousands", language))
    (number,) = read_numbers([grouped + phrase("decimal", language) + "25"])
    assert number is not None
    assert number.value == pytest.approx(float(f"{value}.25"))


@pytest.mark.parametrize(
    "written",
    [
        "2024-03-05", "2024-03-05T10:11:12Z", "2024/3/5", "05.03.2024", "5.3.2024", "31/12/2023|05/03/2024",
        "12/31/2023|03/05/2024", "2024年3月5日", "2024년 3월 5일", "5 March 2024", "March 5th, 2024", "5. März 2024",
        "5 mars 2024", "5 de marzo de 2024", "5 марта 2024", "5 Mart 2024", "5 مارس 2024", "Tue, 05 Mar 2024 10:00:00 GMT",
    ],
)  # fmt: skip
def test_dates_are_read_as_they_are_written(written: str) -> None:
    found = read_moments(written.split("|"), timely=False)[-1]
    assert found is not None
    assert found[:3] == (2024, 3, 5)


def test_years_and_seconds_are_dates_only_where_the_field_speaks_of_time() -> None:
    assert read_moments([1815, "-450", 1709632800], timely=False) == [None, None, None]
    assert read_moments([1815, "-450", 1709632800], timely=True) == [Moment(1815), Moment(-450), Moment(2024, 3, 5, 10)]


@pytest.mark.parametrize("written", ["2024-13-01", "2024-02-30", "12.50", "hello 2024", "1.2.3", "", "10"])
def test_what_is_no_date_is_none(written: str) -> None:
    assert read_moments([written], timely=False) == [None]
