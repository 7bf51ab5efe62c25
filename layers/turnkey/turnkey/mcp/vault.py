"""Where a tenant's credentials are kept. Plain: what keeps them is in store."""

from dataclasses import dataclass, field
from typing import Protocol

from turnkey.mcp.tokens import Tokens


class Secrets(Protocol):
    """See turnkey.store.secrets.SecretStore. Blocks for its reads."""

    def get(self, name: str) -> str:
        """The secret's value. Raises TenantMisconfigured when there is none."""
        ...

    def fresh(self, name: str) -> str:
        """The same, past the cache."""
        ...


@dataclass(frozen=True)
class Vault:
    """A tenant's secrets, by full name, and its tokens."""

    tenant: str
    secrets: Secrets = field(repr=False)
    tokens: Tokens = field(repr=False)


class TriedSecrets:
    """Secrets of a manifest that is being tried before they are kept, in front of those that are."""

    def __init__(self, values: dict[str, str], behind: Secrets) -> None:
        self._values = values
        self._behind = behind

    def get(self, name: str) -> str:
        return self._values[name] if name in self._values else self._behind.get(name)

    def fresh(self, name: str) -> str:
        return self._values[name] if name in self._values else self._behind.fresh(name)
