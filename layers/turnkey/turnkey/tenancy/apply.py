"""Applying a manifest: all of it or nothing, and nothing twice."""

import asyncio
from typing import Any, Literal

from turnkey.errors import TenantMisconfigured
from turnkey.mcp.auth import BearerAuth
from turnkey.mcp.catalogue import set_aside, toolset
from turnkey.mcp.registration import Registration, approved_as_found
from turnkey.store.secrets import SecretStore
from turnkey.store.tenants import Row, TenantStore, sort_key
from turnkey.tenancy.manifest import Manifest, Problem, parse
from turnkey.tenancy.plan import Desired, desired
from turnkey.values import Value

SNAPSHOT_SECONDS = 30.0


class Change(Value):
    what: str
    change: Literal["created", "updated", "unchanged", "removed"]


class ServerReport(Value):
    """What a server offered."""

    name: str
    url: str
    protocol: str
    tools: tuple[str, ...]
    kinds: dict[str, str] = {}
    """Of each tool: items, chart, action or lookup."""
    set_aside: tuple[str, ...] = ()
    milliseconds: int


class Report(Value):
    """What applying did. With errors, nothing was changed."""

    tenant: str = ""
    changed: bool = False
    changes: tuple[Change, ...] = ()
    servers: tuple[ServerReport, ...] = ()
    errors: tuple[Problem, ...] = ()


class Provisioner:
    def __init__(self, tenants: TenantStore, secrets: SecretStore, *, allow_private: bool) -> None:
        self._tenants = tenants
        self._secrets = secrets
        self._allow_private = allow_private

    def apply(self, content: Any) -> Report:
        """Brings the tenant to what the manifest says. A manifest with errors, or a server that cannot be reached,
        changes nothing and comes back with every error."""
        manifest = parse(content, allow_private=self._allow_private)
        if not isinstance(manifest, Manifest):
            return Report(errors=manifest)
        wanted = desired(manifest)
        found, reports, errors = self._ask_servers(wanted)
        if errors:
            return Report(tenant=manifest.tenant.id, servers=reports, errors=errors)
        changes = self._write(manifest.tenant.id, (*wanted.settings, *found), wanted.secrets)
        changed = any(change.change != "unchanged" for change in changes)
        return Report(tenant=manifest.tenant.id, changed=changed, changes=changes, servers=reports)

    def _ask_servers(
        self, wanted: Desired
    ) -> tuple[tuple[Registration, ...], tuple[ServerReport, ...], tuple[Problem, ...]]:
        found: list[Registration] = []
        reports: list[ServerReport] = []
        errors: list[Problem] = []
        for place, registration in enumerate(wanted.registrations):
            try:
                registered, report = self._ask(registration, _token(registration, wanted.secrets))
            except TenantMisconfigured as error:
                errors.append(Problem(path=f"servers[{place}].url", problem=str(error)))
                continue
            found.append(registered)
            reports.append(report)
            errors += _unknown_tools(place, registered)
        return tuple(found), tuple(reports), tuple(errors)

    def _ask(self, registration: Registration, token: str) -> tuple[Registration, ServerReport]:
        # About a second to import, so only for manifests that name a server.
        from turnkey.mcp.snapshot import take

        snapshot = asyncio.run(take(registration, token, seconds=SNAPSHOT_SECONDS, allow_private=self._allow_private))
        found = approved_as_found(snapshot.registration)
        report = ServerReport(
            name=registration.name,
            url=registration.place,
            protocol=found.protocol,
            tools=tuple(tool.name for tool in found.tools),
            kinds={tool.name: tool.kind for tool in toolset((found,))},
            set_aside=set_aside(found),
            milliseconds=snapshot.milliseconds,
        )
        return found, report

    def _write(self, tenant: str, rows: tuple[Row, ...], secrets: dict[str, str]) -> tuple[Change, ...]:
        """Secrets first: a row must never name one that is not there."""
        before = self._tenants.all_rows(tenant)
        changes = [self._write_secret(name, value) for name, value in secrets.items()]
        wanted = {sort_key(row): row for row in rows}
        for key, row in wanted.items():
            changed = before.get(key) != row
            if changed:
                self._tenants.put(tenant, row)
            kind = "unchanged" if not changed else "updated" if key in before else "created"
            changes.append(Change(what=_readable(key, tenant), change=kind))
        for key in before.keys() - wanted.keys():
            self._tenants.delete(tenant, key)
            changes.append(Change(what=_readable(key, tenant), change="removed"))
        return tuple(changes)

    def _write_secret(self, name: str, value: str) -> Change:
        kept = self._secrets.find(name)
        if kept != value:
            self._secrets.put(name, value)
        kind = "unchanged" if kept == value else "created" if kept is None else "updated"
        return Change(what=f"secret {name}", change=kind)


def _token(registration: Registration, secrets: dict[str, str]) -> str:
    auth = registration.auth
    return secrets[auth.token_secret] if isinstance(auth, BearerAuth) else ""


def _unknown_tools(place: int, registered: Registration) -> list[Problem]:
    """A correction for a tool that the server does not have would do nothing, silently."""
    known = [tool.name for tool in registered.tools]
    return [
        Problem(
            path=f"servers[{place}].tools.{name}",
            problem=f"the server has no such tool: use one of {', '.join(known) or 'none there'}",
        )
        for name in registered.corrections
        if name not in known
    ]


def _readable(key: str, tenant: str) -> str:
    """AGENT#clerk as "agent clerk"."""
    kind, _, name = key.partition("#")
    return f"{kind.lower()} {name or tenant}"
