"""What can be matched in a book."""

from collections.abc import Mapping

from local import languages
from local.bookshop.models import Book
from local.matching import Indexed, field, indexed


def index(book: Book, subject_words: Mapping[str, str]) -> Indexed[Book]:
    """`book` made searchable; `subject_words` gives each subject its synonyms and translations, parted by |."""
    synonyms = [words for subject, words in subject_words.items() if f" {subject} " in f" {book.subject} "]
    fields = (
        field(4, book.title, book.title_en),
        field(3, book.author, book.author_en),
        field(3, book.subject),
        field(2, *synonyms),
        field(1, languages.words(book.language), book.level),
    )
    return indexed(book, fields, (book.title, book.title_en))
