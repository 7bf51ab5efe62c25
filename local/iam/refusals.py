"""How a service says no: each protocol's own shape of an error, as boto3 reads it."""

import json
from dataclasses import dataclass
from xml.sax.saxutils import escape


@dataclass(frozen=True)
class Refusal:
    """`code` is such as AccessDenied; services with JSON add Exception to it."""

    code: str
    message: str


@dataclass(frozen=True)
class Answer:
    status: str
    headers: list[tuple[str, str]]
    body: bytes


def answer(refusal: Refusal, service: str, *, by_target: bool) -> Answer:
    """`by_target` is for services that take JSON with a target in a header."""
    code = f"{refusal.code}Exception"
    if by_target:
        body = {"__type": f"com.amazon.coral.service#{code}", "message": refusal.message, "Message": refusal.message}
        return Answer("400 Bad Request", [("content-type", "application/x-amz-json-1.0")], json.dumps(body).encode())
    if service in ("lambda", "scheduler", "ses"):
        headers = [("content-type", "application/json"), ("x-amzn-errortype", code)]
        return Answer("403 Forbidden", headers, json.dumps({"Message": refusal.message}).encode())
    error = f"<Code>{refusal.code}</Code><Message>{escape(refusal.message)}</Message>"
    if service == "s3":
        text = f'<?xml version="1.0" encoding="UTF-8"?><Error>{error}<RequestId>local</RequestId></Error>'
    else:
        text = f"<ErrorResponse><Error><Type>Sender</Type>{error}</Error><RequestId>local</RequestId></ErrorResponse>"
    status = "400 Bad Request" if refusal.code == "ValidationError" else "403 Forbidden"
    return Answer(status, [("content-type", "text/xml")], text.encode())
