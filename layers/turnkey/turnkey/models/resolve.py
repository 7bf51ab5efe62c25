"""Which endpoint an agent uses: its own settings, else the platform's."""

from functools import partial
from typing import Protocol

from turnkey.environment import optional, required
from turnkey.models.chat import Endpoint
from turnkey.store import platform
from turnkey.store.acting import acting_for
from turnkey.store.secrets import SecretStore
from turnkey.tenancy.settings import CallFormat, ModelSettings

_keys = SecretStore(client=platform.secretsmanager)


def resolve(settings: ModelSettings, secrets: SecretStore) -> Endpoint:
    """The platform's key is used at the platform's own endpoint only, never at an address a tenant names.

    Raises TenantMisconfigured when a secret is missing.
    """
    default = _platform()
    own = bool(settings.base_url)
    main = settings.main or default.main
    read = _own_key(settings, secrets) if own or settings.api_key_secret else _platform_key
    key = read(fresh=False)
    return Endpoint(
        base_url=settings.base_url or default.base_url,
        api_key=key,
        read_key_again=partial(read, fresh=True) if key else None,
        main=main,
        small=settings.small or default.small or main,
        call_format=settings.call_format or default.call_format,
        guarded=own,
    )


class _ReadKey(Protocol):
    def __call__(self, *, fresh: bool) -> str:
        """The key, empty where there is none; `fresh`: past the cache."""
        ...


def _own_key(settings: ModelSettings, secrets: SecretStore) -> _ReadKey:
    def read(*, fresh: bool) -> str:
        return _read(secrets, settings.api_key_secret, fresh=fresh)

    return read


def _platform_key(*, fresh: bool) -> str:
    """Read and kept for no tenant: a tenant's credentials do not reach it."""
    with acting_for(""):
        return _read(_keys, optional("TURNKEY_MODEL_API_KEY_SECRET"), fresh=fresh)


def _read(secrets: SecretStore, name: str, *, fresh: bool) -> str:
    if not name:
        return ""
    return secrets.fresh(name) if fresh else secrets.get(name)


def _platform() -> Endpoint:
    main = required("TURNKEY_MODEL")
    call_format: CallFormat = "text" if optional("TURNKEY_CALL_FORMAT") == "text" else "native"
    return Endpoint(
        base_url=required("TURNKEY_MODEL_BASE_URL"),
        api_key="",
        main=main,
        small=optional("TURNKEY_SMALL_MODEL") or main,
        call_format=call_format,
        guarded=False,
    )
