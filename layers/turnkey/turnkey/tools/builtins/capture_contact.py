"""capture_contact: keeps how a customer can be reached, where they said so themselves."""

from turnkey.asks import wants
from turnkey.tools.builtins.builtin import Builtin
from turnkey.tools.builtins.situation import Situation
from turnkey.tools.tool import Hints, Tool

TOOL = Tool(
    name="capture_contact",
    server="",
    original_name="capture_contact",
    title="Keep contact details",
    description=(
        "Keep the name, phone number or e-mail address that the customer has given in their own messages. Copy them "
        "exactly as the customer wrote them. Leave out what they did not give."
    ),
    parameters={
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "Their name"},
            "phone": {"type": "string", "description": "Their phone number, as they wrote it"},
            "email": {"type": "string", "description": "Their e-mail address, as they wrote it"},
        },
        "required": [],
    },
    hints=Hints(read_only=False, destructive=False, idempotent=True),
    kind="action",
)


def has_reason(situation: Situation) -> bool:
    """Whether the customer gives, or was asked for, a way to reach them."""
    return situation.known.captures_contacts and wants("contact", situation.text)


BUILTIN = Builtin(TOOL, has_reason)
