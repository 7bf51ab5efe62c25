"""Which endpoint an agent uses: its own settings, else the platform's."""

from turnkey.environment import optional, required
from turnkey.models.chat import Endpoint
from turnkey.store.secrets import SecretStore
from turnkey.tenancy.settings import CallFormat, ModelSettings


def resolve(settings: ModelSettings, secrets: SecretStore) -> Endpoint:
    """The platform's key is used at the platform's own endpoint only, never at an address a tenant names.

    Raises TenantMisconfigured when a secret is missing.
    """
    platform = _platform()
    own = bool(settings.base_url)
    secret = settings.api_key_secret if own else settings.api_key_secret or optional("TURNKEY_MODEL_API_KEY_SECRET")
    main = settings.main or platform.main
    return Endpoint(
        base_url=settings.base_url or platform.base_url,
        api_key=secrets.get(secret) if secret else "",
        main=main,
        small=settings.small or platform.small or main,
        call_format=settings.call_format or platform.call_format,
        guarded=own,
    )


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
