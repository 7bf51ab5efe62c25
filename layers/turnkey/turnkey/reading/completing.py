"""The plan's second step, completed from the result of its first."""

from turnkey.deliverables.rows import find_rows
from turnkey.reading.charting import grouping
from turnkey.reading.directive import Directive, compose
from turnkey.reading.fitting import fit
from turnkey.reading.plan import Drawn, Linked, Plan
from turnkey.tools import Toolset
from turnkey.tools.builtins import draw_chart


def complete(plan: Plan, text: str, handle: str, known: Toolset) -> Directive | None:
    """The next directive, or None where the result does not give what it needs: then the plan ends here."""
    tool = known.get(plan.directive.tool)
    rows = find_rows(text, tool.fields.items if tool else "")
    if rows is None or not rows.rows:
        return None
    match plan.following:
        case Drawn(words=words):
            wanted = grouping(words, plan.facts.subject, rows.rows)
            return compose(draw_chart.TOOL.name, {"handle": handle, **wanted}) if wanted else None
        case Linked() as link:
            return _linked(link, plan, rows.rows, known)
        case None:
            return None


def _linked(link: Linked, plan: Plan, rows: tuple[dict[str, object], ...], known: Toolset) -> Directive | None:
    """An action is taken on the one thing that was plainly meant, never on one of several."""
    tool = known.get(link.tool)
    row = fit(rows, plan.message, plan.facts.subject, exactly=tool is None or tool.kind == "action")
    value = row.get(link.field) if row else None
    if not isinstance(value, str | int):
        return None
    return compose(link.tool, {link.argument: value, **link.arguments}, link.missing)
