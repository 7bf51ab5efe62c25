"""Public sources in a manifest: one switch, off where it is left out."""

from collections.abc import Iterator

from pydantic import Field

from turnkey.public.search import PROVIDERS
from turnkey.public.settings import ProviderName
from turnkey.tenancy.problems import Problem
from turnkey.tenancy.secret_field import Token
from turnkey.values import Value


class PublicSection(Value):
    """The agent may search public pages and read them. Replies from them name their sources and are kept for review."""

    provider: ProviderName = Field(description="who searches", examples=["searxng"])
    url: str = Field(
        default="",
        description="where it is asked; needed for searxng, left out: the provider's own address",
        examples=["https://search.example.com"],
    )
    api_key: Token | None = Field(default=None, description="the provider's key", examples=["${SEARCH_KEY}"])

    @property
    def address(self) -> str:
        """Where it is asked: the key is kept for that alone."""
        return self.url or PROVIDERS[self.provider].address


def problems(path: str, section: PublicSection) -> Iterator[Problem]:
    """What the provider needs and is not given."""
    provider = PROVIDERS[section.provider]
    if not section.address:
        problem = f"is missing: give the address of your {section.provider} instance"
        yield Problem(path=f"{path}.url", problem=problem)
    if provider.needs_key and section.api_key is None:
        yield Problem(path=f"{path}.api_key", problem=f"is missing: {section.provider} searches with a key alone")
