"""The bookshop as an MCP server: `python -m local.bookshop.server --host 127.0.0.1 --port 8930`.

Streamable HTTP at /mcp, stateless, JSON answers. GET /health tells how often each tool has run, as
{"calls": {"search_books": 2, ...}}, so that a demo can prove that an answer came from here.
"""

import argparse
import contextlib
import inspect
import socket
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Generator
from typing import Annotated, Any, Literal

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import BeforeValidator, Field
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse

from local.bookshop.catalogue import ANY, BookshopError, Catalogue, load_catalogue
from local.bookshop.models import BookDetails, Hold, SearchResult, Stock

_READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
_INSTRUCTIONS = (
    "A bookshop with about 300 books in eight languages. Find books with search_books; its book_id is what the other "
    "tools ask for. Prices are in EUR."
)


def _or_default(default: object) -> BeforeValidator:
    # Small models write null for "no filter". The published schema stays a plain type: some providers refuse anyOf.
    # It must come after Field in Annotated: before it, pydantic publishes "ge" where JSON Schema says "minimum".
    return BeforeValidator(lambda given: default if given is None else given)


BookId = Annotated[str, Field(description="The book's id from search_books, such as B001")]
Query = Annotated[str, Field(description="Words of a title, an author or a subject, such as: whale")]
Language = Annotated[
    str,
    Field(description="Only books in this language: en, zh, ja, ru, ko, de, fr or es; any for every language"),
    _or_default(ANY),
]
ReadingLevel = Annotated[
    Literal["any", "easy", "medium", "advanced"],
    Field(description="Only books of this reading level; any for every level"),
    _or_default(ANY),
]
MaxPrice = Annotated[
    float, Field(ge=0, description="Only books that cost at most this, in EUR; 0 for any price"), _or_default(0)
]
Limit = Annotated[int, Field(ge=1, le=50, description="How many books to list at most"), _or_default(5)]
CustomerName = Annotated[str, Field(min_length=1, description="The name the customer gives at pickup")]
Copies = Annotated[int, Field(ge=1, le=12, description="How many copies to set aside"), _or_default(1)]


class Desk:
    """The shop's tools over one catalogue. `calls` counts the runs of each tool, refusals included."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.calls: Counter[str] = Counter()

    async def search_books(
        self,
        query: Query,
        language: Language = ANY,
        level: ReadingLevel = ANY,
        max_price: MaxPrice = 0,
        limit: Limit = 5,
    ) -> SearchResult:
        """Find books in the shop by words of the title, the author or the subject, in any script.

        Use it whenever someone asks which books there are, for a recommendation, for a price, or needs a book_id.
        Returns how many books match and the best of them with author, year, language, level, subject and price.
        """
        with self._run("search_books"):
            return self.catalogue.search(query, language, level, max_price, limit)

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

    @contextlib.contextmanager
    def _run(self, tool: str) -> Generator[None, None, None]:
        self.calls[tool] += 1
        try:
            yield
        except BookshopError as refusal:
            raise ToolError(str(refusal)) from refusal


def create_server(desk: Desk) -> MCPServer:
    """The MCP server over `desk`; nothing listens yet."""
    server = MCPServer(
        "bookshop",
        title="Bookshop",
        version="1.0.0",
        instructions=_INSTRUCTIONS,
        log_level="WARNING",
        subscriptions=False,
    )
    _add(server, desk.search_books, "Search books", _READS)
    _add(server, desk.get_book, "Get a book", _READS)
    _add(server, desk.check_stock, "Check stock", _READS)
    _add(server, desk.hold_for_pickup, "Hold for pickup", _ADDS)

    @server.custom_route("/health", methods=["GET"])
    async def health(_request: Request) -> JSONResponse:
        return JSONResponse({"calls": dict(desk.calls)})

    return server


def create_app(server: MCPServer, host: str) -> Starlette:
    """The ASGI app: /mcp and /health. On a loopback `host` it refuses any other Host header (DNS rebinding)."""
    return server.streamable_http_app(json_response=True, stateless_http=True, host=host)


def _add(server: MCPServer, tool: Callable[..., Awaitable[Any]], title: str, annotations: ToolAnnotations) -> None:
    # One line, because the line breaks of a docstring are the source's, and its indentation too before Python 3.13.
    description = " ".join((inspect.getdoc(tool) or "").split())
    server.add_tool(tool, title=title, description=description, annotations=annotations)


class _Announcing(uvicorn.Server):
    """Says on stdout where it listens, once it accepts connections."""

    def __init__(self, config: uvicorn.Config, url: str) -> None:
        super().__init__(config)
        self._url = url

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            print(f"bookshop: listening on {self._url}", flush=True)


def serve(host: str, port: int) -> None:
    """Serves a fresh catalogue until SIGINT or SIGTERM; port 0 takes a free one. Raises OSError if it is taken."""
    with socket.create_server((host, port)) as listener:
        url = f"http://{host}:{listener.getsockname()[1]}/mcp"
        app = create_app(create_server(Desk(load_catalogue())), host)
        config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=2)
        with contextlib.suppress(KeyboardInterrupt):
            _Announcing(config, url).run(sockets=[listener])


def main() -> int:
    """The command line. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="bookshop", description="The demo tenant's MCP server, a bookshop.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8930, help="port, 0 for a free one (default: %(default)s)")
    options = parser.parse_args()
    try:
        serve(options.host, options.port)
    except OSError as taken:
        print(f"bookshop: cannot listen on {options.host}:{options.port}: {taken.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
