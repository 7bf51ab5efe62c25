"""Gives a document to whoever has its link, while the link is valid."""

from datetime import UTC, datetime
from typing import Any

from turnkey.environment import required
from turnkey.store.documents import DocumentStore
from turnkey.store.objects import ObjectStore
from turnkey.telemetry import logger
from turnkey.turn.download import answer

documents = DocumentStore(
    required("TURNKEY_CONVERSATIONS_TABLE"),
    ObjectStore(required("TURNKEY_OBJECTS_BUCKET")),
)


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    return answer(event, documents, datetime.now(UTC))
