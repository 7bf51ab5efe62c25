"""What the bookshop keeps and hands out. All values are frozen; prices are in EUR."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Level = Literal["easy", "medium", "advanced"]
LANGUAGES = ("en", "zh", "ja", "ru", "ko", "de", "fr", "es")


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Described(_Value):
    book_id: str = Field(description="What the other tools ask for, such as B001")
    title: str = Field(description="In the book's own script")
    author: str
    year: int = Field(description="Year of first publication")
    language: str = Field(description="ISO 639-1 code, such as en or ko")
    level: Level = Field(description="How hard it is to read")
    subject: str
    price_eur: float = Field(description="Price of one copy in EUR")


class BookCard(_Described):
    """A book as a search lists it."""

    link: str = Field(description="The book's page")
    image: str = Field(description="Picture of the cover")


class BookDetails(BookCard):
    """Everything about a book but its stock."""

    title_en: str = Field(description="English title of a book in another language, else empty")
    author_en: str = Field(description="Author in Latin letters where the original script differs, else empty")


class Book(_Described):
    """A row of books.csv."""

    title_en: str
    author_en: str
    copies: int = Field(ge=0)


class SearchResult(_Value):
    """The best matches of a search."""

    total: int = Field(description="How many books match, listed here or not")
    books: list[BookCard] = Field(description="The best matches, best first")


class Stock(_Value):
    """What is free to sell or hold now."""

    book_id: str
    title: str
    copies: int = Field(description="Copies free now; 0 means sold out or all on hold")
    shelf: str = Field(description="Where the book stands in the shop")


class Hold(_Value):
    """Copies set aside for a customer."""

    hold_number: str = Field(description="What the customer says at the till")
    book_id: str
    title: str
    customer_name: str
    copies: int = Field(description="Copies set aside by this hold")
    copies_left: int = Field(description="Copies still free after this hold")
    total_eur: float = Field(description="To pay at pickup, in EUR")
