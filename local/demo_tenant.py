"""A demo tenant of a running stack: its MCP server, its onboarding, its customers.

`bookshop` or `clinic`: a package of that name in `local` with a server and a manifest, tenant.yaml.
"""

import base64
import json
import os
import queue
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from local.apply import apply
from local.manifest import read
from local.target import Target

CONVERSATION = "demo"


class TenantFailed(RuntimeError):
    """The demo tenant could not be set up, or its customer got no answer."""


@dataclass(frozen=True)
class Reply:
    """`message` is all of it, as the channel's protocol has it: id, text, cards, pictures."""

    id: str
    text: str
    in_reply_to: str
    message: dict[str, Any]


class DemoTenant:
    """A context manager: everything it started ends with it."""

    def __init__(
        self,
        name: str,
        api_url: str,
        *,
        tenant: str = "",
        server_arguments: tuple[str, ...] = (),
        clock_offset: float = 0.0,
    ) -> None:
        """`api_url` is the stack's HTTP API; `tenant` the id to onboard it under, when there are several of a kind;
        `clock_offset` the stack's."""
        self.name = name
        self.tenant = tenant or name
        self.hook = f"{api_url}/hooks/{self.tenant}/web"
        self._server_arguments = server_arguments
        self._clock_offset = timedelta(seconds=clock_offset)
        self.secret = "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
        self._exits = ExitStack()
        self._numbers = count(1)
        self._run = secrets.token_hex(4)
        self.replies: queue.Queue[Reply] = queue.Queue()

    def __enter__(self) -> "DemoTenant":
        with ExitStack() as starting:
            self.mcp_url = self._start_server(starting)
            self.reply_url = self._start_receiver(starting)
            self._exits = starting.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._exits.close()

    def onboard(self, target: Target, **agent: Any) -> dict[str, Any]:
        """Applies the manifest, with `agent` added to its agent's entry, and returns the report. Raises TenantFailed
        when it is refused."""
        prefix = self.name.upper()
        environment = {
            f"{prefix}_MCP_URL": self.mcp_url,
            f"{prefix}_REPLY_URL": self.reply_url,
            f"{prefix}_SECRET": self.secret,
        }
        manifest = read(Path(__file__).parent / self.name / "tenant.yaml", environment)
        manifest["tenant"]["id"] = self.tenant
        manifest["agents"] = [{**entry, **agent} for entry in manifest["agents"]]
        report = apply(target, manifest)
        if report.get("errors"):
            raise TenantFailed(f"the manifest of {self.name} was refused: {report['errors']}")
        return report

    def say(self, text: str, conversation: str = CONVERSATION) -> str:
        """Posts a customer's message, signed; returns its id. Raises OSError when the API does not take it."""
        message_id = f"msg_{self._run}_{next(self._numbers)}"
        data = {
            "conversation_id": conversation,
            "sender": {"id": "customer", "kind": "user"},
            "message": {"id": message_id, "text": text},
        }
        now = datetime.now(UTC) + self._clock_offset
        body = json.dumps({"type": "message.created", "timestamp": now.isoformat(), "data": data})
        headers = {
            "content-type": "application/json",
            "webhook-id": message_id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": Webhook(self.secret).sign(message_id, now, body),
        }
        with urlopen(Request(self.hook, body.encode(), headers), timeout=30):
            return message_id

    def reply_to(self, message_id: str, seconds: float) -> Reply:
        """Waits for the answer to a message. Raises TenantFailed when none came."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                reply = self.replies.get(timeout=0.2)
            except queue.Empty:
                continue
            if reply.in_reply_to == message_id:
                return reply
        raise TenantFailed(f"no reply came within {seconds:g} s")

    def calls(self) -> dict[str, int]:
        """How often the server itself ran each tool."""
        with urlopen(self.mcp_url.removesuffix("/mcp") + "/health", timeout=5) as response:
            return json.load(response)["calls"]

    def _start_server(self, exits: ExitStack) -> str:
        command = [sys.executable, "-m", f"local.{self.name}.server", "--port", "0", *self._server_arguments]
        root = Path(__file__).parents[1]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root, env=dict(os.environ))
        exits.callback(process.wait)
        exits.callback(process.terminate)
        line = process.stdout.readline() if process.stdout else ""
        if "listening on" not in line:
            raise TenantFailed(f"the MCP server did not start: run python -m local.{self.name}.server")
        return line.split()[-1]

    def _start_receiver(self, exits: ExitStack) -> str:
        webhook, replies, offset = Webhook(self.secret), self.replies, self._clock_offset

        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                try:
                    data = _verified(webhook, body, dict(self.headers.items()), offset)
                except (WebhookVerificationError, ValueError):
                    return self.send_error(401)
                if "message" in data:
                    message = data["message"]
                    replies.put(Reply(message["id"], message["text"], data.get("in_reply_to", ""), message))
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        exits.callback(server.server_close)
        exits.callback(server.shutdown)
        return f"http://127.0.0.1:{server.server_address[1]}/replies"


def _verified(webhook: Webhook, body: bytes, headers: Mapping[str, str], offset: timedelta) -> dict[str, Any]:
    """The reply's data. Raises WebhookVerificationError. With a shifted clock the signature alone is looked at: the
    library knows no other time than now."""
    lower = {name.lower(): value for name, value in headers.items()}
    if not offset:
        return webhook.verify(body, lower)["data"]
    moment = datetime.fromtimestamp(int(lower["webhook-timestamp"]), UTC)
    expected = webhook.sign(lower["webhook-id"], moment, body.decode())
    if expected not in lower["webhook-signature"].split():
        raise WebhookVerificationError("the signature does not fit")
    return json.loads(body)["data"]
