"""Requests and responses as API Gateway's HTTP API hands them to a function and takes them back: payload format 2.0.

https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
"""

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast
from urllib.parse import parse_qsl
from uuid import uuid4

from local.account import ACCOUNT_ID
from local.routing import Match

# Only these arrive as text; everything else, forms and bodies without a type among them, arrives in base64.
# The documentation says no more than "binary"; measured against the service: ministackorg/ministack#766.
_TEXT_TYPES = ("application/javascript", "application/json", "application/xml")
_API_ID = "local"


@dataclass(frozen=True)
class Request:
    """An HTTP request. `path` has its percent-escapes decoded, `query` has not; header names are lower-case."""

    method: str
    path: str
    query: str
    protocol: str
    source_ip: str
    headers: Sequence[tuple[str, str]]
    body: bytes


@dataclass(frozen=True)
class Response:
    """An HTTP response; headers may repeat."""

    status: int
    headers: Sequence[tuple[str, str]]
    body: bytes


class MalformedResponse(ValueError):
    """The function returned something that API Gateway answers with a 500."""


def event_of(request: Request, match: Match) -> dict[str, Any]:
    """The event that the route's function gets for `request`.

    As in the service, `rawPath` is decoded and `rawQueryString` is as it was sent.
    """
    headers = _joined([(name, value) for name, value in request.headers if name != "cookie"])
    cookies = [part for name, value in request.headers if name == "cookie" for part in value.split("; ")]
    body, is_base64 = _encoded(request.body, headers)
    event: dict[str, Any] = {
        "version": "2.0",
        "routeKey": match.route.key,
        "rawPath": request.path,
        "rawQueryString": request.query,
        "cookies": cookies or None,
        "headers": headers,
        "queryStringParameters": _joined(parse_qsl(request.query, keep_blank_values=True)) or None,
        "requestContext": _context(request, match, headers),
        "pathParameters": dict(match.parameters) or None,
        "body": body,
        "isBase64Encoded": is_base64,
    }
    return {name: value for name, value in event.items() if value is not None}


def response_of(payload: bytes) -> Response:
    """The response that a function's result, as JSON, stands for.

    Raises `MalformedResponse` for a `statusCode`, headers or body that are not what the format wants.
    """
    result: Any = json.loads(payload)
    if not isinstance(result, dict) or "statusCode" not in result:
        body = result if isinstance(result, str) else json.dumps(result)
        return Response(200, [("content-type", "application/json")], body.encode())
    fields = cast(dict[str, Any], result)
    given: dict[str, Any] = fields.get("headers") or {}
    cookies: list[Any] = fields.get("cookies") or []
    try:
        headers = [(name.lower(), _header_value(value)) for name, value in given.items()]
        headers += [("set-cookie", str(cookie)) for cookie in cookies]
        if not any(name == "content-type" for name, _ in headers):
            headers.append(("content-type", "text/plain;charset=UTF-8"))
        return Response(int(fields["statusCode"]), headers, _decoded(fields))
    except (AttributeError, TypeError, ValueError, binascii.Error) as error:
        raise MalformedResponse(f"Not a response in payload format 2.0: {error}") from error


def error_response(status: int, message: str) -> Response:
    """A response that comes from the gateway and not from a function."""
    return Response(status, [("content-type", "application/json")], json.dumps({"message": message}).encode())


def _context(request: Request, match: Match, headers: Mapping[str, str]) -> dict[str, Any]:
    now = datetime.now(UTC)
    return {
        "accountId": ACCOUNT_ID,
        "apiId": _API_ID,
        "domainName": headers.get("host", ""),
        "domainPrefix": headers.get("host", "").partition(".")[0],
        "http": {
            "method": request.method,
            "path": request.path,
            "protocol": request.protocol,
            "sourceIp": request.source_ip,
            "userAgent": headers.get("user-agent", ""),
        },
        "requestId": str(uuid4()),
        "routeKey": match.route.key,
        "stage": "$default",
        "time": now.strftime("%d/%b/%Y:%H:%M:%S +0000"),
        "timeEpoch": int(now.timestamp() * 1000),
    }


def _joined(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    joined: dict[str, str] = {}
    for name, value in pairs:
        joined[name] = f"{joined[name]},{value}" if name in joined else value
    return joined


def _encoded(body: bytes, headers: Mapping[str, str]) -> tuple[str | None, bool]:
    if not body:
        return None, False
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if "content-encoding" not in headers and (kind.startswith("text/") or kind in _TEXT_TYPES):
        try:
            return body.decode(), False
        except UnicodeDecodeError:
            pass
    return base64.b64encode(body).decode(), True


def _decoded(fields: Mapping[str, Any]) -> bytes:
    body = fields.get("body")
    if body is None:
        return b""
    if not isinstance(body, str):
        raise TypeError(f"body is {type(body).__name__}, not a string")
    return base64.b64decode(body, validate=True) if fields.get("isBase64Encoded") else body.encode()


def _header_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value)
    raise TypeError(f"a header is {type(value).__name__}, not a string")
