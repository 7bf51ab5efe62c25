"""The protocol's own test server from npm, over every transport: each tool listed and called on the path of a turn.

make test-more
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.support import node
from tests.support.servers import call, look, registration, snapshot
from tests.support.stdio import ARN, stdio_function
from turnkey.mcp.registration import Registration, ServerTimeouts
from turnkey.store.invoking import FunctionStore
from turnkey.tools import CallOutcome, JsonObject

SERVER = "@modelcontextprotocol/server-everything"
PATIENT = ServerTimeouts(connect=30, list=40, call=30)
"""Node takes a third of a second to start, and much longer on a busy machine."""
CALLS: dict[str, tuple[JsonObject, str]] = {
    "echo": ({"message": "héllo 世界"}, "héllo 世界"),
    "get-annotated-message": (
        {"messageType": "error", "includeImage": True},
        r"Error.*\[image image/png, [\d,]+ bytes",
    ),
    "get-env": ({}, r"PATH"),
    "get-resource-links": ({"count": 2}, r"(\[link .*){2}"),
    "get-resource-reference": ({"resourceType": "Text", "resourceId": 1}, r"Resource 1"),
    "get-structured-content": ({"location": "Chicago"}, r'^\{"temperature":[\d.]+,"conditions":"'),
    "get-sum": ({"a": 19, "b": 23}, r"\b42\b"),
    "get-tiny-image": ({}, r"\[image image/png, [\d,]+ bytes: not shown\]"),
    "gzip-file-as-resource": ({"name": "a.gz", "data": "data:text/plain,hello"}, r"a\.gz"),
    "toggle-simulated-logging": ({}, r"(?i)start"),
    "toggle-subscriber-updates": ({}, r"(?i)start"),
    "trigger-long-running-operation": ({"duration": 0.2, "steps": 2}, r"completed"),
    "simulate-research-query": ({"topic": "whales"}, r"whales"),
}
"""Of every tool: arguments, and what its result must have. A client that can do more is offered more."""


@pytest.fixture(scope="module", params=["stdio", "sse", "streamable_http"])
def everything(request: pytest.FixtureRequest) -> Iterator[Registration]:
    """The server as it is kept once it has been asked."""
    command = node.script(SERVER, "dist/index.js")
    with ExitStack() as exits, pytest.MonkeyPatch.context() as patch:
        match request.param:
            case "stdio":
                function = exits.enter_context(stdio_function([*command, "stdio"], timeout_seconds=60))
                patch.setenv("TURNKEY_STDIO_SERVERS", json.dumps({"everything": {"function": ARN}}))
                patch.setattr(FunctionStore, "invoke", lambda _, arn, payload: function.invoke(arn, payload))
                asked = registration("", transport="stdio", catalogue="everything", timeouts=PATIENT)
            case "sse":
                url = exits.enter_context(node.listening([*command, "sse"], "/sse"))
                asked = registration(url, transport="sse", timeouts=PATIENT)
            case _:
                url = exits.enter_context(node.listening([*command, "streamableHttp"], "/mcp"))
                asked = registration(url, timeouts=PATIENT)
        yield snapshot(asked).registration


def made(everything: Registration, name: str, arguments: JsonObject) -> CallOutcome:
    definition = next(tool for tool in everything.tools if tool.name == name)
    tool = look(name=name).model_copy(update={"output_schema": definition.output_schema})
    (outcome,) = call(everything, tool, arguments)
    return outcome


def test_every_tool_is_listed(everything: Registration) -> None:
    assert {tool.name for tool in everything.tools} == set(CALLS)
    assert everything.protocol


@pytest.mark.parametrize("name", CALLS)
def test_every_tool_is_called(everything: Registration, name: str) -> None:
    arguments, wanted = CALLS[name]
    outcome = made(everything, name, arguments)
    assert (outcome.status, outcome.error) == ("ok", ""), outcome
    assert re.search(wanted, outcome.text, re.DOTALL), outcome.text


def test_a_tool_that_is_not_there_is_told_as_gone(everything: Registration) -> None:
    (outcome,) = call(everything, look(name="no-such-tool"))
    assert (outcome.status, outcome.error) == ("error", "ToolGone"), outcome


def test_arguments_that_do_not_fit_are_an_error_that_says_so(everything: Registration) -> None:
    outcome = made(everything, "get-sum", {"a": "many", "b": 1})
    assert (outcome.status, outcome.error) == ("error", "")
    assert "number" in outcome.text
