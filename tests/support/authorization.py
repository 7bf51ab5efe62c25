"""An OAuth 2 authorization server, and a resource server that asks for its tokens; over any kind of wire.

They answer with `memory_web.Reply`; `Served` puts one of them on a port of this machine.
"""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import jwt

from tests.support.memory_web import Reply, Seen
from tests.support.serving import Server, send

PROTECTED = "/.well-known/oauth-protected-resource"
METADATA = "/.well-known/oauth-authorization-server"


def as_json(value: Any, status: int = 200, **headers: str) -> Reply:
    sent = {"content-type": "application/json", **{name.replace("_", "-"): text for name, text in headers.items()}}
    return Reply(status, json.dumps(value).encode(), tuple(sent.items()))


class AuthorizationServer:
    """Gives tokens to the client `client`: with `secret`, or with a JWT that `public_key` verifies."""

    def __init__(
        self, issuer: str, secret: str = "s3cret", *, public_key: str = "", lifetime: int | None = 3600
    ) -> None:
        self.issuer = issuer
        self.secret = secret
        self.public_key = public_key
        self.lifetime = lifetime
        self.metadata: dict[str, Any] = {}
        """Laid over its metadata."""
        self.delay_seconds = 0.0
        self.given: list[str] = []
        self.valid: set[str] = set()
        self.asked: list[dict[str, str]] = []
        """The forms of the token requests, with their Authorization header."""
        self._lock = threading.Lock()

    def answer(self, seen: Seen) -> Reply:
        if seen.path == METADATA:
            return as_json(
                {
                    "issuer": self.issuer,
                    "authorization_endpoint": f"{self.issuer}/authorize",
                    "token_endpoint": f"{self.issuer}/token",
                    **self.metadata,
                }
            )
        return self._token(seen) if (seen.method, seen.path) == ("POST", "/token") else Reply(404)

    def revoke(self) -> None:
        """Every token there is."""
        self.valid.clear()

    def _token(self, seen: Seen) -> Reply:
        form = {name: values[0] for name, values in parse_qs(seen.body.decode()).items()}
        time.sleep(self.delay_seconds)
        with self._lock:
            self.asked.append({**form, "authorization": seen.headers.get("authorization", "")})
            if not self._knows(form, seen.headers.get("authorization", "")):
                # As some do, it repeats what it was sent.
                return as_json({"error": "invalid_client", "error_description": f"not {seen.body.decode()}"}, 401)
            token = f"token-{len(self.given) + 1}-of-{id(self)}"
            self.given.append(token)
            self.valid.add(token)
        lifetime = {} if self.lifetime is None else {"expires_in": self.lifetime}
        return as_json({"access_token": token, "token_type": "Bearer", **lifetime})

    def _knows(self, form: dict[str, str], authorization: str) -> bool:
        if form.get("client_assertion"):
            return self._signed(form["client_assertion"])
        given = unquote(base64.b64decode(authorization.removeprefix("Basic ")).decode())
        return given == f"client:{self.secret}" or (
            (form.get("client_id"), form.get("client_secret")) == ("client", self.secret)
        )

    def _signed(self, assertion: str) -> bool:
        try:
            algorithm = jwt.get_unverified_header(assertion)["alg"]
            claims = jwt.decode(assertion, self.public_key, algorithms=[algorithm], audience=self.issuer)
        except jwt.PyJWTError:
            return False
        return claims["iss"] == claims["sub"] == "client"


class ProtectedServer:
    """Lets through what carries a valid token; everything else is answered 401 with a challenge."""

    def __init__(self, url: str, authorization: AuthorizationServer, behind: Callable[[Seen], Reply]) -> None:
        self.url = url
        self.authorization = authorization
        self.behind = behind
        self.documents: dict[str, Any] = {
            f"{PROTECTED}{urlsplit(url).path}": {"resource": url, "authorization_servers": [authorization.issuer]}
        }
        """What it says about itself, by path."""
        self.challenge = "Bearer"
        self.statuses: list[int] = []
        self.tokens: list[str] = []
        """That were sent to it."""

    def answer(self, seen: Seen) -> Reply:
        if seen.path.startswith("/.well-known/"):
            return as_json(self.documents[seen.path]) if seen.path in self.documents else Reply(404)
        token = seen.headers.get("authorization", "").removeprefix("Bearer ")
        self.tokens.append(token)
        if token not in self.authorization.valid:
            self.statuses.append(401)
            return Reply(401, b"", (("www-authenticate", self.challenge),))
        reply = self.behind(seen)
        self.statuses.append(reply.status)
        return reply


class Served(Server):
    """On a port of this machine."""

    def __init__(self) -> None:
        super().__init__()
        self.answer: Callable[[Seen], Reply] = lambda _: Reply(404)

    def handle(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        headers = {name.lower(): value for name, value in request.headers.items()}
        reply = self.answer(Seen(request.command, headers["host"], request.path, headers, body))
        send(request, reply.status, reply.body, dict(reply.headers))
