"""read_page: the text of one public page. There is no search without it, and it is not there without search."""

from turnkey.tools.builtins import search_web
from turnkey.tools.builtins.builtin import Builtin
from turnkey.tools.builtins.situation import Situation
from turnkey.tools.tool import Hints, Tool

TOOL = Tool(
    name="read_page",
    server="",
    original_name="read_page",
    title="Read a public page",
    description=(
        "Read the text of a public web page: one that search_web has found, that the customer has named, or that a "
        "page read before links to."
    ),
    parameters={
        "type": "object",
        "properties": {
            "url": {"type": "string", "description": "The page's address, exactly as it stands there"},
        },
        "required": ["url"],
    },
    hints=Hints(read_only=True, destructive=False, idempotent=True),
    kind="lookup",
)


def has_reason(situation: Situation) -> bool:
    """The same as search_web's: both or neither."""
    return search_web.has_reason(situation)


BUILTIN = Builtin(TOOL, has_reason, "browse")
