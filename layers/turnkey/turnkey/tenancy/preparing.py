"""What applying a manifest would do, worked out without changing anything."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnkey.errors import TenantMisconfigured
from turnkey.mcp import checkup, stdio_catalogue
from turnkey.mcp.checkup import Answer
from turnkey.mcp.failures import ServerFailed
from turnkey.mcp.registration import Registration
from turnkey.mcp.tokens import TriedTokens
from turnkey.mcp.trust import remembered
from turnkey.mcp.vault import TriedSecrets, Vault
from turnkey.store.manifests import ManifestStore
from turnkey.store.secrets import SecretStore
from turnkey.store.tenants import Row, TenantStore, check, sort_key
from turnkey.tenancy.changes import Change, row_changes, secret_changes
from turnkey.tenancy.circumstances import Circumstances
from turnkey.tenancy.existing import Existing, read
from turnkey.tenancy.kept import resolve
from turnkey.tenancy.manifest import Manifest, parse
from turnkey.tenancy.person_section import mail_problems
from turnkey.tenancy.plan import Desired, desired
from turnkey.tenancy.preview import ServerReport, previews
from turnkey.tenancy.problems import Problem, Refused, of_failure
from turnkey.tenancy.references import secret_names
from turnkey.tenancy.settings import Agent, Tenant
from turnkey.tenancy.skills import SkillReport, reports, tool_problems

if TYPE_CHECKING:
    from turnkey.tenancy.asking import Asked

SPARE_SECONDS = 20.0
"""Of a run, for writing what was found."""


@dataclass(frozen=True)
class Prepared:
    """Everything that is to be: `rows` by sort key, `secrets` by full name. `stored` are the values that there are now,
    of those and of the ones that nothing needs any more."""

    manifest: Manifest
    existing: Existing
    rows: Mapping[str, Row]
    secrets: Mapping[str, str]
    stored: Mapping[str, str | None]
    changes: tuple[Change, ...]
    servers: tuple[ServerReport, ...]
    skills: tuple[SkillReport, ...]

    @property
    def tenant(self) -> str:
        return self.manifest.tenant.id

    @property
    def changed(self) -> bool:
        return any(change.change != "unchanged" for change in self.changes)

    @property
    def secret_names(self) -> frozenset[str]:
        """In full, of every secret that there will be; tokens, which come later, included."""
        return secret_names(self.rows.values())

    @property
    def orphans(self) -> tuple[str, ...]:
        """In full, of the secrets that nothing needs any more."""
        return tuple(sorted(self.stored.keys() - self.secrets.keys()))


class NotPrepared(Refused):
    """With what the servers said, as far as they were asked."""

    def __init__(self, problems: tuple[Problem, ...], servers: tuple[ServerReport, ...] = ()) -> None:
        super().__init__(*problems)
        self.servers = servers


class Preparer:
    def __init__(
        self,
        tenants: TenantStore,
        manifests: ManifestStore,
        secrets: SecretStore,
        *,
        allow_private: bool,
        mail_domain: str = "",
    ) -> None:
        self._tenants = tenants
        self._manifests = manifests
        self._secrets = secrets
        self._allow_private = allow_private
        self._mail_domain = mail_domain

    def parse(self, content: object) -> Manifest:
        """Raises NotPrepared."""
        manifest = parse(content, allow_private=self._allow_private)
        if not isinstance(manifest, Manifest):
            raise NotPrepared(manifest)
        if problems := tuple(_mail_problems(manifest, self._mail_domain)):
            raise NotPrepared(problems)
        return manifest

    def prepare(self, manifest: Manifest, circumstances: Circumstances) -> Prepared:
        """Asks every server. Raises NotPrepared with everything that is wrong."""
        tenant = manifest.tenant.id
        existing, wanted = read(tenant, self._tenants, self._manifests), desired(manifest)
        stored = {name: self._secrets.find(name) for name in existing.secret_names | {s.name for s in wanted.secrets}}
        places = {part.alias: part.place for part in existing.secrets}
        secrets, problems = resolve(wanted.secrets, stored.get, places)
        if problems := (*problems, *_catalogue_problems(manifest)):
            raise NotPrepared(problems)
        asked = self._ask(manifest, wanted, existing, secrets, circumstances)
        servers = _reports(manifest, wanted, asked)
        skills = _skill_reports(manifest, wanted, asked, servers)
        rows = {sort_key(row): row for row in _rows(wanted, existing, asked, circumstances)}
        _check_sizes(rows, manifest)
        # Tokens stay, though no manifest gives them.
        named = secret_names(rows.values())
        stored = {name: value for name, value in stored.items() if name in secrets or name not in named}
        changes = (
            *row_changes(existing.rows, rows, tenant),
            *secret_changes(stored, secrets, {part.name: part.label for part in (*existing.secrets, *wanted.secrets)}),
        )
        return Prepared(manifest, existing, rows, secrets, stored, changes, servers, skills)

    def _ask(
        self,
        manifest: Manifest,
        wanted: Desired,
        existing: Existing,
        secrets: dict[str, str],
        circumstances: Circumstances,
    ) -> "tuple[Asked, ...]":
        if not wanted.registrations:
            return ()
        # About a second to import, so only for manifests that name a server.
        from turnkey.tenancy.asking import Asking

        asking = Asking(
            vault=Vault(manifest.tenant.id, TriedSecrets(secrets, self._secrets), TriedTokens()),
            before=existing.registrations,
            tests={server.name: server.test for server in manifest.servers if server.test},
            seconds=max(1.0, circumstances.remaining() - SPARE_SECONDS),
            allow_private=self._allow_private,
        )
        return asking.ask(wanted.registrations)


def _mail_problems(manifest: Manifest, domain: str) -> Iterator[Problem]:
    for number, agent in enumerate(manifest.agents):
        yield from mail_problems(agent.person, f"agents[{number}].person", manifest.tenant.id, domain)


def _catalogue_problems(manifest: Manifest) -> Iterator[Problem]:
    for number, server in enumerate(manifest.servers):
        if server.transport != "stdio":
            continue
        try:
            stdio_catalogue.check(server.catalogue, server.settings)
        except ServerFailed as error:
            yield of_failure(f"servers[{number}].catalogue", error.failure)
        except TenantMisconfigured as error:
            yield Problem(path=f"servers[{number}].settings", problem=str(error))


def _reports(manifest: Manifest, wanted: Desired, asked: "tuple[Asked, ...]") -> tuple[ServerReport, ...]:
    """Raises NotPrepared where a server failed, or has not what the manifest says of it."""
    if not asked:
        return ()
    from turnkey.tenancy.server_reporting import problems_of, report_of

    agents = (row for row in wanted.settings if isinstance(row, Agent))
    tools = previews((found.registration for found in asked if found.snapshot), agents)
    reports = tuple(report_of(found, tools.get(found.registration.name, ())) for found in asked)
    pairs = zip(manifest.servers, asked, strict=True)
    problems = tuple(
        problem for number, (section, found) in enumerate(pairs) for problem in problems_of(number, section, found)
    )
    if problems:
        raise NotPrepared(problems, reports)
    return reports


def _skill_reports(
    manifest: Manifest, wanted: Desired, asked: "tuple[Asked, ...]", servers: tuple[ServerReport, ...]
) -> tuple[SkillReport, ...]:
    """Raises NotPrepared where a skill names a tool that there is not."""
    servers_found = (found.registration for found in asked)
    offered = {one.name: [tool.name for tool in one.tools if one.allows(tool.name)] for one in servers_found}
    if problems := tuple(tool_problems(manifest, wanted.skills, offered)):
        raise NotPrepared(problems, servers)
    return reports(manifest, (row for row in wanted.settings if isinstance(row, Agent)), offered)


def _rows(
    wanted: Desired, existing: Existing, asked: "tuple[Asked, ...]", circumstances: Circumstances
) -> Iterator[Row]:
    """In the order in which they can be written: none before those that it names."""
    for row in wanted.settings:
        if isinstance(row, Tenant):
            yield row.model_copy(update={"suspended": existing.suspended})
    for found in asked:
        yield from _of_server(found, existing, circumstances)
    yield from wanted.skills.values()
    yield from (row for row in wanted.settings if not isinstance(row, Tenant))


def _of_server(asked: "Asked", existing: Existing, circumstances: Circumstances) -> Iterator[Row]:
    after = asked.registration
    yield after
    if asked.snapshot:
        warnings, cut = asked.snapshot.warnings, asked.snapshot.cut
        answer = Answer(milliseconds=asked.milliseconds, warnings=warnings, cut=cut)
        yield checkup.answered(after, answer, circumstances.now)
    before = existing.registrations.get(after.name)
    # Approvals of another place say nothing of this one.
    if before and before.approved == after.approved:
        known = existing.remembered.get(after.name)
        row = remembered(before, after, known)
        yield from (row,) if row.tools or known else ()


def _check_sizes(rows: Mapping[str, Row], manifest: Manifest) -> None:
    """Before anything is written, so that nothing is written by halves."""
    servers = {server.name: number for number, server in enumerate(manifest.servers)}
    problems: list[Problem] = []
    for row in rows.values():
        try:
            check(row)
        except TenantMisconfigured as error:
            path = f"servers[{servers[row.name]}]" if isinstance(row, Registration) else "(document)"
            problems.append(Problem(path=path, problem=str(error)))
    if problems:
        raise NotPrepared(tuple(problems))
