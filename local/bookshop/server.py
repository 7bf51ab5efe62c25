"""The bookshop as an MCP server: `python -m local.bookshop.server --host 127.0.0.1 --port 8930`."""

import sys
from typing import Annotated, Literal

from mcp.server.mcpserver import MCPServer
from pydantic import Field

from local import mcp_server
from local.bookshop.catalogue import ANY, BookshopError, Catalogue, load_catalogue
from local.bookshop.models import BookDetails, Hold, SearchResult, Stock
from local.mcp_server import ADDS, READS, CountingDesk, Offered, or_default

_NAME = "bookshop"
_INSTRUCTIONS = (
    "A bookshop with about 300 books in eight languages. Find books with search_books; its book_id is what the other "
    "tools ask for. Prices are in EUR."
)

BookId = Annotated[str, Field(description="The book's id from search_books, such as B001")]
Query = Annotated[str, Field(description="Words of a title, an author or a subject, such as: whale")]
Language = Annotated[
    str,
    Field(description="Only books in this language: en, zh, ja, ru, ko, de, fr or es; any for every language"),
    or_default(ANY),
]
ReadingLevel = Annotated[
    Literal["any", "easy", "medium", "advanced"],
    Field(description="Only books of this reading level; any for every level"),
    or_default(ANY),
]
MaxPrice = Annotated[
    float, Field(ge=0, description="Only books that cost at most this, in EUR; 0 for any price"), or_default(0)
]
Limit = Annotated[int, Field(ge=1, le=50, description="How many books to list at most"), or_default(5)]
Offset = Annotated[int, Field(ge=0, description="How many of the best matches to skip"), or_default(0)]
CustomerName = Annotated[str, Field(min_length=1, description="The name the customer gives at pickup")]
Copies = Annotated[int, Field(ge=1, le=12, description="How many copies to set aside"), or_default(1)]


class Desk(CountingDesk):
    """The shop's tools over one catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        super().__init__(BookshopError)
        self.catalogue = catalogue

    def renew(self) -> None:
        self.catalogue = load_catalogue()

    async def search_books(
        self,
        query: Query,
        language: Language = ANY,
        level: ReadingLevel = ANY,
        max_price: MaxPrice = 0,
        limit: Limit = 5,
        offset: Offset = 0,
    ) -> SearchResult:
        """Find books in the shop by words of the title, the author or the subject, in any script.

        Use it whenever someone asks which books there are, for a recommendation, for a price, or needs a book_id.
        Returns how many books match and the best of them with author, year, language, level, subject and price.
        """
        with self._run("search_books"):
            return self.catalogue.search(query, language, level, max_price, limit, offset)

    async def get_book(self, book_id: BookId) -> BookDetails:
        """Get everything about one book: title, English title, author, year, language, level, subject, price.

        Use it when someone asks about one book whose book_id is known. It does not tell the stock.
        """
        with self._run("get_book"):
            return self.catalogue.details(book_id)

    async def check_stock(self, book_id: BookId) -> Stock:
        """Tell how many copies of one book are free now and on which shelf it stands.

        Use it when someone asks whether a book is available, and before holding copies.
        """
        with self._run("check_stock"):
            return self.catalogue.stock(book_id)

    async def hold_for_pickup(self, book_id: BookId, customer_name: CustomerName, copies: Copies = 1) -> Hold:
        """Set copies of one book aside for a customer to pick up and pay in the shop.

        Use it only when the customer has asked for it: every call takes copies off the free stock and makes a new
        hold. Returns the hold number and what is to pay.
        """
        with self._run("hold_for_pickup"):
            return self.catalogue.hold(book_id, customer_name, copies)


def create_server(desk: Desk) -> MCPServer:
    """The MCP server over `desk`; nothing listens yet."""
    tools = (
        Offered(desk.search_books, "Search books", READS),
        Offered(desk.get_book, "Get a book", READS),
        Offered(desk.check_stock, "Check stock", READS),
        Offered(desk.hold_for_pickup, "Hold for pickup", ADDS),
    )
    return mcp_server.create_server(_NAME, _INSTRUCTIONS, desk, tools)


def main() -> int:
    """The command line: serves a fresh catalogue. Returns the exit status."""
    options = mcp_server.command_line(_NAME, "The demo tenant's MCP server, a bookshop.", 8930).parse_args()
    return mcp_server.serve(create_server(Desk(load_catalogue())), options.host, options.port)


if __name__ == "__main__":
    sys.exit(main())
