"""The bookshop's search index: what can be matched in a book, what a match is worth, which books win."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from local.bookshop.models import LANGUAGES, Book
from local.bookshop.words import fold, is_cjk, stems, terms

_EXACT_TITLE = 10


@dataclass(frozen=True, slots=True)
class _Field:
    """One searchable text of a book: `worth` is what a match in it adds to the rank."""

    worth: int
    stems: frozenset[str]
    solid: str

    def matches(self, term: str) -> bool:
        return term in self.solid if is_cjk(term) else term in self.stems


@dataclass(frozen=True, slots=True)
class Indexed:
    """A book with its searchable texts."""

    book: Book
    fields: tuple[_Field, ...]
    titles: frozenset[str]

    def rank(self, wanted: tuple[str, ...], whole_query: str) -> tuple[int, int]:
        """How many of the terms are found, and how well."""
        worths = [sum(field.worth for field in self.fields if field.matches(term)) for term in wanted]
        exact = _EXACT_TITLE if whole_query in self.titles else 0
        return sum(1 for worth in worths if worth), sum(worths) + exact


def index(book: Book, subject_words: Mapping[str, str]) -> Indexed:
    """`book` made searchable; `subject_words` gives each subject its synonyms and translations, parted by |."""
    synonyms = [words for subject, words in subject_words.items() if f" {subject} " in f" {book.subject} "]
    fields = (
        _field(4, book.title, book.title_en),
        _field(3, book.author, book.author_en),
        _field(3, book.subject),
        _field(2, *synonyms),
        _field(1, LANGUAGES[book.language], book.level),
    )
    return Indexed(book, fields, frozenset({fold(book.title), fold(book.title_en)} - {""}))


def find(query: str, among: Iterable[Indexed]) -> list[Book]:
    """The books that match the most words of `query`, best first; all of them if it has no telling word."""
    wanted, whole = terms(query), fold(query.strip())
    ranked = [(entry.rank(wanted, whole), entry.book) for entry in among]
    most = max((matched for (matched, _), _ in ranked), default=0)
    if wanted and not most:
        return []
    kept = [(worth, book) for (matched, worth), book in ranked if matched == most]
    return [book for _, book in sorted(kept, key=lambda pair: -pair[0])]


def _field(worth: int, *texts: str) -> _Field:
    text = "|".join(texts)
    return _Field(worth, stems(text), "".join(fold(text).split()))
