"""OAuth access tokens, as they are kept and handed round. Plain: fetching them is oauth's business."""

from typing import Protocol

from pydantic import Field

from turnkey.values import Value

EARLY_SECONDS = 60
"""So long before its end a token is not used any more; of one with a short life, for the last tenth."""


class Grant(Value):
    """What a token was given for. A token of another grant is never used: not at another url, not of another client."""

    tenant: str
    secret: str = Field(description="name of the secret that keeps the token; it begins with the tenant")
    url: str = Field(description="of the server")
    issuer: str
    client_id: str
    scope: str = ""


class Token(Value):
    """An access token. Times are seconds since the epoch: the SDK keeps durations alone, which say nothing later on."""

    id: str = Field(description="names the token without giving it away")
    value: str = Field(repr=False)
    grant: Grant
    obtained_at: float
    expires_at: float | None = Field(default=None, description="None: the authorization server did not say")
    replaces_refused: bool = Field(default=False, description="fetched because the server refused the one before")

    def good_at(self, moment: float) -> bool:
        """Whether it may be sent at that moment."""
        if self.expires_at is None:
            return True
        return moment < self.expires_at - min(EARLY_SECONDS, (self.expires_at - self.obtained_at) / 10)


class Claim(Value):
    """The answer of whoever hands out the right to fetch a token."""

    holder: str = Field(default="", description="names the right that was given; empty while another has it")
    newest: str = Field(default="", description="id of the token that was kept last")


class Tokens(Protocol):
    """Keeps tokens, and lets one run at a time fetch one. Blocks for its reads and writes, and waits for nothing."""

    def find(self, grant: Grant, *, past_cache: bool = False) -> Token | None:
        """A token of this grant that may be sent now: from warm memory, else from where it is kept."""
        ...

    def claim(self, grant: Grant) -> Claim:
        """Asks for the right to fetch a token. It ends by itself, for a holder that died."""
        ...

    def keep(self, claim: Claim, token: Token) -> None:
        """Keeps the token and gives the right back."""
        ...

    def release(self, claim: Claim, grant: Grant) -> None:
        """Gives the right back without a token."""
        ...


class TriedTokens:
    """Tokens of servers that are being tried before they are registered: in memory, and only here."""

    def __init__(self) -> None:
        self._tokens: dict[Grant, Token] = {}

    def find(self, grant: Grant, *, past_cache: bool = False) -> Token | None:
        return self._tokens.get(grant)

    def claim(self, grant: Grant) -> Claim:
        return Claim(holder="tried")

    def keep(self, claim: Claim, token: Token) -> None:
        self._tokens[token.grant] = token

    def release(self, claim: Claim, grant: Grant) -> None:
        pass
