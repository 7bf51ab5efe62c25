"""Which secrets a tenant's rows name."""

from collections.abc import Iterable, Iterator

from turnkey.mcp.auth import Auth, BearerAuth, ClientCredentials, HeaderAuth
from turnkey.mcp.registration import Registration
from turnkey.tenancy.settings import Agent, Connection
from turnkey.values import Value


def secret_names(rows: Iterable[Value]) -> frozenset[str]:
    """Full names."""
    return frozenset(name for row in rows for name in _names(row) if name)


def _names(row: Value) -> Iterator[str]:
    if isinstance(row, Agent):
        yield row.model.api_key_secret
        yield row.public.api_key_secret if row.public else ""
        yield from row.person.hook.secrets if row.person and row.person.hook else ()
    elif isinstance(row, Connection):
        yield from row.secrets
    elif isinstance(row, Registration):
        yield row.settings_secret
        yield from _of_auth(row.auth)


def _of_auth(auth: Auth) -> Iterator[str]:
    if isinstance(auth, BearerAuth):
        yield auth.token_secret
    elif isinstance(auth, HeaderAuth):
        yield from auth.secrets.values()
    elif isinstance(auth, ClientCredentials):
        yield from (auth.client_secret, auth.token_secret)
