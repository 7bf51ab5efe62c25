"""The part of a manifest that registers MCP servers."""

import re
from typing import Annotated, Any, Literal

from pydantic import Field, SecretStr, field_validator, model_validator

from turnkey import ids
from turnkey.mcp.auth import ClientMethod, SigningAlgorithm
from turnkey.mcp.registration import ServerTimeouts, Transport
from turnkey.tools import CardFields, JsonObject, ToolKind
from turnkey.values import Value

Secret = Annotated[SecretStr, Field(min_length=1, max_length=8192)]
"""A value that goes to Secrets Manager and nowhere else."""

AUTH_KINDS = ("none", "bearer", "headers", "client_credentials")
_HEADER = re.compile(r"[A-Za-z0-9._-]{1,100}")
"""Of RFC 9110's names those that can stand in a secret's name."""
_OURS = frozenset(
    ["host", "content-length", "transfer-encoding", "connection", "accept", "content-type", "accept-encoding", "cookie"]
)
"""Headers that a tenant does not set: they belong to the transport."""


def _one_line(value: SecretStr) -> SecretStr:
    text = value.get_secret_value()
    if not text.isascii() or any(character.isspace() for character in text):
        raise ValueError("has white space or a line break in it: was it pasted whole?")
    return value


class NoAuthSection(Value):
    kind: Literal["none"] = "none"


class BearerAuthSection(Value):
    kind: Literal["bearer"] = "bearer"
    token: Secret

    _checked = field_validator("token")(_one_line)


class HeaderAuthSection(Value):
    kind: Literal["headers"] = "headers"
    headers: Annotated[dict[str, Secret], Field(min_length=1, max_length=10)]

    @field_validator("headers")
    @classmethod
    def _plain(cls, headers: dict[str, SecretStr]) -> dict[str, SecretStr]:
        for name, value in headers.items():
            text = value.get_secret_value()
            if not _HEADER.fullmatch(name) or name.lower() in _OURS or name.lower().startswith("mcp-"):
                raise ValueError(f"{name!r} is no header that can be set here: use the name of the server's own header")
            if not text.isascii() or not text.isprintable() or text != text.strip():
                raise ValueError(f"{name}: has a line break, or white space around it: was it pasted whole?")
        return headers


class ClientCredentialsSection(Value):
    """With `client_secret`, or with `private_key` for private_key_jwt."""

    kind: Literal["client_credentials"] = "client_credentials"
    issuer: str
    client_id: Annotated[str, Field(min_length=1, max_length=500)]
    client_secret: Secret | None = None
    private_key: Secret | None = Field(default=None, description="PEM")
    method: ClientMethod = "client_secret_basic"
    algorithm: SigningAlgorithm = "RS256"
    scope: str = Field(default="", max_length=1000)

    @model_validator(mode="after")
    def _fits(self) -> "ClientCredentialsSection":
        wanted, other = (
            ("private_key", "client_secret")
            if self.method == "private_key_jwt"
            else (
                "client_secret",
                "private_key",
            )
        )
        if getattr(self, wanted) is None or getattr(self, other) is not None:
            raise ValueError(f"method {self.method} takes {wanted}, not {other}: give that one")
        return self

    @property
    def credential(self) -> SecretStr:
        """The one that `method` takes."""
        found = self.private_key or self.client_secret
        if found is None:
            raise ValueError("neither client_secret nor private_key is there")
        return found


AuthSection = Annotated[
    NoAuthSection | BearerAuthSection | HeaderAuthSection | ClientCredentialsSection, Field(discriminator="kind")
]


class ToolSection(Value):
    """A correction of what was found about a tool."""

    title: str = Field(default="", max_length=100)
    kind: ToolKind | None = None
    fields: CardFields = CardFields()
    words: tuple[Annotated[str, Field(min_length=2, max_length=60)], ...] = ()
    read_only: bool | None = None
    idempotent: bool | None = None
    confirm: bool = Field(default=False, description="called only once the customer has agreed to this very call")


class TestCall(Value):
    """A call that is made when the manifest is applied; only of a tool that reads."""

    tool: str
    arguments: JsonObject = {}


class ServerSection(Value):
    """`url` for a remote server; `catalogue` names one of the operator's for stdio."""

    name: ids.Name
    transport: Transport = "streamable_http"
    url: str = ""
    catalogue: str = ""
    settings: dict[str, Secret] = Field(default={}, description="of a stdio server, as its catalogue entry allows")
    auth: AuthSection = NoAuthSection()
    timeouts: ServerTimeouts = ServerTimeouts()
    allow: tuple[str, ...] | None = Field(default=None, description="the server's own names of tools; left out: all")
    tools: dict[str, ToolSection] = Field(default={}, description="by the server's own name of the tool")
    test: TestCall | None = None

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
