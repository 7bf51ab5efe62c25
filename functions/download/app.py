"""Gives a document to whoever has its link, while the link is valid."""

from typing import Any

from turnkey.telemetry import logger


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    return {"statusCode": 404, "headers": {"content-type": "text/plain"}, "body": "There is no such document."}
