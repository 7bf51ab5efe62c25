"""The download of a document: what is asked for, and the answer. Whatever is not there is answered alike."""

import base64
import re
import secrets
import unicodedata
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import quote

from turnkey import ids
from turnkey.documents.document import MediaType
from turnkey.values import Value

TOKEN_BYTES = 32
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}\Z")
_EXTENSIONS: dict[MediaType, str] = {"text/markdown": "md", "text/plain": "txt"}
_NOT_IN_NAMES = '\\/:*?"<>|'
_HEADERS = {
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    "cache-control": "private, no-store",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex, nofollow",
    "cross-origin-resource-policy": "same-origin",
}


class Asked(Value):
    """A link as it was followed, well-formed."""

    tenant: str
    token: str


class File(Value):
    """What a link leads to."""

    title: str
    media_type: MediaType
    content: bytes


def new_token() -> str:
    """The secret part of a link: 256 random bits."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def asked(event: Mapping[str, Any]) -> Asked | None:
    """Of an API Gateway HTTP API event (payload 2.0); None for whatever cannot be a link."""
    given: Any = event.get("pathParameters")
    parameters = cast(dict[str, Any], given) if isinstance(given, dict) else {}
    tenant, token = parameters.get("tenant"), parameters.get("token")
    if not isinstance(tenant, str) or not isinstance(token, str):
        return None
    return Asked(tenant=tenant, token=token) if ids.is_name(tenant) and _TOKEN.match(token) else None


def link(api_url: str, tenant: str, token: str) -> str:
    return f"{api_url.rstrip('/')}/documents/{tenant}/{token}"


def found(file: File) -> dict[str, Any]:
    """The response that has the document: to be kept as a file, and never run."""
    headers = {
        "content-type": f"{file.media_type}; charset=utf-8",
        "content-disposition": disposition(file.title, file.media_type),
        **_HEADERS,
    }
    body = base64.b64encode(file.content).decode()
    return {"statusCode": 200, "headers": headers, "body": body, "isBase64Encoded": True}


def missing() -> dict[str, Any]:
    """The response for everything else: unknown, malformed, expired, another tenant's."""
    headers = {"content-type": "text/plain; charset=utf-8", **_HEADERS}
    return {"statusCode": 404, "headers": headers, "body": "There is no such document, or its link is no longer valid."}


def disposition(title: str, media_type: MediaType) -> str:
    """The header's value by RFC 6266: the name in ASCII for old clients, and whole in UTF-8 (RFC 8187)."""
    extension = _EXTENSIONS[media_type]
    name = _file_name(title)
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    plain = " ".join(re.sub(r"[^A-Za-z0-9 ._()-]+", " ", plain).split()).strip(". ") or "document"
    return f"attachment; filename=\"{plain}.{extension}\"; filename*=UTF-8''{quote(f'{name}.{extension}', safe='')}"


def _file_name(title: str) -> str:
    """Without what file systems do not take, and without an extension of its own."""
    kept = "".join(
        " " if sign in '\\/:*?"<>|' or unicodedata.category(sign) in ("Cc", "Cs") else sign for sign in title
    )
    bare = re.sub(r"\.(?:md|markdown|txt)$", "", " ".join(kept.split()), flags=re.IGNORECASE)
    return bare.strip(". ")[:100] or "document"
