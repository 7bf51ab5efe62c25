"""hand_to_person: a person of the tenant takes the conversation over."""

from turnkey.asks import wants
from turnkey.tools.builtins.builtin import Builtin
from turnkey.tools.builtins.conversing import answers, asks, requests
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
_FAILURES = 2
_GREETING = 5
"""Characters of what is said again and again without anything being wrong: hello, thanks."""


def has_reason(situation: Situation) -> bool:
    """Whether there is somebody to hand over to, and the customer asks for a person, takes the agent's offer of one or
    complains, or the agent has failed them before."""
    if not situation.known.hands_to_person:
        return False
    return (
        asks(situation, "person", "complaint")
        or (any(wants("person_offered", one) for one in requests(situation)) and answers(situation))
        or _has_failed(situation)
    )


def _has_failed(situation: Situation) -> bool:
    """Whether the agent could not help in its last two answers, is asked the same for the third time, or has two calls
    in this turn that came to nothing."""
    failed = [step for step in situation.steps if getattr(step, "status", "") in ("error", "unknown")]
    if len(failed) >= _FAILURES:
        return True
    told = [text for who, text in situation.before if who == "agent"][-_FAILURES:]
    if len(told) == _FAILURES and all(wants("stuck", text) for text in told):
        return True
    said = [_plain(text) for who, text in situation.before if who == "customer"]
    return any(said.count(_plain(message)) >= _FAILURES for message in situation.messages if len(message) > _GREETING)


def _plain(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


BUILTIN = Builtin(TOOL, has_reason)
