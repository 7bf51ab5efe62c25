"""A search instance of SearXNG's shape, and pages for it to find, on this machine.

with PublicWeb() as web:
    web.page("/hours", "<p>Open from nine.</p>", title="Hours")
    web.find("/hours", snippet="Open from nine")
    {"provider": "searxng", "url": web.url()}
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.support.serving import Server, send


@dataclass(frozen=True)
class Kept:
    """What stands at a path."""

    content: bytes
    media_type: str
    status: int = 200
    location: str = ""


class PublicWeb(Server):
    """`asked` has the path and query of every request, `queries` what was searched for."""

    def __init__(self, *, robots: str | None = None) -> None:
        super().__init__()
        self.robots = robots
        self.results: list[dict[str, Any]] = []
        self.search_status = 200
        self.asked: list[str] = []
        self.queries: list[str] = []
        self._pages: dict[str, Kept] = {}

    def page(
        self, path: str, body: str | bytes, *, title: str = "", media_type: str = "text/html", coding: str = ""
    ) -> str:
        """Puts a page there; gives its address."""
        if isinstance(body, str):
            head = f"<head><title>{title}</title></head>" if title else ""
            whole = f"<!doctype html><html>{head}<body>{body}</body></html>" if "html" in media_type else body
            body = whole.encode(coding or "utf-8")
        shown = f"{media_type}; charset={coding}" if coding else media_type
        self._pages[path] = Kept(body, shown)
        return self.url(path)

    def redirect(self, path: str, to: str) -> str:
        self._pages[path] = Kept(b"", "text/plain", 302, to)
        return self.url(path)

    def find(self, *urls: str, title: str = "A page", snippet: str = "A snippet.") -> None:
        """What a search finds from now on."""
        self.results += [
            {"url": url, "title": title, "content": snippet, "engine": "test", "score": 1.0, "publishedDate": None}
            for url in urls
        ]

    def reads(self, path: str) -> int:
        """How often a page was asked for."""
        return sum(urlsplit(one).path == path for one in self.asked)

    def handle(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        parts = urlsplit(request.path)
        self.asked.append(request.path)
        if parts.path == "/search":
            return self._search(request, parse_qs(parts.query))
        if parts.path == "/robots.txt":
            kept = Kept((self.robots or "").encode(), "text/plain", 404 if self.robots is None else 200)
        else:
            kept = self._pages.get(parts.path, Kept(b"nothing here", "text/plain", 404))
        headers = {"content-type": kept.media_type, **({"location": kept.location} if kept.location else {})}
        send(request, kept.status, kept.content, headers)

    def _search(self, request: BaseHTTPRequestHandler, asked: dict[str, list[str]]) -> None:
        self.queries += asked.get("q", [])
        if asked.get("format") != ["json"] or self.search_status != 200:
            return send(request, 403 if self.search_status == 200 else self.search_status, b"Forbidden", {})
        answer = {
            "query": asked["q"][0],
            "number_of_results": len(self.results),
            "results": self.results,
            "answers": [],
            "corrections": [],
            "infoboxes": [],
            "suggestions": [],
            "unresponsive_engines": [],
        }
        send(request, 200, json.dumps(answer).encode(), {"content-type": "application/json"})
