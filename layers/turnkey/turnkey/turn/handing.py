"""What a call that came back means for the turn: the cards it can hand over, and the plan's next step. Plain."""

from turnkey.deliverables import Cards, Deliverable
from turnkey.deliverables.cards import cards_from
from turnkey.deliverables.deliverable import MAX_CARDS
from turnkey.deliverables.rows import find_rows
from turnkey.reading.completing import complete
from turnkey.reading.directive import Directive
from turnkey.reading.plan import Plan
from turnkey.tools import Tool, Toolset

DEFAULT_CARDS = 5


def deliverable(tool: Tool, text: str, plan: Plan | None) -> Deliverable | None:
    """The cards of a list that a tenant's tool returned."""
    if tool.kind != "items" or not tool.server:
        return None
    wanted = plan.facts.quantity if plan else None
    without = plan.shown if plan and plan.facts.fresh else ()
    return cards_from(text, tool, min(wanted or (DEFAULT_CARDS if plan else MAX_CARDS), MAX_CARDS), without)


def shown(text: str, tool: Tool, limit: int) -> Cards | None:
    """The cards that show_items hands over of a stored result."""
    return cards_from(text, tool, limit)


def count(tool: Tool, text: str) -> int:
    """How many entries a list has."""
    rows = find_rows(text, tool.fields.items)
    return len(rows.rows) if rows else 0


def following(plan: Plan | None, tool: Tool, text: str, handle: str, known: Toolset) -> Directive | None:
    """The plan's second step, completed from the result of its first."""
    if plan is None or plan.following is None or tool.name != plan.directive.tool:
        return None
    return complete(plan, text, handle, known)
