"""From facts to a plan: the one tool, its arguments, and the look-up before it where it needs an id or data first."""

from turnkey.mcp import schemas
from turnkey.reading.arguments import Filled, fill
from turnkey.reading.asked import Asked
from turnkey.reading.choosing import choose
from turnkey.reading.directive import compose
from turnkey.reading.facts import Kind
from turnkey.reading.plan import Drawn, Linked, Plan
from turnkey.reading.references import claimed, shape
from turnkey.reading.roles import role
from turnkey.reading.subject import CONDITIONS, content, spaced
from turnkey.reading.words import concepts, ids, ordinals
from turnkey.tools import Tool, Toolset
from turnkey.tools.builtins import draw_chart
from turnkey.tools.output_schema import items_shape


def plan(asked: Asked, tools: Toolset, others: tuple[Kind, ...] = ()) -> Plan | None:
    """The plan, or None where no one tool is clearly meant, or what it needs cannot be known.

    `others` are kinds that the words allow as well. One of them is right where the facts' own kind leads to no tool, or
    only through another. Nothing is done on such a second guess but what is complete and about something shown.
    """
    asked = asked.model_copy(update={"claimed": claimed(tools)})
    asked, others = _by_words(asked, others)
    made = [_planned(asked, tools)]
    if made[0] is None or made[0].following:
        made += [_guessed(asked, kind, tools) for kind in others if kind != asked.facts.kind]
    found = [one for one in made if one]
    direct = (one for one in found if one.directive.complete and not one.following)
    return next(direct, next(iter(found), None))


def _by_words(asked: Asked, others: tuple[Kind, ...]) -> tuple[Asked, tuple[Kind, ...]]:
    """An id in the message asks for the one thing; a value of nothing at all, such as "what have you got in German?",
    for a list."""
    kind = asked.facts.kind
    if kind == "items" and any(shape(one) in asked.claimed for one in ids(asked.message)):
        return asked.model_copy(update={"facts": asked.facts.model_copy(update={"kind": "lookup"})}), (*others, "items")
    if _goes_on(asked) and asked.handed and kind in ("items", "lookup") and kind != asked.handed.kind:
        facts = asked.facts.model_copy(update={"kind": asked.handed.kind})
        return asked.model_copy(update={"facts": facts}), (*others, kind)
    if kind == "lookup" and not asked.elliptical and not content(asked.message, asked.language):
        return asked, (*others, "items")
    return asked, others


def _goes_on(asked: Asked) -> bool:
    """Whether the message only adds a condition to what was handed over: and in Turkish? what about Thursday?"""
    if not asked.elliptical or ordinals(asked.message) or content(asked.message, asked.language):
        return False
    return concepts(asked.message) <= CONDITIONS


def _guessed(asked: Asked, kind: Kind, tools: Toolset) -> Plan | None:
    made = _planned(asked.model_copy(update={"facts": asked.facts.model_copy(update={"kind": kind})}), tools)
    if made and kind == "action" and not (asked.handed and made.directive.complete and not made.following):
        return None
    return made


def _planned(asked: Asked, tools: Toolset) -> Plan | None:
    tool = choose(asked, tools)
    if tool is None:
        return None
    if asked.facts.kind == "chart":
        return _charted(tool, asked)
    filled = fill(tool, asked)
    if not filled.missing:
        return _plan(asked, tool, filled, tool)
    linked = _linked(tool, filled, asked, tools)
    if linked:
        return linked
    # What is missing may stand in the conversation where only a model finds it; else the customer is asked.
    return _plan(asked, tool, filled, tool) if tool.kind == "action" else None


def _plan(asked: Asked, first: Tool, filled: Filled, goal: Tool, following: Linked | Drawn | None = None) -> Plan:
    handed = asked.handed if asked.facts.fresh else None
    return Plan(
        facts=asked.facts,
        directive=compose(first.name, filled.arguments, filled.missing),
        following=following,
        goal=goal.name,
        title=goal.title or spaced(goal.name),
        read_only=all(tool.hints.read_only and not tool.confirm for tool in (first, goal)),
        message=asked.message,
        shown=tuple(value for item in handed.items for value in item.keys.values()) if handed else (),
    )


def _charted(tool: Tool, asked: Asked) -> Plan | None:
    filled = fill(tool, asked, whole=True)
    return None if filled.missing else _plan(asked, tool, filled, draw_chart.TOOL, Drawn(words=asked.message))


def _linked(tool: Tool, filled: Filled, asked: Asked, tools: Toolset) -> Plan | None:
    """A look-up first, for the one id that is missing: the one list whose entries have a field of that name."""
    wanted = [name for name in filled.missing if role(name, schemas.present(tool.parameters).get(name, {})) == "id"]
    if len(wanted) != 1:
        return None
    sources = tools.derived(_sources).get(wanted[0], [])
    if len(sources) != 1:
        return None
    first = fill(sources[0], asked.model_copy(update={"facts": asked.facts.model_copy(update={"quantity": None})}))
    if first.missing:
        return None
    others = tuple(name for name in filled.missing if name != wanted[0])
    link = Linked(
        tool=tool.name, arguments=filled.arguments, argument=wanted[0], field=wanted[0], missing=others, kind="linked"
    )
    return _plan(asked, sources[0], first, tool, link)


def _sources(tools: Toolset) -> dict[str, list[Tool]]:
    """By field, the lists whose entries have it."""
    found: dict[str, list[Tool]] = {}
    for tool in tools:
        if tool.kind == "items" and tool.hints.read_only:
            for name in _entry_fields(tool):
                found.setdefault(name, []).append(tool)
    return found


def _entry_fields(tool: Tool) -> frozenset[str]:
    shape = items_shape(tool.output_schema)
    return frozenset(shape.properties) if shape else frozenset()
