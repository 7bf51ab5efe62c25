"""forget_contact: erases what is kept of a customer, because they want it."""

from turnkey.asks import wants
from turnkey.tools.builtins.builtin import Builtin
from turnkey.tools.builtins.situation import Situation
from turnkey.tools.tool import Hints, JsonObject, Tool

_COMMON = ["name", "phone", "email"]


def _parameters(fields: list[str]) -> JsonObject:
    return {
        "type": "object",
        "properties": {
            "fields": {
                "type": "array",
                "items": {"type": "string", "enum": fields},
                "description": "What to erase, where the customer named only a part; left out: everything",
            }
        },
        "required": [],
    }


TOOL = Tool(
    name="forget_contact",
    server="",
    original_name="forget_contact",
    title="Erase contact details",
    description=(
        "Erase the contact details that are kept of this customer. Use it only when the customer asks for that: to "
        "delete or forget their number, their address or their data."
    ),
    parameters=_parameters(_COMMON),
    hints=Hints(read_only=False, destructive=True, idempotent=True),
    kind="action",
)


def has_reason(situation: Situation) -> bool:
    """Whether contact details are kept here, and the customer wants theirs erased."""
    return situation.known.captures_contacts and any(wants("forget", message) for message in situation.messages)


def shown(tool: Tool, situation: Situation) -> Tool:
    """With the fields that the tenant keeps besides."""
    fields = list(situation.known.contact_fields)
    return tool.model_copy(update={"parameters": _parameters([*_COMMON, *fields])}) if fields else tool


BUILTIN = Builtin(TOOL, has_reason, shown=shown)
