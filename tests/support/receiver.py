"""The tenant's side of the generic webhook channel: takes signed replies, verifies and keeps them.

with ReplyReceiver(secret) as receiver:
    receiver.url("/replies")         # the reply address of the connection
    receiver.replies(1)              # waits, then gives the verified posts
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any

from standardwebhooks import Webhook, WebhookVerificationError

from tests.support.serving import Server, send


@dataclass(frozen=True)
class Post:
    """One POST as it came. status: what it was answered; verified: its signature held."""

    path: str
    headers: dict[str, str]
    body: bytes
    verified: bool
    status: int

    @property
    def id(self) -> str:
        return self.headers.get("webhook-id", "")

    @property
    def is_progress(self) -> bool:
        return b'"type": "message.progress"' in self.body

    def json(self) -> Any:
        return json.loads(self.body)


class ReplyReceiver(Server):
    """statuses: what the first posts with a good signature are answered, 200 from then on. A bad signature gets 401."""

    def __init__(
        self,
        secret: str,
        *,
        statuses: Sequence[int] = (),
        delay_seconds: float = 0,
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        super().__init__(host=host, port=port)
        self._webhook = Webhook(secret)
        self._lock = threading.Lock()
        self._statuses = iter(tuple(statuses))
        self._delay_seconds = delay_seconds
        self.posts: list[Post] = []

    def handle(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        headers = {name.lower(): value for name, value in request.headers.items()}
        verified = self._verified(headers, body)
        time.sleep(self._delay_seconds)
        with self._lock:
            status = next(self._statuses, 200) if verified else 401
            self.posts.append(Post(request.path, headers, body, verified, status))
        send(request, status, b"", {})
        with self._changed:
            self._changed.notify_all()

    def replies(self, count: int, *, seconds: float = 10) -> list[Post]:
        """The replies that were verified and accepted, once there are `count`.

        Raises TimeoutError with everything that came when they are fewer after `seconds`.
        """
        if not self.wait(lambda: len(self._accepted()) >= count, seconds):
            raise TimeoutError(f"{len(self._accepted())} of {count} replies after {seconds} s; came: {self.posts}")
        return self._accepted()

    def progress(self) -> list[Post]:
        """The posts that only showed that a turn works."""
        return [post for post in self.posts if post.is_progress]

    def _accepted(self) -> list[Post]:
        return [post for post in self.posts if post.verified and 200 <= post.status < 300 and not post.is_progress]

    def _verified(self, headers: dict[str, str], body: bytes) -> bool:
        try:
            self._webhook.verify(body, headers, json_parse=False)
        except (WebhookVerificationError, ValueError):  # a malformed signature header raises ValueError
            return False
        return True
