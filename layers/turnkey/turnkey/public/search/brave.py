"""Brave Search: https://api-dashboard.search.brave.com/app/documentation/web-search/get-started"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from turnkey.public.providers import RESULTS, Ask, Found, Trouble, rows, text, usual_trouble

_LANGUAGES = {
    "pt": "pt-pt",
    "pt-br": "pt-br",
    "zh": "zh-hans",
    "zh-tw": "zh-hant",
    "zh-hk": "zh-hant",
    "zh-hant": "zh-hant",
    "ja": "jp",
}
"""Brave's own codes where they are not the language's: another one is refused with 422."""
_PLAIN = ("ar", "de", "en", "es", "fr", "it", "ko", "ru", "tr", "nl", "pl", "sv")


class Provider:
    """See turnkey.public.providers.Provider."""

    address = "https://api.search.brave.com"
    needs_key = True

    def ask(self, query: str, language: str, address: str, key: str) -> Ask:
        named = {"q": query, "count": str(RESULTS), "text_decorations": "false", "safesearch": "moderate"}
        code = _code(language)
        return Ask(
            url=f"{address}/res/v1/web/search?{urlencode({**named, **({'search_lang': code} if code else {})})}",
            headers={"x-subscription-token": key},
        )

    def read(self, answer: Mapping[str, Any]) -> tuple[Found, ...]:
        found = (
            Found(
                url=text(row, "url"),
                title=text(row, "title"),
                snippet=text(row, "description"),
                published=text(row, "page_age", "age"),
            )
            for row in rows(answer, "web", "results")[:RESULTS]
        )
        return tuple(one for one in found if one.url)

    def trouble(self, status: int, said: str) -> Trouble:
        # A wrong token comes as a parameter that is not valid.
        return "key" if status == 422 and "TOKEN" in said.upper() else usual_trouble(status)


def _code(language: str) -> str:
    whole = language.lower()
    base = whole.split("-")[0]
    return _LANGUAGES.get(whole) or _LANGUAGES.get(base) or (base if base in _PLAIN else "")
