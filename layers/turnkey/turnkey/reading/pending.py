"""A call that waits for what only the customer can say: the answer to "under which name?" completes it."""

import re

from turnkey.mcp import schemas
from turnkey.reading.arguments import fill
from turnkey.reading.asked import Asked
from turnkey.reading.directive import compose
from turnkey.reading.facts import Suspicion
from turnkey.reading.plan import Plan
from turnkey.reading.roles import role
from turnkey.reading.words import concepts
from turnkey.tools import Tool, Toolset

_BARE_NAME = re.compile(r"[^\W\d_][^\d@?!]{1,59}")
_WORDS = 4


def resume(waiting: Plan, asked: Asked, suspicion: Suspicion | None, tools: Toolset) -> Plan | None:
    """The waiting plan with what the message gives, or None where the message gives nothing, or plainly wants something
    else."""
    tool = tools.get(waiting.directive.tool)
    if tool is None or (suspicion and suspicion.strong and "action" not in suspicion.kinds):
        return None
    given = fill(tool, asked.model_copy(update={"facts": waiting.facts, "handed": None})).arguments
    found = {name: given.get(name) or _bare(name, tool, asked.message) for name in waiting.directive.missing}
    values = {name: value for name, value in found.items() if value}
    if not values:
        return None
    left = tuple(name for name in waiting.directive.missing if name not in values)
    directive = compose(tool.name, {**waiting.directive.arguments, **values}, left)
    return waiting.model_copy(update={"directive": directive, "message": asked.message})


def _bare(name: str, tool: Tool, message: str) -> str:
    """A message that is nothing but the name that was asked for."""
    text = message.strip().rstrip(".")
    schema = schemas.present(tool.parameters).get(name, {})
    if role(name, schema) != "person" or not _BARE_NAME.fullmatch(text) or len(text.split()) > _WORDS:
        return ""
    return "" if concepts(text) or text[0].islower() else text
