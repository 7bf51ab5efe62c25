"""Which provider an agent's public sources come from: off where there is none."""

from typing import Literal

from pydantic import Field

from turnkey.values import Value

ProviderName = Literal["searxng", "brave", "tavily"]


class PublicSources(Value):
    """Switched on: the agent may search public pages and read them, both or neither."""

    provider: ProviderName
    url: str = Field(default="", description="where the provider is asked; empty: its own address")
    api_key_secret: str = Field(default="", description="name of the secret, never the key")
