"""The part of a manifest that registers MCP servers."""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from turnkey import ids
from turnkey.mcp.auth import ClientMethod, SigningAlgorithm
from turnkey.mcp.registration import ServerTimeouts, Transport
from turnkey.tenancy.secret_field import HeaderText, Secret, Token
from turnkey.tools import CardFields, JsonObject, ToolKind
from turnkey.values import Value

_HEADER = re.compile(r"[A-Za-z0-9._-]{1,100}")
"""Of RFC 9110's names those that can stand in a secret's name."""
_OURS = frozenset(
    ["host", "content-length", "transfer-encoding", "connection", "accept", "content-type", "accept-encoding", "cookie"]
)
"""Headers that a tenant does not set: they belong to the transport."""


def _header_name(name: str) -> str:
    if not _HEADER.fullmatch(name) or name.lower() in _OURS or name.lower().startswith("mcp-"):
        raise ValueError("is no header that can be set here: use the name of the server's own header")
    return name


def _any_case(word: str) -> str:
    return "".join(f"[{letter.upper()}{letter}]" if letter.isalpha() else letter for letter in word)


_HEADER_PATTERN = rf"^(?!(?:{'|'.join(map(_any_case, sorted(_OURS)))})$)(?!{_any_case('mcp-')}){_HEADER.pattern}$"


class NoAuthSection(Value):
    """The server asks for no credentials."""

    kind: Literal["none"] = Field(default="none", description="no credentials")


class BearerAuthSection(Value):
    """A fixed token, sent as `Authorization: Bearer …`."""

    kind: Literal["bearer"] = Field(default="bearer", description="a fixed token in the Authorization header")
    token: Token = Field(description="the token, without the word Bearer", examples=["${CATALOGUE_TOKEN}"])


class HeaderAuthSection(Value):
    """Headers of the server's own, such as an API key's."""

    kind: Literal["headers"] = Field(default="headers", description="headers of the server's own")
    headers: dict[Annotated[str, AfterValidator(_header_name)], HeaderText] = Field(
        min_length=1,
        max_length=10,
        description="value by name of the header",
        examples=[{"X-Api-Key": "${CATALOGUE_KEY}"}],
        json_schema_extra={"propertyNames": {"pattern": _HEADER_PATTERN}},
    )


def _with(field: str) -> Any:
    """The JSON Schema of an object that has the field."""
    return {"required": [field], "properties": {field: {"not": {"type": "null"}}}}


_ONE_CREDENTIAL: Any = {
    "if": {"properties": {"method": {"const": "private_key_jwt"}}, "required": ["method"]},
    "then": _with("private_key") | {"not": _with("client_secret")},
    "else": _with("client_secret") | {"not": _with("private_key")},
}


class ClientCredentialsSection(Value):
    """OAuth 2 client credentials, with `client_secret`, or with `private_key` for private_key_jwt."""

    model_config = ConfigDict(json_schema_extra=_ONE_CREDENTIAL)

    kind: Literal["client_credentials"] = Field(
        default="client_credentials", description="OAuth 2 client credentials (RFC 6749 section 4.4)"
    )
    issuer: str = Field(
        description="the only authorization server that is ever asked", examples=["https://login.example.com"]
    )
    client_id: str = Field(
        min_length=1, max_length=500, description="as the authorization server gave it", examples=["turnkey"]
    )
    client_secret: Secret | None = Field(
        default=None, description="for client_secret_basic and client_secret_post", examples=["${CLIENT_SECRET}"]
    )
    private_key: Secret | None = Field(
        default=None, description="PEM, for private_key_jwt (RFC 7523)", examples=["${CLIENT_KEY}"]
    )
    method: ClientMethod = Field(
        default="client_secret_basic", description="how the client proves itself at the token endpoint"
    )
    algorithm: SigningAlgorithm = Field(default="RS256", description="of private_key_jwt's signature")
    scope: str = Field(default="", max_length=1000, description="separated by spaces", examples=["catalogue.read"])

    @model_validator(mode="after")
    def _fits(self) -> "ClientCredentialsSection":
        names = ("client_secret", "private_key")
        wanted, other = reversed(names) if self.method == "private_key_jwt" else names
        if getattr(self, wanted) is None or getattr(self, other) is not None:
            raise ValueError(f"method {self.method} takes {wanted}, not {other}: give that one")
        return self


AuthSection = Annotated[
    NoAuthSection | BearerAuthSection | HeaderAuthSection | ClientCredentialsSection, Field(discriminator="kind")
]


class ToolSection(Value):
    """A correction of what was found about a tool."""

    title: str = Field(default="", max_length=100, description="instead of the server's own", examples=["Find books"])
    kind: ToolKind | None = Field(default=None, description="instead of the kind found", examples=["items"])
    fields: CardFields = Field(default=CardFields(), description="of an item of its result: what makes a card")
    words: tuple[Annotated[str, Field(min_length=2, max_length=60)], ...] = Field(
        default=(), description="your customers' words for what it is for, in any language", examples=[["Schmöker"]]
    )
    read_only: bool | None = Field(default=None, description="true: it changes nothing; instead of the server's hint")
    idempotent: bool | None = Field(
        default=None, description="true: the same call twice does what one does; instead of the server's hint"
    )
    confirm: bool = Field(default=False, description="called only once the customer has agreed to this very call")


class TestCall(Value):
    """A call that is made when the manifest is applied; only of a tool that reads."""

    tool: str = Field(description="the server's own name of a tool that reads", examples=["search_books"])
    arguments: JsonObject = Field(default={}, description="as its schema wants them", examples=[{"query": "whales"}])


_PLACES: Any = {
    "if": {"properties": {"transport": {"const": "stdio"}}, "required": ["transport"]},
    "then": {
        "required": ["catalogue"],
        "properties": {
            "catalogue": {"minLength": 1},
            "url": {"const": ""},
            "auth": {"properties": {"kind": {"const": "none"}}},
        },
    },
    "else": {
        "required": ["url"],
        "properties": {"url": {"minLength": 1}, "catalogue": {"const": ""}, "settings": {"maxProperties": 0}},
    },
}


class ServerSection(Value):
    """An MCP server: `url` for a remote one; `catalogue` names one of the operator's for stdio."""

    model_config = ConfigDict(json_schema_extra=_PLACES)

    name: ids.Name = Field(description="your name for it, by which agents refer to it", examples=["catalogue"])
    transport: Transport = Field(default="streamable_http", description="how it is reached")
    url: str = Field(default="", description="of a remote server; https", examples=["https://shop.example.com/mcp"])
    catalogue: str = Field(default="", description="name of a stdio server that the operator offers", examples=["time"])
    settings: dict[str, Secret] = Field(
        default={}, description="of a stdio server, as its catalogue entry allows", examples=[{"API_KEY": "${KEY}"}]
    )
    auth: AuthSection = Field(default=NoAuthSection(), description="how the platform proves itself to the server")
    timeouts: ServerTimeouts = Field(default=ServerTimeouts(), description="how long each step may take, in seconds")
    allow: tuple[str, ...] | None = Field(
        default=None,
        description="the server's own names of the tools that turns may use; left out: all",
        examples=[["search_books", "get_book"]],
    )
    tools: dict[str, ToolSection] = Field(
        default={}, description="corrections of what was found, by the server's own name of the tool"
    )
    test: TestCall | None = Field(
        default=None, description="a call that must work for the manifest to be applied; only of a tool that reads"
    )

    @model_validator(mode="after")
    def _reachable(self) -> "ServerSection":
        if self.transport == "stdio":
            wrong = self.url or not isinstance(self.auth, NoAuthSection) or not self.catalogue
            if wrong:
                raise ValueError("transport stdio takes catalogue and settings, neither url nor auth: correct it")
        elif self.catalogue or self.settings or not self.url:
            raise ValueError(f"transport {self.transport} takes url, neither catalogue nor settings: correct it")
        return self

    @property
    def addresses(self) -> dict[str, str]:
        """Every address in it, by field."""
        found: dict[str, Any] = {"url": self.url} if self.url else {}
        if isinstance(self.auth, ClientCredentialsSection):
            found["auth.issuer"] = self.auth.issuer
        return found
