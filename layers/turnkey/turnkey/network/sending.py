"""Sending a channel's requests through the network guard."""

import asyncio

import httpx2

from turnkey.channels import Outgoing
from turnkey.errors import ReplyRefused, SendFailed
from turnkey.network.client import client
from turnkey.network.urls import check_url

SECONDS = 15.0
"""For one request, answer included."""


class HttpSender:
    """See turnkey.turn.deliver.Sender."""

    def __init__(self, *, allow_private: bool) -> None:
        self._allow_private = allow_private

    def send(self, outgoing: Outgoing) -> None:
        asyncio.run(self.post(outgoing))

    async def post(self, outgoing: Outgoing) -> None:
        check_url(outgoing.url, allow_private=self._allow_private)
        try:
            async with asyncio.timeout(SECONDS), client(allow_private=self._allow_private, seconds=SECONDS) as http:
                response = await http.post(outgoing.url, headers=outgoing.headers, content=outgoing.body.encode())
        except (httpx2.InvalidURL, ValueError) as error:
            raise ReplyRefused("reply_url is no address that can be posted to: correct it in the manifest") from error
        except (httpx2.HTTPError, TimeoutError) as error:
            raise SendFailed(f"the reply's address did not answer: {type(error).__name__}") from error
        _check(response.status_code)


def _check(status: int) -> None:
    """2xx and 409 (the receiver has it already) are fine; 408, 425, 429 and 5xx may pass; the rest will not."""
    if 200 <= status < 300 or status == 409:
        return
    if status in (408, 425, 429) or status >= 500:
        raise SendFailed(f"the reply's address answered with status {status}")
    raise ReplyRefused(f"the reply's address refused the reply with status {status}: check reply_url and its receiver")
