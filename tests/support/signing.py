"""Standard Webhooks on the sending side, for messages that a test posts."""

from __future__ import annotations

import base64
import secrets
from datetime import UTC, datetime

from standardwebhooks import Webhook


def new_secret() -> str:
    """A fresh secret, `whsec_` and 32 bytes in base64."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


def signed_headers(secret: str, body: bytes, *, message_id: str, at: datetime | None = None) -> dict[str, str]:
    """The headers under which `body` is posted; at: an aware time, now when left out."""
    at = (at or datetime.now(UTC)).astimezone(UTC)
    return {
        "content-type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": Webhook(secret).sign(message_id, at, body.decode()),
    }
