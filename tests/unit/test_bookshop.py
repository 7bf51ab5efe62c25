"""What the demo tenant's bookshop promises its customers."""

from collections import Counter
from typing import Any

import pytest

from local.bookshop.catalogue import (
    Catalogue,
    NotEnoughCopies,
    UnknownBook,
    UnknownLanguage,
    load_catalogue,
)
from local.bookshop.models import LANGUAGES, Book

SUBJECTS = """
whale sea gardening cooking space mathematics dragon fantasy detective philosophy history children
poetry love war programming chess music birds mountains physics
"""


@pytest.fixture
def shop() -> Catalogue:
    return load_catalogue()


def titles(shop: Catalogue, query: str, **filters: Any) -> list[str]:
    return [book.title for book in shop.search(query, limit=50, **filters).books]


def a_book(shop: Catalogue, copies: int) -> Book:
    return next(book for book in shop.books if book.copies == copies)


def test_the_shop_sells_at_least_two_hundred_books_each_with_its_own_id(shop: Catalogue):
    assert len(shop.books) >= 200
    assert len({book.book_id for book in shop.books}) == len(shop.books)
    assert len({(book.title, book.author) for book in shop.books}) == len(shop.books)


def test_most_books_are_english_and_every_other_language_has_a_shelf(shop: Catalogue):
    by_language = Counter(book.language for book in shop.books)
    assert set(by_language) == set(LANGUAGES)
    assert by_language["en"] > len(shop.books) / 2
    assert min(by_language[code] for code in ("zh", "ja", "ru", "ko")) >= 15


def test_every_book_in_another_language_has_an_english_title(shop: Catalogue):
    assert [book.book_id for book in shop.books if bool(book.title_en) != (book.language != "en")] == []


def test_prices_years_and_stock_are_plausible(shop: Catalogue):
    assert all(1 <= book.price_eur <= 100 and 1500 <= book.year <= 2025 and book.copies <= 12 for book in shop.books)


@pytest.mark.parametrize("subject", SUBJECTS.split())
def test_every_subject_of_the_demo_has_at_least_three_books(shop: Catalogue, subject: str):
    assert sum(subject in book.subject.split() for book in shop.books) >= 3


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("moby dick", "Moby-Dick"),
        ("三体", "三体"),
        ("村上春樹", "海辺のカフカ"),
        ("достоевский", "Братья Карамазовы"),
        ("고래", "고래"),
    ],
)
def test_a_search_in_any_of_five_scripts_finds_the_title_or_the_author(shop: Catalogue, query: str, title: str):
    assert title in titles(shop, query)


def test_a_search_in_korean_finds_the_korean_title_first(shop: Catalogue):
    assert titles(shop, "고래에 관한 책")[0] == "고래"


def test_a_title_spaced_differently_in_korean_is_still_found(shop: Catalogue):
    assert titles(shop, "엄마를부탁해") == ["엄마를 부탁해"]


@pytest.mark.parametrize(
    "query", ["whale", "Whales", "book about whales", "鲸鱼", "クジラの本", "книги о китах", "Wale"]
)
def test_a_subject_is_found_in_the_language_the_customer_writes(shop: Catalogue, query: str):
    assert "Moby-Dick" in titles(shop, query)
    assert shop.search(query).total == shop.search("whale").total


def test_a_search_in_english_finds_a_book_in_another_script(shop: Catalogue):
    assert titles(shop, "War and Peace")[0] == "Война и мир"
    assert "ノルウェイの森" in titles(shop, "Murakami")


def test_case_and_accents_make_no_difference(shop: Catalogue):
    assert titles(shop, "GARCIA MARQUEZ") == titles(shop, "García Márquez") != []
    assert titles(shop, "фЁдор") == titles(shop, "федор") != []


def test_voiced_kana_are_not_taken_for_accents(shop: Catalogue):
    assert titles(shop, "ぐりとぐら") == ["ぐりとぐら"]
    assert titles(shop, "くりとくら") == []


def test_a_possessive_is_no_word_of_its_own(shop: Catalogue):
    assert titles(shop, "children's books") == titles(shop, "children")


def test_the_exact_title_comes_first(shop: Catalogue):
    assert titles(shop, "Leviathan") == ["Leviathan", "Leviathan, or The Whale"]


def test_books_that_match_every_word_hide_those_that_match_fewer(shop: Catalogue):
    assert all("Python" in title for title in titles(shop, "programming python"))


def test_a_word_that_no_book_has_does_not_empty_the_result(shop: Catalogue):
    assert titles(shop, "bargain chess") == titles(shop, "chess")


def test_a_search_that_matches_nothing_says_so(shop: Catalogue):
    assert shop.search("xyzzy").model_dump() == {"total": 0, "books": []}


def test_the_total_counts_the_books_beyond_the_limit(shop: Catalogue):
    found = shop.search("love", limit=3)
    assert len(found.books) == 3
    assert found.total > 3


def test_filters_hold_for_every_book_found(shop: Catalogue):
    found = shop.search("", language="ko", level="easy", max_price=12, limit=50).books
    assert found
    assert all(book.language == "ko" and book.level == "easy" and book.price_eur <= 12 for book in found)


def test_a_language_may_be_named_in_english_or_with_a_region(shop: Catalogue):
    assert titles(shop, "", language="Chinese") == titles(shop, "", language="zh-CN") == titles(shop, "", language="zh")


def test_an_unknown_language_is_refused_with_the_ones_there_are(shop: Catalogue):
    with pytest.raises(UnknownLanguage, match=r"'xx'.*en, zh, ja"):
        shop.search("love", language="xx")


def test_a_hold_takes_the_copies_off_the_free_stock(shop: Catalogue):
    book = a_book(shop, copies=3)
    hold = shop.hold(book.book_id, "Ana", 2)
    assert (hold.copies_left, hold.total_eur) == (1, round(2 * book.price_eur, 2))
    assert shop.stock(book.book_id).copies == 1


def test_the_same_hold_made_twice_is_two_holds(shop: Catalogue):
    book = a_book(shop, copies=3)
    first, second = shop.hold(book.book_id, "Ana"), shop.hold(book.book_id, "Ana")
    assert first.hold_number != second.hold_number
    assert shop.holds == (first, second)


def test_a_hold_refuses_more_than_is_in_stock_and_takes_nothing(shop: Catalogue):
    book = a_book(shop, copies=2)
    with pytest.raises(NotEnoughCopies, match="Only 2 of the 3"):
        shop.hold(book.book_id, "Ana", 3)
    assert shop.stock(book.book_id).copies == 2
    assert shop.holds == ()


def test_a_sold_out_book_cannot_be_held(shop: Catalogue):
    with pytest.raises(NotEnoughCopies, match="No copy"):
        shop.hold(a_book(shop, copies=0).book_id, "Ana")


def test_an_unknown_book_is_refused_with_the_way_to_find_one(shop: Catalogue):
    with pytest.raises(UnknownBook, match=r"'B999'.*search_books"):
        shop.details("B999")


def test_an_id_in_lower_case_names_the_same_book(shop: Catalogue):
    assert shop.details(" b001 ").title == "Moby-Dick"


def test_what_one_page_left_out_the_next_one_lists(shop: Catalogue):
    first, rest = shop.search("whale", limit=4), shop.search("whale", limit=50, offset=4)
    assert first.total == rest.total == len(first.books) + len(rest.books)
    assert [*first.books, *rest.books] == shop.search("whale", limit=50).books


def test_an_offset_beyond_the_last_book_lists_nothing_and_still_counts(shop: Catalogue):
    found = shop.search("whale", offset=1000)
    assert (found.books, found.total) == ([], shop.search("whale").total)


def test_every_book_has_its_own_page_and_cover(shop: Catalogue):
    found = shop.search("moby dick").books[0]
    assert found.link == shop.details("B001").link == "https://readingroom.example/books/B001"
    assert found.image == "https://readingroom.example/covers/B001.jpg"


@pytest.mark.parametrize(
    ("subject", "query"),
    [
        ("whale", "livros sobre baleias"),
        ("chess", "libri di scacchi"),
        ("dragon", "ejderhalar hakkında kitaplar"),
        ("cooking", "كتب الطبخ"),
        ("war", "حرب"),
        ("philosophy", "felsefe"),
        ("birds", "uccelli"),
        ("mountains", "livros de montanhas"),
    ],
)
def test_a_subject_is_found_in_languages_the_shop_has_no_books_in(shop: Catalogue, subject: str, query: str):
    assert set(titles(shop, query)) == set(titles(shop, subject)) != set()


@pytest.mark.parametrize(
    ("query", "like"), [("クジラ写真集", "whale"), ("satrançlarımız", "chess"), ("musicians", "music")]
)
def test_an_inflected_or_compound_word_is_found_where_nothing_else_is(shop: Catalogue, query: str, like: str):
    assert set(titles(shop, query)) == set(titles(shop, like)) != set()


def test_a_language_may_be_named_in_any_language(shop: Catalogue):
    assert (
        titles(shop, "", language="Rusça") == titles(shop, "", language="Russisch") == titles(shop, "", language="ru")
    )
