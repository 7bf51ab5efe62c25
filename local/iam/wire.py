"""Reads an HTTP request to an AWS service as the operation that it is."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl
from xml.etree import ElementTree

from local.iam.values import UnreadableRequest

_CREDENTIAL = re.compile(r"AWS4-HMAC-SHA256\s+Credential=([^/,\s]+)/\d+/[^/]+/([^/]+)/aws4_request")
_TARGETS = {"DynamoDB_20120810": "dynamodb", "secretsmanager": "secretsmanager", "AWSStepFunctions": "states"}
"""Services by what stands before the operation in X-Amz-Target."""
_INVOKE = re.compile(r"/\d{4}-\d\d-\d\d/functions/([^/]+)/invocations/?")
_SCHEDULE = re.compile(r"/schedules/([^/]+)/?")
_TAG = re.compile(r"Tags\.member\.(\d+)\.(Key|Value)")
_SCHEDULING = {"POST": "CreateSchedule", "PUT": "UpdateSchedule", "GET": "GetSchedule", "DELETE": "DeleteSchedule"}
_OF_BUCKETS = {"GET": "ListObjects", "HEAD": "ListBucket", "PUT": "CreateBucket", "DELETE": "DeleteBucket"}
_OF_OBJECTS = {"GET": "GetObject", "HEAD": "HeadObject", "PUT": "PutObject", "DELETE": "DeleteObject"}
_LISTING = {
    "continuation-token",
    "delimiter",
    "encoding-type",
    "list-type",
    "marker",
    "max-keys",
    "prefix",
    "start-after",
}


@dataclass(frozen=True)
class Call:
    """What is asked of a service. `parameters` are those that boto3 takes."""

    service: str
    operation: str
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Signature:
    """Whose key a request was signed with, for which service. `token` is empty for a key that is good for ever."""

    key: str
    service: str
    token: str


def signature_of(environ: Mapping[str, Any]) -> Signature | None:
    """None for a request without a signature in its header."""
    found = _CREDENTIAL.match(str(environ.get("HTTP_AUTHORIZATION", "")))
    return Signature(found[1], found[2], str(environ.get("HTTP_X_AMZ_SECURITY_TOKEN", ""))) if found else None


def call_of(service: str, environ: Mapping[str, Any], body: bytes) -> Call:
    """The operation asked of `service`, the one in the signature. Raises UnreadableRequest."""
    try:
        target = str(environ.get("HTTP_X_AMZ_TARGET", ""))
        if target:
            return _by_target(service, target, body)
        path = str(environ.get("PATH_INFO", "")).encode("latin-1").decode()
        query = dict(parse_qsl(str(environ.get("QUERY_STRING", "")), keep_blank_values=True))
        method = str(environ["REQUEST_METHOD"])
        match service:
            case "s3":
                return _s3(method, path, query, environ, body)
            case "lambda":
                found = _INVOKE.fullmatch(path) if method == "POST" else None
                return (
                    Call(service, "Invoke", {"FunctionName": found[1]}) if found else Call(service, f"{method} {path}")
                )
            case "scheduler":
                return _scheduler(method, path, query, body)
            case "ses" if path.startswith("/v2/"):
                return _ses(method, path, body)
            case _:
                return _query(service, {**query, **dict(parse_qsl(body.decode(), keep_blank_values=True))})
    except (KeyError, ValueError, ElementTree.ParseError) as error:
        raise UnreadableRequest(f"{service}: {type(error).__name__} {error}") from error


def _by_target(service: str, target: str, body: bytes) -> Call:
    prefix, _, operation = target.partition(".")
    # The service itself would not accept another's signature.
    if _TARGETS.get(prefix, service) != service or (service in _TARGETS.values() and prefix not in _TARGETS):
        raise UnreadableRequest(f"signed for {service}, sent to {target}")
    return Call(service, operation, json.loads(body or b"{}"))


def _query(service: str, fields: Mapping[str, str]) -> Call:
    tags: dict[str, dict[str, str]] = {}
    for name, value in fields.items():
        if found := _TAG.fullmatch(name):
            tags.setdefault(found[1], {})[found[2]] = value
    plain = {name: value for name, value in fields.items() if "." not in name}
    return Call(service, fields["Action"], {**plain, "Tags": list(tags.values())})


def _scheduler(method: str, path: str, query: Mapping[str, str], body: bytes) -> Call:
    found = _SCHEDULE.fullmatch(path)
    if not found or method not in _SCHEDULING:
        return Call("scheduler", f"{method} {path}")
    content = json.loads(body or b"{}")
    group = content.get("GroupName") or query.get("groupName")
    return Call("scheduler", _SCHEDULING[method], {**content, "Name": found[1], "GroupName": group})


def _ses(method: str, path: str, body: bytes) -> Call:
    if (method, path) != ("POST", "/v2/email/outbound-emails"):
        return Call("ses", f"{method} {path}")
    return Call("ses", "SendEmail", json.loads(body or b"{}"))


def _s3(method: str, path: str, query: Mapping[str, str], environ: Mapping[str, Any], body: bytes) -> Call:
    bucket, _, key = path.removeprefix("/").partition("/")
    named = {"Bucket": bucket, **({"Key": key} if key else {})}
    if method == "POST" and not key and "delete" in query:
        keys = [{"Key": node.text} for node in ElementTree.fromstring(body).iter() if node.tag.endswith("Key")]
        return Call("s3", "DeleteObjects", {**named, "Delete": {"Objects": keys}})
    # Anything else in the query makes it another operation, such as one on an object's tags.
    others = query.keys() - ({"x-id"} if key else _LISTING)
    operation = (_OF_OBJECTS if key else _OF_BUCKETS).get(method)
    if others or operation is None:
        return Call("s3", f"{method}?{'&'.join(sorted(others))}", named)
    if source := environ.get("HTTP_X_AMZ_COPY_SOURCE"):
        return Call("s3", "CopyObject", {**named, "CopySource": source})
    return Call("s3", operation, {**named, **({"Prefix": query["prefix"]} if "prefix" in query else {})})
