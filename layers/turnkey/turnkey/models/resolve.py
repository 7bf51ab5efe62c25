"""Which endpoint an agent uses: its own settings, else the platform's."""

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
    return Endpoint(
        base_url=settings.base_url or default.base_url,
        api_key=secrets.get(settings.api_key_secret) if settings.api_key_secret else "" if own else _platform_key(),
        main=main,
        small=settings.small or default.small or main,
        call_format=settings.call_format or default.call_format,
        guarded=own,
    )


def _platform_key() -> str:
    """Read and kept for no tenant: a tenant's credentials do not reach it."""
    name = optional("TURNKEY_MODEL_API_KEY_SECRET")
    with acting_for(""):
        return _keys.get(name) if name else ""


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
