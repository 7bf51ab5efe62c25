"""What template.yaml gives the functions of stdio servers: nothing of a tenant's, and nothing but a log."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from local.deployment import Deployment, Function
from local.template import load
from turnkey.mcp.stdio_catalogue import from_environment
from turnkey.stdio import Command

TEMPLATE = Path(__file__).parents[2] / "template.yaml"
CALLERS = ("ToolLoop", "Provision", "Refresh")


@cache
def deployment() -> Deployment:
    return load(TEMPLATE, {"AllowPrivateAddresses": "true"})


def servers() -> list[Function]:
    return [function for function in deployment().functions.values() if "-stdio-" in function.name]


def test_a_stdio_servers_role_writes_logs_and_traces_and_nothing_else() -> None:
    roles = {role.arn: role for role in deployment().roles}
    assert servers()
    for function in servers():
        statements: list[Any] = [one for policy in roles[function.role].policies for one in policy["Statement"]]
        actions = [action for one in statements for action in one["Action"]]
        assert {action.partition(":")[0] for action in actions} == {"logs", "xray"}


def test_no_role_of_a_tenants_may_be_assumed_by_a_stdio_server() -> None:
    own = {function.role for function in servers()}
    trusted = json.dumps([role.trust for role in deployment().roles if role.arn not in own])
    assert not [role for role in own if role in trusted]


def test_a_stdio_servers_environment_names_no_secret_and_no_store_of_conversations() -> None:
    for function in servers():
        names = {name for name in function.environment if "TABLE" in name or "BUCKET" in name or "SECRET" in name}
        assert names <= {"TURNKEY_TENANTS_TABLE", "TURNKEY_SECRETS_PREFIX"}, "these two are every function's: names"


@pytest.mark.parametrize("caller", CALLERS)
def test_who_reaches_servers_knows_the_catalogue_and_it_is_what_is_deployed(
    caller: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TURNKEY_STDIO_SERVERS", deployment().function(caller).environment["TURNKEY_STDIO_SERVERS"])
    catalogue = from_environment()
    by_arn = {function.arn: function for function in servers()}
    assert {entry.function for entry in catalogue.values()} == set(by_arn)
    for entry in catalogue.values():
        for name in ("TURNKEY_STDIO_COMMAND", "TURNKEY_STDIO_SETTINGS"):
            monkeypatch.setenv(name, by_arn[entry.function].environment[name])
        settings = Command.from_environment().settings
        assert {name: setting.required for name, setting in settings.items()} == {
            name: setting.required for name, setting in entry.settings.items()
        }
