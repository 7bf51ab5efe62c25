"""How the platform proves itself to a tenant's server: kinds of credentials, each by the names of its secrets."""

from typing import Annotated, Literal

from pydantic import Field

from turnkey.values import Value

ClientMethod = Literal["client_secret_basic", "client_secret_post", "private_key_jwt"]
"""How a client authenticates at a token endpoint (RFC 6749 section 2.3.1, RFC 7523)."""

SigningAlgorithm = Literal["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"]


class NoAuth(Value):
    kind: Literal["none"] = "none"


class BearerAuth(Value):
    kind: Literal["bearer"] = "bearer"
    token_secret: str


class HeaderAuth(Value):
    """Headers of the server's own, such as an API key's."""

    kind: Literal["headers"] = "headers"
    secrets: dict[str, str] = Field(description="name of the secret by name of the header")


class ClientCredentials(Value):
    """OAuth 2 client credentials. Nothing is ever sent to an authorization server other than `issuer`."""

    kind: Literal["client_credentials"] = "client_credentials"
    issuer: str
    client_id: str
    method: ClientMethod = "client_secret_basic"
    client_secret: str = Field(description="name of the secret with the client's secret, or its private key as PEM")
    algorithm: SigningAlgorithm = "RS256"
    scope: str = ""
    token_secret: str = Field(description="name of the secret that keeps the current token")


Auth = Annotated[NoAuth | BearerAuth | HeaderAuth | ClientCredentials, Field(discriminator="kind")]
