"""The operator's catalogue of stdio servers. A tenant gives an entry's name and the settings that it allows, nothing
else: what runs, and where, is the operator's word alone. Plain."""

from collections.abc import Iterable

from pydantic import Field, TypeAdapter, ValidationError

from turnkey.environment import optional
from turnkey.errors import Permanent, TenantMisconfigured
from turnkey.mcp.failures import Failure, ServerFailed
from turnkey.values import Value

VARIABLE = "TURNKEY_STDIO_SERVERS"


class CatalogueSetting(Value):
    required: bool = False


class CatalogueEntry(Value):
    """`function` is the ARN of the function that runs the server; `settings` by name."""

    function: str = Field(min_length=1)
    settings: dict[str, CatalogueSetting] = {}


Catalogue = dict[str, CatalogueEntry]
_CATALOGUE: TypeAdapter[Catalogue] = TypeAdapter(Catalogue)


def from_environment() -> Catalogue:
    """By name. Raises Permanent when the template's variable cannot be read."""
    try:
        return _CATALOGUE.validate_json(optional(VARIABLE) or "{}")
    except ValidationError as error:
        raise Permanent(f"environment variable {VARIABLE} is no catalogue of stdio servers: {error}") from error


def entry(catalogue: Catalogue, name: str) -> CatalogueEntry:
    """Raises ServerFailed with UnknownServer."""
    if name not in catalogue:
        known = ", ".join(catalogue) or "none yet"
        message = f"the operator's catalogue has no server {name!r}: use one of {known}"
        raise ServerFailed(Failure(kind="UnknownServer", message=message))
    return catalogue[name]


def check(name: str, settings: Iterable[str], catalogue: Catalogue | None = None) -> None:
    """Raises ServerFailed for a server that the catalogue has not, TenantMisconfigured for a setting that it does not
    allow or that is missing. `settings` are names; without a `catalogue` the environment's counts."""
    allowed = entry(from_environment() if catalogue is None else catalogue, name).settings
    given = set(settings)
    if unknown := sorted(given - allowed.keys()):
        known = ", ".join(allowed) or "none"
        raise TenantMisconfigured(f"server {name!r} has no setting {', '.join(unknown)}: it takes {known}")
    if missing := sorted(key for key, setting in allowed.items() if setting.required and key not in given):
        raise TenantMisconfigured(f"server {name!r} needs setting {', '.join(missing)}: add it to settings")
