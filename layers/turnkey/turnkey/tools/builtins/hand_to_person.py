"""hand_to_person: a person of the tenant takes the conversation over."""

from turnkey.asks import wants
from turnkey.tools.builtins.builtin import Builtin
from turnkey.tools.builtins.situation import Situation
from turnkey.tools.tool import Hints, Tool

TOOL = Tool(
    name="hand_to_person",
    server="",
    original_name="hand_to_person",
    title="Hand over to a person",
    description=(
        "Hand this conversation to a person of the business, when the customer asks for one or you cannot help. You "
        "will not answer any more until it is given back."
    ),
    parameters={
        "type": "object",
        "properties": {
            "summary": {
                "type": "string",
                "description": "What it is about and what was tried, in two or three sentences, for that person",
            },
        },
        "required": ["summary"],
    },
    hints=Hints(read_only=False, destructive=False, idempotent=True),
    kind="action",
)


def has_reason(situation: Situation) -> bool:
    """Whether there is somebody to hand over to, and the customer asks for a person."""
    return situation.known.hands_to_person and wants("person", situation.text)


BUILTIN = Builtin(TOOL, has_reason)
