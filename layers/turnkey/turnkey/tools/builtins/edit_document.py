"""edit_document: reads, creates and changes documents, version by version."""

from turnkey.asks import wants
from turnkey.tools.builtins.builtin import Builtin
from turnkey.tools.builtins.situation import Situation
from turnkey.tools.tool import Hints, Tool

TOOL = Tool(
    name="edit_document",
    server="",
    original_name="edit_document",
    title="Work on a document",
    description=(
        "Read, create or change a document. Changes make a new version; the customer gets the difference and a link."
    ),
    parameters={
        "type": "object",
        "properties": {
            "action": {
                "type": "string",
                "enum": ["read", "create", "replace", "insert", "append", "history"],
                "description": "What to do",
            },
            "name": {"type": "string", "description": "The document's name"},
        },
        "required": ["action", "name"],
    },
    hints=Hints(read_only=False, destructive=False, idempotent=True),
    kind="action",
)


def has_reason(situation: Situation) -> bool:
    """Whether a document is spoken of."""
    return wants("document", situation.text)


BUILTIN = Builtin(TOOL, has_reason)
