"""What the clinic promises an MCP client. The client talks to the server object, in memory."""

import asyncio
import datetime as dt
from pathlib import Path

import pytest
from mcp import Client
from mcp_types import CallToolResult, TextContent, Tool

from local.clinic.clinic import load_clinic
from local.clinic.server import Desk, create_server
from local.manifest import read
from turnkey.tenancy.manifest import Manifest, parse

TODAY = dt.date(2026, 4, 20)
MANIFEST = Path("local/clinic/tenant.yaml")


@pytest.fixture
def desk() -> Desk:
    return Desk(load_clinic(TODAY))


def ask(desk: Desk, tool: str, mode: str = "auto", **arguments: object) -> CallToolResult:
    async def call() -> CallToolResult:
        async with Client(create_server(desk), mode=mode) as client:
            return await client.call_tool(tool, arguments)

    return asyncio.run(call())


def text(result: CallToolResult) -> str:
    return "".join(block.text for block in result.content if isinstance(block, TextContent))


@pytest.fixture(scope="module")
def tools() -> dict[str, Tool]:
    async def listed() -> list[Tool]:
        async with Client(create_server(Desk(load_clinic(TODAY)))) as client:
            return (await client.list_tools()).tools

    return {tool.name: tool for tool in asyncio.run(listed())}


def test_argument_schemas_use_plain_types_only(tools: dict[str, Tool]):
    for tool in tools.values():
        properties = tool.input_schema["properties"]
        assert all(isinstance(schema.get("type"), str) for schema in properties.values())
        assert all(schema.get("description") for schema in properties.values())


def test_only_what_has_no_default_is_required(tools: dict[str, Tool]):
    assert {name: tool.input_schema.get("required", []) for name, tool in tools.items()} == {
        "find_slots": [],
        "list_doctors": [],
        "get_opening_hours": [],
        "get_price": ["service"],
        "list_documents": ["query"],
        "book_appointment": ["slot_id", "patient_name"],
        "cancel_appointment": ["appointment_number"],
        "get_appointment": ["appointment_number"],
    }


def test_every_tool_has_a_title_a_description_and_an_output_schema(tools: dict[str, Tool]):
    assert all(tool.title and tool.description and tool.output_schema for tool in tools.values())


def test_hints_are_honest(tools: dict[str, Tool]):
    hints = {name: tool.annotations for name, tool in tools.items() if tool.annotations}
    assert set(hints) == set(tools)
    acting = {name for name, hint in hints.items() if not hint.read_only_hint}
    assert acting == {"book_appointment", "cancel_appointment"}
    assert {name for name, hint in hints.items() if hint.destructive_hint} == {"cancel_appointment"}
    assert {name for name, hint in hints.items() if not hint.idempotent_hint} == {"book_appointment"}
    assert not any(hint.open_world_hint for hint in hints.values())


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_call_over_mcp_returns_structured_content(desk: Desk, mode: str):
    found = ask(desk, "find_slots", mode, specialty="Hautarzt", date="2026-04-23", days=1, limit=1).structured_content
    assert found is not None
    assert (found["slots"][0]["doctor"], found["slots"][0]["date"]) == ("Dr. Sofia Almeida", "2026-04-23")


def test_null_means_the_default(desk: Desk):
    filters = dict.fromkeys(("specialty", "doctor", "date", "days", "limit"))
    assert (
        ask(desk, "find_slots", **filters).structured_content
        == ask(desk, "find_slots", specialty="any").structured_content
    )
    assert not ask(desk, "get_opening_hours", day=None, branch=None).is_error
    assert not ask(desk, "list_documents", query="form", language=None, limit=None).is_error


def test_a_slot_that_was_offered_can_be_booked_looked_up_and_cancelled(desk: Desk):
    offered = ask(desk, "find_slots", specialty="dentistry").structured_content
    assert offered is not None
    slot = offered["slots"][1]
    booked = ask(desk, "book_appointment", slot_id=slot["slot_id"], patient_name="Ana").structured_content
    assert booked is not None
    number = booked["appointment_number"]
    assert (booked["date"], booked["time"], booked["doctor"]) == (slot["date"], slot["time"], slot["doctor"])
    assert ask(desk, "get_appointment", appointment_number=number).structured_content == booked
    cancelled = ask(desk, "cancel_appointment", appointment_number=number).structured_content
    assert cancelled == {**booked, "status": "cancelled"}


def test_a_refused_booking_is_a_tool_error_that_says_what_to_do(desk: Desk):
    refused = ask(desk, "book_appointment", slot_id="D01-0101-0000", patient_name="Ana")
    assert refused.is_error
    assert "use find_slots" in text(refused)


def test_nobody_is_booked_without_a_name(desk: Desk):
    offered = ask(desk, "find_slots").structured_content
    assert offered is not None
    assert ask(desk, "book_appointment", slot_id=offered["slots"][0]["slot_id"], patient_name=" ").is_error
    assert desk.calls == {"find_slots": 1}


def test_every_run_is_counted_refusals_included(desk: Desk):
    ask(desk, "get_price", service="flu shot")
    ask(desk, "get_price", service="liver transplant")
    assert desk.calls == {"get_price": 2}


def test_the_manifest_is_accepted():
    environment = {
        "CLINIC_MCP_URL": "http://127.0.0.1:8931/mcp",
        "CLINIC_REPLY_URL": "http://127.0.0.1:8000/replies",
        "CLINIC_SECRET": "whsec_" + "A" * 44,
    }
    manifest = parse(read(MANIFEST, environment), allow_private=True)
    assert isinstance(manifest, Manifest), manifest
    assert (manifest.tenant.id, manifest.agents[0].name) == ("clinic", "receptionist")
