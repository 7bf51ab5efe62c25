"""The deliverables themselves, as the journal keeps them with the call that they came from."""

from typing import Annotated, Literal

from pydantic import Field

from turnkey.values import Value

MAX_CARDS = 10


class Card(Value):
    """One item as the customer sees it. Texts are the tool's own; empty where the item has none."""

    title: str
    subtitle: str = ""
    price: str = ""
    image: str = ""
    link: str = ""
    keys: dict[str, str] = Field(default={}, description="the item's ids by field, such as book_id: what calls need")


class Cards(Value):
    """Items of one tool result. `total` is how many there are in all, at least as many as the cards."""

    kind: Literal["cards"] = "cards"
    cards: Annotated[tuple[Card, ...], Field(max_length=MAX_CARDS)]
    total: int


class Chart(Value):
    """A drawn chart. `png` and `svg` are keys in the objects bucket; `alt` says in words what the picture shows."""

    kind: Literal["chart"] = "chart"
    title: str
    png: str
    svg: str
    alt: str
    rows: int = Field(description="rows that were counted")
    total: int = Field(description="rows there are in all; more than `rows` where the tool gave only a part")


class Document(Value):
    """A document as this turn left it. `link` is where the customer can download it, for a while."""

    kind: Literal["document"] = "document"
    name: str
    title: str
    version: int
    link: str
    base: int = Field(default=0, description="the version before the turn's first change; 0: the turn has made it")
    diff: str = Field(default="", description="what changed since `base`, as a unified diff of bounded size")
    media_type: str = "text/markdown"


class Source(Value):
    """A public page that something was read on."""

    url: str
    title: str = ""
    site: str = Field(default="", description="its host, as people know it")


class Sources(Value):
    """The public pages that a result comes from."""

    kind: Literal["sources"] = "sources"
    sources: tuple[Source, ...]


Deliverable = Annotated[Cards | Chart | Document | Sources, Field(discriminator="kind")]
