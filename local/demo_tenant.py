"""The bookshop as a tenant of a running stack: its MCP server, its onboarding, its customer."""

import base64
import json
import os
import queue
import secrets
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from local.apply import apply
from local.manifest import read
from local.target import Target

MANIFEST = Path(__file__).with_name("tenant.yaml")
CONVERSATION = "demo"


class ShopFailed(RuntimeError):
    """The demo tenant could not be set up, or its customer got no answer."""


@dataclass(frozen=True)
class Reply:
    id: str
    text: str
    in_reply_to: str


class Bookshop:
    """A context manager: everything it started ends with it."""

    def __init__(self, api_url: str) -> None:
        """`api_url` is the stack's HTTP API."""
        self.hook = f"{api_url}/hooks/bookshop/web"
        self.secret = "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
        self._exits = ExitStack()
        self._numbers = count(1)
        self._run = secrets.token_hex(4)
        self.replies: queue.Queue[Reply] = queue.Queue()

    def __enter__(self) -> "Bookshop":
        with ExitStack() as starting:
            self.mcp_url = self._start_server(starting)
            self.reply_url = self._start_receiver(starting)
            self._exits = starting.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._exits.close()

    def onboard(self, target: Target) -> dict[str, Any]:
        """Applies the manifest and returns the report. Raises ShopFailed when it is refused."""
        environment = {
            "BOOKSHOP_MCP_URL": self.mcp_url,
            "BOOKSHOP_REPLY_URL": self.reply_url,
            "BOOKSHOP_SECRET": self.secret,
        }
        report = apply(target, read(MANIFEST, environment))
        if report.get("errors"):
            raise ShopFailed(f"the bookshop's manifest was refused: {report['errors']}")
        return report

    def say(self, text: str) -> str:
        """Posts a customer's message, signed; returns its id. Raises OSError when the API does not take it."""
        message_id = f"msg_{self._run}_{next(self._numbers)}"
        data = {
            "conversation_id": CONVERSATION,
            "sender": {"id": "customer", "kind": "user"},
            "message": {"id": message_id, "text": text},
        }
        now = datetime.now(UTC)
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
        """Waits for the answer to a message. Raises ShopFailed when none came."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                reply = self.replies.get(timeout=0.2)
            except queue.Empty:
                continue
            if reply.in_reply_to == message_id:
                return reply
        raise ShopFailed(f"no reply came within {seconds:g} s")

    def calls(self) -> dict[str, int]:
        """How often the server itself ran each tool."""
        with urlopen(self.mcp_url.removesuffix("/mcp") + "/health", timeout=5) as response:
            return json.load(response)["calls"]

    def _start_server(self, exits: ExitStack) -> str:
        command = [sys.executable, "-m", "local.bookshop.server", "--port", "0"]
        root = Path(__file__).parents[2]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root, env=dict(os.environ))
        exits.callback(process.wait)
        exits.callback(process.terminate)
        line = process.stdout.readline() if process.stdout else ""
        if "listening on" not in line:
            raise ShopFailed("the bookshop's MCP server did not start: run python -m local.bookshop.server")
        return line.split()[-1]

    def _start_receiver(self, exits: ExitStack) -> str:
        webhook, replies = Webhook(self.secret), self.replies

        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                try:
                    data = webhook.verify(body, {name.lower(): value for name, value in self.headers.items()})["data"]
                except (WebhookVerificationError, ValueError):
                    return self.send_error(401)
                reply = Reply(data["message"]["id"], data["message"]["text"], data.get("in_reply_to", ""))
                replies.put(reply)
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        exits.callback(server.server_close)
        exits.callback(server.shutdown)
        return f"http://127.0.0.1:{server.server_address[1]}/replies"
