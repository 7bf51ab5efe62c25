"""The bookshop's rules: what is on the shelves, what a search finds, what can be held.

Stock and holds live in memory: a restart brings back the stock of books.csv.
"""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path

from local.bookshop.index import index
from local.bookshop.models import LANGUAGES, Book, BookCard, BookDetails, Hold, SearchResult, Stock
from local.languages import code_for
from local.matching import find

ANY = "any"
_HERE = Path(__file__).parent
_BOOKS_A_SHELF = 15
_SITE = "https://readingroom.example"


class BookshopError(Exception):
    """The shop cannot do what was asked; the message says why and what to do instead."""


class UnknownBook(BookshopError):
    """No book has this id."""


class UnknownLanguage(BookshopError):
    """The shop sells no books in this language."""


class NotEnoughCopies(BookshopError):
    """Fewer copies are free than were asked for."""


class Catalogue:
    """The books of one shop, with the stock that holds have left."""

    def __init__(self, books: Iterable[Book], subject_words: Mapping[str, str]) -> None:
        self._books = {book.book_id: book for book in books}
        self._indexed = [index(book, subject_words) for book in self._books.values()]
        self._free = {book.book_id: book.copies for book in self._books.values()}
        self._holds: list[Hold] = []

    @property
    def books(self) -> tuple[Book, ...]:
        """Every book, in the order of the file, with the stock it started with."""
        return tuple(self._books.values())

    @property
    def holds(self) -> tuple[Hold, ...]:
        """The holds made since the start, oldest first."""
        return tuple(self._holds)

    def search(
        self, query: str, language: str = ANY, level: str = ANY, max_price: float = 0, limit: int = 5, offset: int = 0
    ) -> SearchResult:
        """The books that match the most words of `query`, best first, at most `limit` after the first `offset`.

        `language` is an ISO code or an English name, `level` a reading level, `max_price` EUR with 0 for any.
        A query without telling words lists everything that passes the filters.

        Raises UnknownLanguage.
        """
        code = _language_code(language)
        allowed = [entry for entry in self._indexed if _passes(entry.item, code, level, max_price)]
        found = find(query, allowed).items
        return SearchResult(total=len(found), books=[_card(book) for book in found[offset : offset + limit]])

    def details(self, book_id: str) -> BookDetails:
        """The book with this id. Raises UnknownBook."""
        book = self._book(book_id)
        return BookDetails(**book.model_dump(exclude={"copies"}), link=_link(book), image=_image(book))

    def stock(self, book_id: str) -> Stock:
        """Free copies and shelf of the book with this id. Raises UnknownBook."""
        book = self._book(book_id)
        return Stock(book_id=book.book_id, title=book.title, copies=self._free[book.book_id], shelf=_shelf(book))

    def hold(self, book_id: str, customer_name: str, copies: int = 1) -> Hold:
        """Takes `copies` (1 or more) off the free stock for a customer; each call is a hold of its own.

        Raises UnknownBook, NotEnoughCopies.
        """
        book = self._book(book_id)
        left = self._free[book.book_id] - copies
        if left < 0:
            raise NotEnoughCopies(_too_few(book, copies, self._free[book.book_id]))
        self._free[book.book_id] = left
        hold = Hold(
            hold_number=f"H{len(self._holds) + 1:04d}",
            book_id=book.book_id,
            title=book.title,
            customer_name=customer_name,
            copies=copies,
            copies_left=left,
            total_eur=round(copies * book.price_eur, 2),
        )
        self._holds.append(hold)
        return hold

    def _book(self, book_id: str) -> Book:
        found = self._books.get(book_id.strip().upper())
        if found is None:
            raise UnknownBook(f"No book has the id {book_id!r}. Use search_books to find the book and its book_id.")
        return found


def load_catalogue() -> Catalogue:
    """A fresh catalogue with the stock of books.csv."""
    subject_words = {row["subject"]: row["words"] for row in _rows("subject_words.csv")}
    return Catalogue([Book.model_validate(row) for row in _rows("books.csv")], subject_words)


def _rows(name: str) -> list[dict[str, str]]:
    with (_HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _language_code(language: str) -> str:
    if language.strip().casefold() in ("", ANY):
        return ANY
    code = code_for(language, LANGUAGES)
    if code is None:
        codes = ", ".join(LANGUAGES)
        raise UnknownLanguage(f"The shop has no books in the language {language!r}. Use one of {codes}, or {ANY}.")
    return code


def _passes(book: Book, code: str, level: str, max_price: float) -> bool:
    return (
        code in (ANY, book.language) and level in (ANY, book.level) and (max_price <= 0 or book.price_eur <= max_price)
    )


def _card(book: Book) -> BookCard:
    fields = book.model_dump(include=set(BookCard.model_fields))
    return BookCard(**fields, link=_link(book), image=_image(book))


def _link(book: Book) -> str:
    return f"{_SITE}/books/{book.book_id}"


def _image(book: Book) -> str:
    return f"{_SITE}/covers/{book.book_id}.jpg"


def _shelf(book: Book) -> str:
    return f"{book.language.upper()}-{(int(book.book_id[1:]) - 1) // _BOOKS_A_SHELF + 1:02d}"


def _too_few(book: Book, wanted: int, free: int) -> str:
    if not free:
        return f"No copy of {book.title!r} ({book.book_id}) is free now. Nothing was held; offer another book."
    return (
        f"Only {free} of the {wanted} copies of {book.title!r} ({book.book_id}) are free now. "
        f"Nothing was held; ask the customer whether {free} will do."
    )
