"""capture_contact: keeps how a customer can be reached, where they said so themselves."""

from turnkey.asks import gives_way, topics, wants
from turnkey.tools.builtins.builtin import Builtin
from turnkey.tools.builtins.conversing import answers, requests
from turnkey.tools.builtins.situation import Situation
from turnkey.tools.tool import Hints, JsonObject, Tool

_COMMON: JsonObject = {
    "name": {"type": "string", "maxLength": 200, "description": "Their name"},
    "phone": {"type": "string", "maxLength": 100, "description": "Their phone number, as they wrote it"},
    "email": {"type": "string", "maxLength": 300, "description": "Their e-mail address, as they wrote it"},
}


def _parameters(more: JsonObject) -> JsonObject:
    return {"type": "object", "properties": {**_COMMON, **more}, "required": []}


TOOL = Tool(
    name="capture_contact",
    server="",
    original_name="capture_contact",
    title="Keep contact details",
    description=(
        "Keep the name, phone number or e-mail address that the customer has given in their own messages, so that "
        "they can be reached. Copy each exactly as the customer wrote it. Leave out what they did not give."
    ),
    parameters=_parameters({}),
    hints=Hints(read_only=False, destructive=False, idempotent=True),
    kind="action",
)


def has_reason(situation: Situation) -> bool:
    """Whether the customer gives a way to reach them or wants to be reached, or answers what the agent asks of it."""
    if not situation.known.captures_contacts:
        return False
    asked = _was_asked(situation)
    return any(_gives(message, asked) for message in situation.messages) or (asked and answers(situation))


def _gives(message: str, asked: bool) -> bool:
    said = topics(message)
    # "Delete my number" speaks of one and gives none.
    return ("contact" in said and "forget" not in said) or gives_way(message, asked=asked)


def _was_asked(situation: Situation) -> bool:
    """Whether the agent has just asked for it, or for what else the tenant wants to know of its customers."""
    fields = [field.replace("_", " ").casefold() for field in situation.known.contact_fields]
    return any(
        wants("contact_asked", request) or any(field in request.casefold() for field in fields)
        for request in requests(situation)
    )


def shown(tool: Tool, situation: Situation) -> Tool:
    """With the fields that the tenant keeps besides."""
    known = situation.known
    more = {
        name: {"type": "string", "maxLength": 1000, "description": f"{description}, as they wrote it"}
        for name, description in zip(known.contact_fields, known.field_descriptions, strict=False)
    }
    return tool.model_copy(update={"parameters": _parameters(more)}) if more else tool


BUILTIN = Builtin(TOOL, has_reason, shown=shown)
