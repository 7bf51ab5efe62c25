"""The local HTTP API speaks payload format 2.0 as API Gateway does."""

import base64
import json
from typing import Any

import pytest

from local.deployment import Route
from local.gateway import MalformedResponse, Request, event_of, response_of
from local.routing import Routes

ROUTES = Routes(
    [
        Route("ANY", "$default", "default"),
        Route("GET", "/files/{proxy+}", "files"),
        Route("POST", "/hooks/{tenant}/{connection}", "hooks"),
        Route("ANY", "/hooks/{tenant}/{connection}", "any-hooks"),
        Route("GET", "/files/index", "index"),
    ]
)


def event(
    body: bytes = b"", headers: list[tuple[str, str]] | None = None, path: str = "/hooks/a b/c", query: str = ""
) -> dict[str, Any]:
    match = ROUTES.match("POST", path)
    assert match
    return event_of(Request("POST", path, query, "HTTP/1.1", "1.2.3.4", headers or [], body), match)


@pytest.mark.parametrize(
    ("method", "path", "function"),
    [
        ("POST", "/hooks/a/b", "hooks"),
        ("GET", "/hooks/a/b", "any-hooks"),
        ("GET", "/files/index", "index"),
        ("GET", "/files/a/b.txt", "files"),
        ("POST", "/files/a", "default"),
        ("POST", "/hooks/a", "default"),
        ("POST", "/hooks/a/b/", "default"),
    ],
)
def test_the_most_specific_route_wins(method: str, path: str, function: str) -> None:
    match = ROUTES.match(method, path)
    assert match
    assert match.route.function_name == function


def test_a_request_without_a_route_matches_nothing() -> None:
    assert Routes([Route("POST", "/a", "a")]).match("GET", "/a") is None


def test_an_event_says_where_the_request_came_from_and_went() -> None:
    found = event(headers=[("host", "example.org"), ("user-agent", "curl")])
    assert found["version"] == "2.0"
    assert found["routeKey"] == "POST /hooks/{tenant}/{connection}"
    assert found["rawPath"] == "/hooks/a b/c"
    assert found["pathParameters"] == {"tenant": "a b", "connection": "c"}
    context = found["requestContext"]
    assert context["http"] == {
        "method": "POST",
        "path": "/hooks/a b/c",
        "protocol": "HTTP/1.1",
        "sourceIp": "1.2.3.4",
        "userAgent": "curl",
    }
    assert (context["stage"], context["routeKey"], context["domainName"]) == (
        "$default",
        found["routeKey"],
        "example.org",
    )
    assert len(str(context["timeEpoch"])) == 13


def test_repeated_headers_and_parameters_are_joined_and_cookies_are_apart() -> None:
    found = event(
        headers=[("x-a", "1"), ("x-a", "2"), ("cookie", "a=1; b=2"), ("cookie", "c=3")], query="a=1&a=2%20x&b="
    )
    assert found["headers"] == {"x-a": "1,2"}
    assert found["cookies"] == ["a=1", "b=2", "c=3"]
    assert found["queryStringParameters"] == {"a": "1,2 x", "b": ""}
    assert found["rawQueryString"] == "a=1&a=2%20x&b="


def test_what_is_not_there_is_left_out() -> None:
    assert {"body", "cookies", "queryStringParameters"} & set(event()) == set()
    assert event()["isBase64Encoded"] is False


@pytest.mark.parametrize("kind", ["application/json; charset=utf-8", "text/csv", "application/xml", "TEXT/PLAIN"])
def test_text_arrives_as_text(kind: str) -> None:
    found = event("grün".encode(), [("content-type", kind)])
    assert (found["body"], found["isBase64Encoded"]) == ("grün", False)


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("content-type", "application/x-www-form-urlencoded")],
        [("content-type", "image/png")],
        [("content-type", "application/problem+json")],
        [("content-type", "application/json"), ("content-encoding", "gzip")],
    ],
)
def test_everything_else_arrives_in_base64(headers: list[tuple[str, str]]) -> None:
    found = event(b"{}", headers)
    assert (found["body"], found["isBase64Encoded"]) == (base64.b64encode(b"{}").decode(), True)


def test_text_that_is_not_utf_8_arrives_in_base64_whole() -> None:
    found = event(b"\xff\x00", [("content-type", "text/plain")])
    assert base64.b64decode(found["body"]) == b"\xff\x00"
    assert found["isBase64Encoded"] is True


def test_a_full_response_becomes_status_headers_cookies_and_body() -> None:
    response = response_of(
        json.dumps(
            {"statusCode": 201, "headers": {"X-A": 1}, "cookies": ["a=1", "b=2"], "body": "grün"}, ensure_ascii=False
        ).encode()
    )
    assert (response.status, response.body) == (201, "grün".encode())
    assert response.headers == [
        ("x-a", "1"),
        ("set-cookie", "a=1"),
        ("set-cookie", "b=2"),
        ("content-type", "text/plain;charset=UTF-8"),
    ]


def test_a_base64_body_is_decoded() -> None:
    response = response_of(b'{"statusCode": 200, "body": "AP8=", "isBase64Encoded": true}')
    assert response.body == b"\x00\xff"


@pytest.mark.parametrize(
    ("result", "body"), [({"a": 1}, b'{"a": 1}'), ("text", b"text"), ([1], b"[1]"), (None, b"null")]
)
def test_a_plain_result_is_a_200_in_json(result: Any, body: bytes) -> None:
    response = response_of(json.dumps(result).encode())
    assert (response.status, response.body) == (200, body)
    assert response.headers == [("content-type", "application/json")]


@pytest.mark.parametrize(
    "result",
    [
        {"statusCode": "no"},
        {"statusCode": 200, "body": {"a": 1}},
        {"statusCode": 200, "headers": ["a"]},
        {"statusCode": 200, "headers": {"a": None}},
        {"statusCode": 200, "body": "not base64", "isBase64Encoded": True},
    ],
)
def test_a_malformed_response_is_told_apart(result: dict[str, Any]) -> None:
    with pytest.raises(MalformedResponse):
        response_of(json.dumps(result).encode())
