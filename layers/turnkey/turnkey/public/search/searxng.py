"""SearXNG, an instance of the tenant's own: https://docs.searxng.org/dev/search_api.html"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from turnkey.public.providers import RESULTS, Ask, Found, Trouble, rows, text, usual_trouble


class Provider:
    """See turnkey.public.providers.Provider. An instance may stand behind a gate that wants a bearer token."""

    address = ""
    needs_key = False

    def ask(self, query: str, language: str, address: str, key: str) -> Ask:
        named = {"q": query, "format": "json", "safesearch": "1", **({"language": language} if language else {})}
        headers = {"authorization": f"Bearer {key}"} if key else {}
        return Ask(url=f"{address}/search?{urlencode(named)}", headers=headers)

    def read(self, answer: Mapping[str, Any]) -> tuple[Found, ...]:
        found = (
            Found(
                url=text(row, "url"),
                title=text(row, "title"),
                snippet=text(row, "content"),
                published=text(row, "publishedDate", "pubdate"),
            )
            for row in rows(answer, "results")[:RESULTS]
        )
        return tuple(one for one in found if one.url)

    def trouble(self, status: int, said: str) -> Trouble:
        # A format that settings.yml does not list is refused so; a gate before the instance says 401.
        return "settings" if status == 403 else usual_trouble(status)
