"""Asking another function to do something, without waiting for it."""

import json
import time
from collections.abc import Callable
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from turnkey.store import platform
from turnkey.telemetry import logger

AGAIN_SECONDS = 180.0
"""Before the same server is asked for again from this process. The refresh itself looks at when it was last done."""


class RefreshRequests:
    """Has a server's tools listed anew."""

    def __init__(self, function: str, clock: Callable[[], float] = time.monotonic) -> None:
        """`function` is the refresh function's name; with an empty one nothing is asked for."""
        self._function = function
        self._clock = clock
        self._asked: dict[tuple[str, str], float] = {}

    def ask(self, tenant: str, server: str) -> None:
        """Never raises: a turn goes on whether or not the tools are listed anew."""
        now = self._clock()
        self._asked = {key: at for key, at in self._asked.items() if now - at < AGAIN_SECONDS}
        if not self._function or (tenant, server) in self._asked:
            return
        self._asked[tenant, server] = now
        try:
            self._invoke({"tenant": tenant, "server": server})
        except (BotoCoreError, ClientError) as error:
            logger.warning("refresh not asked for", server=server, error=type(error).__name__)

    def _invoke(self, event: dict[str, Any]) -> None:
        platform.awslambda().invoke(
            FunctionName=self._function, InvocationType="Event", Payload=json.dumps(event).encode()
        )
