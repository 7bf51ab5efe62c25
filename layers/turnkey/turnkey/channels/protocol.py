"""What a channel is: one module under `turnkey.channels` with a class `Channel` of this shape."""

from datetime import datetime
from typing import Literal, Protocol

from pydantic import Field

from turnkey import chat_tokens, hidden, ids
from turnkey.channels.request import WebhookRequest
from turnkey.deliverables import Card, Source
from turnkey.tenancy.settings import Connection
from turnkey.values import Value

MAX_TEXT = 20_000
"""Characters of one message: more than the users of any messaging channel can write, but for Slack's 40,000."""


_NOTE = (
    "[Note of the platform, nobody wrote this: the time has come for what was agreed with the customer. "
    "Do it now and write to the customer what comes of it: "
)
_NO_BRACKETS = str.maketrans("[]", "()")


def noted(said: str) -> str:
    """What a note of the platform is about; empty for what a customer said."""
    return said.removeprefix(_NOTE).removesuffix("]") if said.startswith(_NOTE) else ""


class InboundMessage(Value):
    """A customer's message, normalised. `id` is the channel's own and tells repeats apart."""

    id: str = Field(min_length=1, max_length=256)
    conversation: ids.ConversationId
    text: str = Field(max_length=MAX_TEXT)
    sent_at: datetime
    sender: str = Field(default="", max_length=256)
    address: dict[str, str] = Field(default={}, description="what the channel needs to answer")
    origin: Literal["customer", "platform"] = Field(
        default="customer", description="platform: nobody wrote it, a schedule is due"
    )
    schedule: str = Field(default="", description="id of the schedule that is due, where one is")

    @property
    def said(self) -> str:
        """The text as a model is shown it: a customer speaks as nobody else, and the platform not as a customer."""
        text = chat_tokens.broken(hidden.clean(self.text)) or self.text
        return text if self.origin == "customer" else f"{_NOTE}{text.translate(_NO_BRACKETS)}]"


class Picture(Value):
    """A picture that goes with a reply. `alt` says in words what it shows."""

    title: str
    alt: str
    media_type: Literal["image/png"] = "image/png"
    content: bytes = Field(repr=False)


class GivenDocument(Value):
    """A document that goes with a reply. `link` is where it can be downloaded, for a while."""

    name: str
    title: str
    version: int
    link: str = Field(repr=False)
    diff: str = Field(default="", description="what changed, as a unified diff of bounded size; empty: it is new")
    media_type: str


class Reply(Value):
    """What is to be said. `id` is the same at every attempt to send it."""

    id: str
    text: str
    address: dict[str, str]
    cards: tuple[Card, ...] = ()
    total: int = Field(default=0, description="items there are in all, those without a card counted")
    pictures: tuple[Picture, ...] = ()
    documents: tuple[GivenDocument, ...] = ()
    sources: tuple[Source, ...] = Field(default=(), description="public pages; `text` has a line for each already")

    @property
    def text_with_links(self) -> str:
        """The text with a line for each document, for channels whose people see nothing but text."""
        lines = (f"📄 {document.title}: {document.link}" for document in self.documents)
        return "\n".join([*([f"{self.text}\n"] if self.documents else [self.text]), *lines])


class Progress(Value):
    """That a turn works, for as long as it does. `text` is a status line in the customer's language."""

    text: str
    address: dict[str, str]


class Outgoing(Value):
    """One request to the channel, rendered."""

    url: str
    headers: dict[str, str]
    body: str


class Channel(Protocol):
    """A channel, without I/O: what it needs from the outside is handed in, what it wants sent is handed back."""

    needs_reply_url: bool
    """Whether replies go to an address of the tenant's own."""

    def check_secret(self, secret: str) -> str | None:
        """What is wrong with a signing secret and what to do, or None. For provisioning."""
        ...

    def may_start(self, last_customer_message_at: datetime | None, now: datetime) -> bool:
        """Whether the channel lets the platform write first, such as for a reminder: some only allow it for some time
        after the customer wrote. `last_customer_message_at` is None where that is not known any more."""
        ...

    def verify(self, request: WebhookRequest, secrets: tuple[str, ...], now: datetime) -> None:
        """Raises RequestRefused(401) unless one of the secrets signed the raw body, recently."""
        ...

    def read(self, request: WebhookRequest) -> tuple[InboundMessage, ...]:
        """The messages to answer; none for echoes and receipts. Raises RequestRefused(400) for nonsense."""
        ...

    def render(
        self, reply: Reply, connection: Connection, secrets: tuple[str, ...], now: datetime
    ) -> tuple[Outgoing, ...]:
        """The requests that send the reply, in order."""
        ...

    def working(
        self, progress: Progress, connection: Connection, secrets: tuple[str, ...], now: datetime
    ) -> Outgoing | None:
        """The request that shows that a turn works, or None where the channel has no way of showing it."""
        ...
