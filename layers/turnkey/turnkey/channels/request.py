"""A webhook as it came in: the raw bytes first, because signatures are over them."""

import base64
from typing import Any, cast

from turnkey.errors import RequestRefused
from turnkey.values import Value

MAX_BODY_BYTES = 256 * 1024
"""More than any text message of any channel. Media come by reference."""


class WebhookRequest(Value):
    """Header names are lower case; `body` is what the sender signed."""

    tenant: str
    connection: str
    method: str
    headers: dict[str, str]
    body: bytes


def from_event(event: dict[str, Any]) -> WebhookRequest:
    """Reads an API Gateway HTTP API event (payload 2.0). Raises RequestRefused: 400 for a body that is not what the
    gateway says it is, 413 for one that is too large."""
    parameters = cast(dict[str, str], event.get("pathParameters") or {})
    headers = cast(dict[str, str], event.get("headers") or {})
    return WebhookRequest(
        tenant=parameters.get("tenant", ""),
        connection=parameters.get("connection", ""),
        method=str(event.get("requestContext", {}).get("http", {}).get("method", "POST")),
        headers={name.lower(): value for name, value in headers.items()},
        body=_body(event),
    )


def _body(event: dict[str, Any]) -> bytes:
    text = str(event.get("body") or "")
    if not event.get("isBase64Encoded"):
        body = text.encode("utf-8", "surrogatepass")
    else:
        try:
            body = base64.b64decode(text, validate=True)
        except ValueError as error:
            raise RequestRefused(400, "bad_encoding", "the body is marked as base64 but is not") from error
    if len(body) > MAX_BODY_BYTES:
        raise RequestRefused(
            413, "too_large", f"the body has {len(body):,} bytes, the limit is {MAX_BODY_BYTES:,}: send media by URL"
        )
    return body
