"""What each search provider is asked, and how its answers, good and bad, are read."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.support.memory_web import Handler, Reply, Seen, Web
from turnkey.errors import TenantMisconfigured
from turnkey.public.masking import masked, query
from turnkey.public.providers import Found, Trouble
from turnkey.public.searching import NotFound, search
from turnkey.public.settings import PublicSources

SEARXNG = {
    "query": "museum",
    "number_of_results": 0,
    "results": [
        {
            "url": "https://museum.org/visit",
            "title": "Visit the museum",
            "content": "Open from nine to five.",
            "publishedDate": "2026-03-01T00:00:00",
            "engine": "duckduckgo",
            "parsed_url": ["https", "museum.org", "/visit", "", "", ""],
            "template": "default.html",
            "engines": ["duckduckgo"],
            "positions": [1],
            "score": 1.0,
            "category": "general",
        },
        {"title": "An image without an address", "img_src": "x"},
        "no result at all",
    ],
    "answers": [],
    "corrections": [],
    "infoboxes": [],
    "suggestions": ["museum tickets"],
    "unresponsive_engines": [["google", "timeout"]],
}
BRAVE = {
    "type": "search",
    "query": {"original": "museum", "more_results_available": True},
    "web": {
        "type": "search",
        "results": [
            {
                "title": "Visit the museum",
                "url": "https://museum.org/visit",
                "description": "Open from nine to five.",
                "page_age": "2026-03-01T00:00:00",
                "age": "March 1, 2026",
                "profile": {"name": "Museum", "url": "https://museum.org"},
                "language": "en",
                "family_friendly": True,
            }
        ],
    },
}
TAVILY = {
    "query": "museum",
    "answer": None,
    "images": [],
    "results": [
        {
            "title": "Visit the museum",
            "url": "https://museum.org/visit",
            "content": "Open from nine to five.",
            "published_date": "2026-03-01T00:00:00",
            "score": 0.81,
            "raw_content": None,
        }
    ],
    "response_time": 1.2,
}
FOUND = (
    Found(
        url="https://museum.org/visit",
        title="Visit the museum",
        snippet="Open from nine to five.",
        published="2026-03-01T00:00:00",
    ),
)
HOSTS = {"searxng": "search.shop.org", "brave": "api.search.brave.com", "tavily": "api.tavily.com"}
ANSWERS = {"searxng": SEARXNG, "brave": BRAVE, "tavily": TAVILY}
JSON = (("content-type", "application/json"),)


def sources(provider: str, key: str = "the-key") -> PublicSources:
    url = "https://search.shop.org" if provider == "searxng" else ""
    return PublicSources.model_validate({"provider": provider, "url": url, "api_key_secret": key})


def asked(provider: str, handler: Handler, language: str = "en", key: str = "the-key") -> tuple[Any, Seen]:
    web = Web()
    web.serve(HOSTS[provider], handler)
    found = search(
        sources(provider, key),
        "museum hours",
        language,
        lambda name: f"value of {name}",
        allow_private=False,
        wires=web,
    )
    return found, web.seen[-1]


def says(answer: Any) -> Callable[[Seen], Reply]:
    return lambda _: Reply(body=json.dumps(answer).encode(), headers=JSON)


@pytest.mark.parametrize("provider", HOSTS)
def test_results_come_in_one_form_whoever_finds_them(provider: str) -> None:
    found, _ = asked(provider, says(ANSWERS[provider]))
    assert found == FOUND


def test_searxng_is_asked_for_json_in_the_customers_language() -> None:
    _, seen = asked("searxng", says(SEARXNG), "ko", key="")
    parts = urlsplit(seen.target)
    assert (seen.method, parts.path) == ("GET", "/search")
    assert parse_qs(parts.query) == {"q": ["museum hours"], "format": ["json"], "safesearch": ["1"], "language": ["ko"]}
    assert "authorization" not in seen.headers


def test_brave_is_given_its_token_and_its_own_code_of_the_language() -> None:
    _, seen = asked("brave", says(BRAVE), "ja-JP")
    parts = urlsplit(seen.target)
    assert (seen.method, parts.path) == ("GET", "/res/v1/web/search")
    assert parse_qs(parts.query)["search_lang"] == ["jp"]
    assert seen.headers["x-subscription-token"] == "value of the-key"
    assert "search_lang" not in asked("brave", says(BRAVE), "xx")[1].target


def test_tavily_is_posted_to_with_a_bearer_token() -> None:
    _, seen = asked("tavily", says(TAVILY))
    assert (seen.method, seen.path) == ("POST", "/search")
    assert seen.headers["authorization"] == "Bearer value of the-key"
    assert json.loads(seen.body)["query"] == "museum hours"
    assert "value of" not in seen.body.decode()


@pytest.mark.parametrize(
    ("provider", "status", "body", "trouble"),
    [
        ("searxng", 403, b"<html>403 Forbidden</html>", "settings"),
        ("searxng", 401, b"", "key"),
        ("searxng", 429, b"Too Many Requests", "quota"),
        ("searxng", 500, b"", "down"),
        ("searxng", 502, b"", "down"),
        ("brave", 422, b'{"type":"ErrorResponse","error":{"code":"SUBSCRIPTION_TOKEN_INVALID","status":422}}', "key"),
        ("brave", 422, b'{"type":"ErrorResponse","error":{"code":"VALIDATION","status":422}}', "query"),
        ("brave", 429, b'{"type":"ErrorResponse","error":{"code":"RATE_LIMITED","status":429}}', "quota"),
        ("brave", 402, b"{}", "quota"),
        ("brave", 403, b"{}", "key"),
        ("tavily", 401, b'{"detail":{"error":"Unauthorized: missing or invalid API key."}}', "key"),
        ("tavily", 429, b"{}", "quota"),
        ("tavily", 432, b"{}", "quota"),
        ("tavily", 433, b"{}", "quota"),
        ("tavily", 400, b"{}", "query"),
        ("tavily", 503, b"{}", "down"),
    ],
)
def test_what_a_provider_refuses_is_told_apart(provider: str, status: int, body: bytes, trouble: Trouble) -> None:
    found, _ = asked(provider, lambda _: Reply(status, body, JSON))
    assert isinstance(found, NotFound)
    assert found.trouble == trouble
    for text in (found.told, found.operator):
        assert "value of" not in text
        assert "museum hours" not in text


@pytest.mark.parametrize(
    ("body", "headers"),
    [(b"<html>", (("content-type", "text/html"),)), (b"{", JSON), (b"[1]", JSON), (b"[" * 100_000, JSON)],
)
def test_what_is_no_search_result_is_said_to_be_none(body: bytes, headers: tuple[tuple[str, str], ...]) -> None:
    found, _ = asked("searxng", lambda _: Reply(200, body, headers))
    assert isinstance(found, NotFound)
    assert found.trouble == "answer"


def test_a_provider_that_is_not_there_is_down() -> None:
    found = search(sources("searxng", ""), "x", "", str, allow_private=False, wires=Web())
    assert isinstance(found, NotFound)
    assert found.trouble == "down"


def test_a_key_that_is_gone_is_the_keys_fault() -> None:
    def gone(_: str) -> str:
        raise TenantMisconfigured("no such secret")

    found = search(sources("brave"), "x", "", gone, allow_private=False, wires=Web())
    assert isinstance(found, NotFound)
    assert found.trouble == "key"


def test_the_key_does_not_follow_a_redirect_to_another_server() -> None:
    web = Web()
    web.serve("api.search.brave.com", lambda _: Reply(302, b"", (("location", "https://evil.org/res"),)))
    web.serve("evil.org", says(BRAVE))
    found = search(sources("brave"), "x", "", lambda _: "k3y", allow_private=False, wires=web)
    assert isinstance(found, NotFound)
    assert web.requests_to("evil.org") == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("opening hours ann@shop.example museum", "opening hours museum"),
        ("museum +49 170 1234567", "museum"),
        ("перезвоните 8 0171-234 56 78 музей", "перезвоните 8 музей"),
        ("手机13812345678 博物馆", "手机 博物馆"),
        ("전화 010-1234-5678 박물관", "전화 박물관"),
        ("тел. 8 (495) 123-45-67 музей", "тел. музей"),
        ("090-1234-5678に電話", "に電話"),
        ("(212) 555-0123 museum", "museum"),
        ("museum 2026-01-15 10:30", "museum 2026-01-15 10:30"),
        ("ISBN 0-19-852663-6", "ISBN 0-19-852663-6"),
        ("card 4111 1111 1111 1111 refund", "card refund"),
        ("IBAN DE89 3704 0044 0532 0130 00", "IBAN"),
        ("isbn 9780141439587", "isbn 9780141439587"),
        ("iPhone 17 price 2026", "iPhone 17 price 2026"),
        ("  many\n words ", "many words"),
    ],
)
def test_a_query_carries_nobodys_details_away(text: str, left: str) -> None:
    assert query(text, 200) == left


def test_a_query_is_short() -> None:
    assert len(query("word " * 500, 200)) <= 200


def test_what_is_kept_for_review_is_masked() -> None:
    assert masked("I am at ann@shop.example, 0170 1234567.") == "I am at […], […]."
