"""Nothing but the network guard's room opens a connection to an address that a tenant can influence."""

import ast
from pathlib import Path

import pytest

from tests.support.openings import NEEDS, openings
from turnkey.loop.calls import read_answer
from turnkey.models.chat import ChatAnswer, WireCall
from turnkey.tools import Tool, Toolset

LAYER = Path("layers/turnkey/turnkey")
ROOM = LAYER / "network"
FILES = sorted(
    path for path in (*LAYER.rglob("*.py"), *Path("functions").rglob("*.py")) if not path.is_relative_to(ROOM)
)
"""All that runs for tenants."""


def test_there_is_something_to_look_at() -> None:
    names = {path.name for path in FILES}
    assert {"connection.py", "openai_endpoint.py", "deliver.py", "app.py"} <= names
    assert len(FILES) > 150


@pytest.mark.parametrize("path", FILES, ids=str)
def test_no_code_opens_a_connection_past_the_guard(path: Path) -> None:
    found = openings(path.read_text())
    if path.is_relative_to(LAYER / "stdio"):
        # What runs there has a role of its own and no address to go to: it starts the operator's packages.
        found = [opening for opening in found if not opening.endswith(("import subprocess", "import ctypes"))]
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        "import socket",
        "import socket as s",
        "from socket import create_connection",
        "import ssl",
        "import http.client",
        "from http import client",
        "from http.client import HTTPSConnection",
        "import urllib.request",
        "from urllib import request",
        "from urllib.request import urlopen as read",
        "from urllib.robotparser import RobotFileParser",
        "import requests",
        "import aiohttp",
        "import httpx",
        "import httpcore2",
        "import urllib3.poolmanager",
        "import websockets.client",
        "import smtplib",
        "import trafilatura\ntrafilatura.fetch_url(url)",
        "from trafilatura.downloads import fetch_response",
        "import subprocess",
        "def late():\n    import requests\n",
        "import httpx2\nhttpx2.get(url)",
        "import httpx2\nhttpx2.post(url, content=b'')",
        "import httpx2\nhttpx2.request('GET', url)",
        "import httpx2\nwith httpx2.stream('GET', url): pass",
        "import httpx2\nhttpx2.Client()",
        "import httpx2\nasync def f():\n    async with httpx2.AsyncClient() as http: await http.get(url)",
        "import httpx2 as web\nweb.AsyncClient()",
        "from httpx2 import AsyncClient as C\nC()",
        "from httpx2 import get\nget(url)",
        "from httpx2 import *",
        "import httpx2\nmake = httpx2.AsyncClient",
        "import httpx2\ngetattr(httpx2, 'Client')()",
        "import httpx2\nweb = httpx2",
        "import httpx2\nclass T(httpx2.AsyncHTTPTransport): pass",
        "from httpx2.websockets import connect_ws",
        "import asyncio\nasync def f(): await asyncio.open_connection(host, 443)",
        "from asyncio import open_connection as o\nasync def f(): await o(host, 443)",
        "import asyncio\nasync def f(): await asyncio.get_running_loop().create_connection(P, host, 443)",
        "async def f(loop): await loop.sock_connect(s, (host, 443))",
        "import anyio\nasync def f(): await anyio.connect_tcp(host, 443)",
        "from anyio import connect_tcp as c\nasync def f(): await c(host, 443)",
        "import anyio\nanyio.getaddrinfo(host, 443)",
        "import importlib\nimportlib.import_module('socket')",
        "import importlib\nimportlib.import_module(name)",
        "__import__('requests').get(url)",
        "from importlib import import_module as load\nload(f'{name}.client')",
        "from mcp.client.streamable_http import streamable_http_client\nstreamable_http_client(url)",
        "from mcp.client.streamable_http import streamable_http_client\nstreamable_http_client(url, http_client=None)",
        "from mcp.client.streamable_http import streamable_http_client\n"
        "streamable_http_client(url, http_client=http if guarded else None)",
        "from mcp.client.streamable_http import streamable_http_client as open_it\nopen_it(url)",
        "from mcp.client import streamable_http as s\nconnect = s.streamable_http_client",
        "from mcp.client.sse import sse_client\nsse_client(url)",
        "from mcp.client.websocket import websocket_client\nwebsocket_client(url)",
        "from mcp.shared._httpx_utils import create_mcp_http_client\ncreate_mcp_http_client()",
        "from mcp import Client\nClient('https://shop.example.com/mcp')",
        "from mcp import Client\nClient(f'https://{host}/mcp')",
        "from mcp import Client\nClient(registration.url)",
        "from mcp import Client\nClient(server=registration.url)",
        "from mcp import Client\nClient(str(url))",
        "from mcp import Client\ndef f(url: str): return Client(url)",
        "from mcp import Client\ndef f(url): return Client(url)",
        "from mcp import Client\nurl = registration.url\nClient(url)",
        "import mcp\nmcp.Client(registration.url)",
        "from mcp import Client as C\nmake = C",
        "import openai\nopenai.AsyncOpenAI(base_url=url)",
        "import openai\nopenai.OpenAI(base_url=url, http_client=None)",
        "from openai import AsyncOpenAI as A\nA(base_url=url)",
        "import openai\nopenai.chat.completions.create()",
        "from jsonschema import Draft202012Validator\nDraft202012Validator(schema)",
        "import jsonschema\njsonschema.validate(value, schema)",
        "import jwt\njwt.PyJWKClient(url)",
        "import os\nos.system('curl ' + url)",
    ],
)
def test_each_way_past_the_guard_is_found(code: str) -> None:
    assert openings(code)


@pytest.mark.parametrize(
    "code",
    [
        "import httpx2\nasync def f(http: httpx2.AsyncClient) -> httpx2.AsyncClient: return http",
        "import httpx2\ntry: pass\nexcept httpx2.HTTPError: pass",
        "import httpx2\nclass A(httpx2.Auth): pass",
        "from turnkey.network.client import client\nasync def f():\n    async with client() as http: await http.get(url)",
        "import asyncio\nasyncio.run(f())",
        "import anyio\nanyio.fail_after(3)",
        "from urllib.parse import urlsplit",
        "from importlib import import_module\nimport_module(f'turnkey.channels.{kind}')",
        "from mcp import Client\nfrom mcp.client.streamable_http import streamable_http_client\n"
        "Client(streamable_http_client(url, http_client=http))",
        "from mcp import Client\ndef f(transport: Any): return Client(transport)",
        "from mcp import Client\nasync def f():\n    transport = await opened()\n    return Client(transport)",
        "from mcp.client.sse import sse_client\nsse_client(url, httpx_client_factory=lambda **_: http)",
        "import openai\nopenai.AsyncOpenAI(base_url=url, http_client=client())",
        "def f(store): store.get('a'); store.delete('b')",
    ],
)
def test_what_goes_through_the_guard_is_left_alone(code: str) -> None:
    assert openings(code) == []


def guarded_calls(tree: ast.Module) -> list[ast.Call]:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in calls if any(keyword.arg in NEEDS.values() for keyword in call.keywords)]


GUARDED = [path for path in FILES if guarded_calls(ast.parse(path.read_text()))]


def test_models_and_servers_are_among_what_is_guarded() -> None:
    assert {"openai_endpoint.py", "transport.py"} <= {path.name for path in GUARDED}


@pytest.mark.parametrize("path", GUARDED, ids=str)
def test_leaving_the_guard_out_where_it_is_used_would_be_found(path: Path) -> None:
    tree = ast.parse(path.read_text())
    for call in guarded_calls(tree):
        kept, call.keywords = call.keywords, [k for k in call.keywords if k.arg not in NEEDS.values()]
        assert openings(ast.unparse(tree))
        call.keywords = kept
    assert openings(ast.unparse(tree)) == []


@pytest.mark.parametrize(
    "place", ["http://169.254.169.254/latest", "https://shop.example.com/schema.json", "file:///etc/hostname", "other"]
)
def test_what_a_schema_refers_to_is_never_fetched(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("urllib.request.urlopen", lambda request: opened.append(request.full_url))
    parameters = {"type": "object", "properties": {"a": {"$ref": place}}, "$defs": {"b": {"type": "string"}}}
    tool = Tool(name="look", server="s", original_name="look", description="Look.", parameters=parameters)
    wire = WireCall(name="look", arguments='{"a": "x"}')
    (call,) = read_answer(ChatAnswer(text="", calls=(wire,)), 0, Toolset([tool])).calls
    assert (call.problem, opened) == ("", [])
