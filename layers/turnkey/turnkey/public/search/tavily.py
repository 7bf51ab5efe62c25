"""Tavily: https://docs.tavily.com/documentation/api-reference/endpoint/search"""

import json
from collections.abc import Mapping
from typing import Any

from turnkey.public.providers import RESULTS, Ask, Found, Trouble, rows, text, usual_trouble

_PLAN_IS_USED_UP = (432, 433)
"""The plan's limit, and the one set for paying as one goes."""


class Provider:
    """See turnkey.public.providers.Provider."""

    address = "https://api.tavily.com"
    needs_key = True

    def ask(self, query: str, language: str, address: str, key: str) -> Ask:
        asked = {"query": query, "max_results": RESULTS, "search_depth": "basic", "include_answer": False}
        return Ask(
            url=f"{address}/search",
            headers={"authorization": f"Bearer {key}", "content-type": "application/json"},
            body=json.dumps(asked, ensure_ascii=False).encode(),
        )

    def read(self, answer: Mapping[str, Any]) -> tuple[Found, ...]:
        found = (
            Found(
                url=text(row, "url"),
                title=text(row, "title"),
                snippet=text(row, "content"),
                published=text(row, "published_date"),
            )
            for row in rows(answer, "results")[:RESULTS]
        )
        return tuple(one for one in found if one.url)

    def trouble(self, status: int, said: str) -> Trouble:
        return "quota" if status in _PLAN_IS_USED_UP else usual_trouble(status)
