"""The local HTTP API answers as API Gateway does, in its limits and its failures too."""

import base64
import http.client
import json
import socket
import time
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest

from local.deployment import Route
from local.front import Front
from local.invocation import Outcome, failure

ROUTES = [Route("POST", "/hooks/{tenant}/{connection}", "echo"), Route("GET", "/{function}", "by-name")]


def dispatch(function: str, event: bytes) -> Outcome:
    """Functions by the path's last part: most return the event."""
    kind = json.loads(event)["rawPath"].rsplit("/", 1)[1]
    if kind == "slow":
        time.sleep(0.7)
    if kind == "fails":
        return failure("Boom", "secret details")
    if kind == "malformed":
        return Outcome(b'{"statusCode": "none"}')
    if kind == "created":
        return Outcome(b'{"statusCode": 201, "headers": {"x-a": "1"}, "cookies": ["a=1", "b=2"], "body": "made"}')
    if kind == "nothing":
        return Outcome(b'{"statusCode": 204}')
    return Outcome(event)


@pytest.fixture(scope="module")
def front() -> Iterator[Front]:
    with Front(ROUTES, dispatch, seconds=0.4) as running:
        yield running


@contextmanager
def answer(
    front: Front, method: str, path: str, body: bytes = b"", headers: list[tuple[str, str]] | None = None
) -> Generator[http.client.HTTPResponse]:
    address = urlsplit(front.url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port)
    connection.putrequest(method, path)
    for name, value in headers or []:
        connection.putheader(name, value)
    if body:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body or None)
    with connection.getresponse() as response:
        yield response
    connection.close()


def event(front: Front, *request: Any) -> dict[str, Any]:
    with answer(front, *request) as response:
        assert response.status == 200
        return json.loads(response.read())


def test_a_request_reaches_its_function_byte_for_byte(front: Front) -> None:
    body = bytes(range(256)) * 100
    seen = event(front, "POST", "/hooks/a%20b/c?x=1&x=%C3%BC&y", body, [("X-A", "1"), ("x-a", "2"), ("Cookie", "k=v")])
    assert base64.b64decode(seen["body"]) == body
    assert seen["isBase64Encoded"] is True
    assert seen["rawPath"] == "/hooks/a b/c"
    assert seen["pathParameters"] == {"tenant": "a b", "connection": "c"}
    assert seen["rawQueryString"] == "x=1&x=%C3%BC&y"
    assert seen["queryStringParameters"] == {"x": "1,ü", "y": ""}
    assert seen["headers"]["x-a"] == "1,2"
    assert seen["headers"]["x-forwarded-for"] == "127.0.0.1"
    assert seen["cookies"] == ["k=v"]
    assert seen["requestContext"]["http"]["method"] == "POST"


def test_a_response_reaches_the_client_with_all_its_headers(front: Front) -> None:
    with answer(front, "GET", "/created") as response:
        assert (response.status, response.read()) == (201, b"made")
        assert response.headers.get_all("set-cookie") == ["a=1", "b=2"]
        assert response.headers["x-a"] == "1"
    with answer(front, "GET", "/nothing") as response:
        assert (response.status, response.read()) == (204, b"")


@pytest.mark.parametrize(
    ("method", "path", "status", "message"),
    [
        ("POST", "/hooks/a/fails", 500, "Internal Server Error"),
        ("GET", "/malformed", 500, "Internal Server Error"),
        ("GET", "/hooks/a/b", 404, "Not Found"),
        ("PUT", "/hooks/a/b", 404, "Not Found"),
        ("GET", "/slow", 503, "Service Unavailable"),
        ("GET", "/a?" + "x" * 10_240, 431, "Request Header Fields Too Large"),
    ],
)
def test_what_goes_wrong_is_told_without_details(
    front: Front, method: str, path: str, status: int, message: str
) -> None:
    with answer(front, method, path) as response:
        assert (response.status, json.loads(response.read())) == (status, {"message": message})


def test_long_headers_are_refused(front: Front) -> None:
    with answer(front, "GET", "/a", b"", [("x-a", "y" * 10_240)]) as response:
        assert response.status == 431


@pytest.mark.parametrize("megabytes", [7, 11])
def test_a_body_that_a_function_could_not_take_is_refused(front: Front, megabytes: int) -> None:
    body = b"x" * (megabytes * 1024 * 1024)
    with answer(front, "POST", "/hooks/a/b", body, [("content-type", "text/plain")]) as response:
        assert (response.status, json.loads(response.read())) == (413, {"message": "Request Entity Too Large"})


def test_requests_are_answered_side_by_side(front: Front) -> None:
    started = time.monotonic()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: _status(front, "/slow"), range(8)))
    assert time.monotonic() - started < 2


def test_a_taken_port_is_an_error_at_once(front: Front) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(OSError, match="in use"):
        Front(ROUTES, dispatch, port=taken.getsockname()[1])


def _status(front: Front, path: str) -> int:
    with answer(front, "GET", path) as response:
        return response.status
