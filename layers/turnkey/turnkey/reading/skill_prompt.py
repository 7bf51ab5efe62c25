"""The small call's question which of several skills a message is for, where its words leave that open.

Measured on SmolLM2-135M: shown one skill and the way out, it takes the skill 22 times in 22, 9 of them wrong; so it is
asked only where the words suggest several, and its answer counts only for one of these (turnkey.reading.skills).
"""

import json
from collections.abc import Sequence
from typing import Any, cast

from turnkey.models.chat import ChatRequest, Message
from turnkey.reading.prompt import Said, written
from turnkey.skills.head import SkillHead

NONE = "none"
MAX_TOKENS = 30
_CHARACTERS = 160
"""Of a description."""
_WORKED: tuple[tuple[str, str, str], ...] = (
    ("repairs: mends lamps that are broken", "Customer: My lamp does not light any more", "repairs"),
    ("repairs: mends lamps that are broken", "Customer: Which lamps do you have for repair shops?", NONE),
    ("trade-ins: takes old bicycles back", "Customer: Do you sell old bicycles?", NONE),
    (
        "trade-ins: takes old bicycles back\nrentals: lends bicycles for a day",
        "Customer: I have an old bike here that I don't need, what would you give me for it?",
        "trade-ins",
    ),
    ("rentals: lends bicycles for a day", "Customer: Thanks, the rental was great!", NONE),
    (
        "trade-ins: takes old bicycles back\nrentals: lends bicycles for a day",
        "Customer: Hi\nShop: Hello!\nCustomer: could I have one just for saturday",
        "rentals",
    ),
)


def skill_request(said: Said, heads: Sequence[SkillHead], *, seconds: float) -> ChatRequest:
    """Which of these the newest message asks for, if any."""
    messages: list[Message] = []
    for tasks, conversation, answer in _WORKED:
        messages += [
            {"role": "user", "content": _question(tasks, conversation)},
            {"role": "assistant", "content": json.dumps({"skill": answer})},
        ]
    tasks = "\n".join(f"{head.name}: {head.description[:_CHARACTERS]}" for head in heads)
    messages.append({"role": "user", "content": _question(tasks, written(said))})
    schema = {
        "type": "object",
        "properties": {"skill": {"type": "string", "enum": [*(head.name for head in heads), NONE]}},
        "required": ["skill"],
        "additionalProperties": False,
    }
    return ChatRequest(messages=tuple(messages), max_tokens=MAX_TOKENS, seconds=seconds, answer_schema=schema)


def _question(tasks: str, conversation: str) -> str:
    return f"Tasks:\n{tasks}\n{NONE}: anything else\n\n{conversation}"


def read_skill(text: str, heads: Sequence[SkillHead]) -> str:
    """The skill that was chosen, or nothing."""
    start = text.find("{")
    try:
        value: Any = json.JSONDecoder().raw_decode(text[start:])[0] if start >= 0 else {}
    except ValueError:
        return ""
    chosen: Any = cast(dict[str, Any], value).get("skill") if isinstance(value, dict) else None
    return next((head.name for head in heads if head.name == chosen), "")
