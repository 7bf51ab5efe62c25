"""search_web: finds public pages, where the tenant has switched public sources on."""

from turnkey.asks import has_link, wants
from turnkey.asks.answering import is_short
from turnkey.tools.builtins.builtin import Builtin
from turnkey.tools.builtins.conversing import asks, question
from turnkey.tools.builtins.situation import Situation
from turnkey.tools.tool import Hints, Tool

TOOL = Tool(
    name="search_web",
    server="",
    original_name="search_web",
    title="Search public pages",
    description=(
        "Search public web pages, for what this business's own tools cannot answer. It gives titles, addresses and "
        "short excerpts: read a page with read_page before you rely on it. No personal details belong in the query."
    ),
    parameters={
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "A few words, as for a search engine"},
        },
        "required": ["query"],
    },
    hints=Hints(read_only=True, destructive=False, idempotent=True),
    kind="lookup",
)


def has_reason(situation: Situation) -> bool:
    """Whether the agent may use public sources, and it is asked for what stands in public, for a page, or once more
    for the same of something else: and in Berlin?"""
    if not situation.known.public_sources:
        return False
    said = (*situation.messages, *situation.tasks)
    if any(wants("public", text) or has_link(text) for text in said):
        return True
    return asks(situation, "and_so") and is_short(situation.text) and wants("public", question(situation))


BUILTIN = Builtin(TOOL, has_reason, "browse")
