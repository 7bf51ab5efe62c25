"""A link to a document was followed. Whatever it does not lead to is answered alike."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from turnkey.documents import giving
from turnkey.store.acting import acting_for
from turnkey.store.documents import DocumentStore
from turnkey.telemetry import logger


def answer(event: Mapping[str, Any], documents: DocumentStore, now: datetime) -> dict[str, Any]:
    """The response to an API Gateway HTTP API event (payload 2.0): the document, or 404."""
    asked = giving.asked(event)
    if asked is None:
        return giving.missing()
    with acting_for(asked.tenant):
        file = documents.follow(asked.tenant, asked.token, now)
    logger.info("document asked for", tenant=asked.tenant, found=file is not None)
    return giving.found(file) if file else giving.missing()
