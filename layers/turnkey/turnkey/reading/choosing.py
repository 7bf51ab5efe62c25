"""Which one tool is meant. By the tools' kinds and their own definitions; where two could be meant, none."""

from functools import lru_cache

from turnkey.mcp import schemas
from turnkey.reading import lexicon
from turnkey.reading.asked import Asked
from turnkey.reading.cues import read
from turnkey.reading.entities import listed
from turnkey.reading.references import EXAMPLE, shape
from turnkey.reading.roles import role
from turnkey.reading.shelf import Shown, shelf
from turnkey.reading.subject import spaced
from turnkey.reading.words import concepts, ids, words
from turnkey.tools import Tool, Toolset

NAMED, NAMED_KIN, TENANTS_WORDS, DESCRIBED, FOLLOWED, DATED, SHAPED, LISTED = 3, 2, 4, 1, 3, 2, 3, 2
_DAYS = lexicon.group("days")
_CUES = {
    "slot": ("slot", "appointment"),
    "hours": ("opening_hours",),
    "price": ("price",),
    "stock": ("stock", "availability", "copy"),
    "where": ("location", "contact"),
}
"""What a question speaks of without the word for it: "when could I come?" is about an appointment."""


def choose(asked: Asked, tools: Toolset) -> Tool | None:
    """The tool that fits the facts best, or None where none fits or two fit alike."""
    on = shelf(tools)
    wanted = ("items",) if asked.facts.kind == "chart" else (asked.facts.kind,)
    means = meaning(asked)
    open_to_all = asked.facts.kind in ("items", "chart")
    # A flight is no appointment, though both are booked.
    if not open_to_all and on.foreign(concepts(asked.message)):
        return None
    scored = [
        (_score(tool, shown, means, asked), tool)
        for tool, shown in zip(tools, on.tools, strict=True)
        if tool.kind in wanted and _does(tool, means)
    ]
    # A lone list may be meant without any of its words: what it lists is open. What tells a value must speak of it, and
    # what acts must be named for it.
    least = (0 if len(scored) == 1 else 1) if open_to_all else DESCRIBED if asked.facts.kind == "lookup" else NAMED_KIN
    if asked.facts.kind == "action" and len(scored) == 1 and _asks_to_act(asked.message):
        least = 0
    best = max((score for score, _ in scored), default=-1)
    winners = [tool for score, tool in scored if score == best]
    return winners[0] if best >= least and len(winners) == 1 else None


_DEEDS = frozenset(["cancel", "reschedule", "return", "refund", "reminder", "send", "order", "payment", "delivery"])


def _does(tool: Tool, means: frozenset[str]) -> bool:
    """Whether a tool that acts does what is said: one that cancels only where that is said, and no other then."""
    if tool.kind != "action":
        return True
    return concepts(f"{spaced(tool.name)}. {tool.title}") & _DEEDS == means & _DEEDS


def _asks_to_act(message: str) -> bool:
    """Put it aside for me: plain enough where there is but one thing that can be done."""
    return any("act" in part.cues for part in read(message))


def meaning(asked: Asked) -> frozenset[str]:
    """The concepts that the message and its subject speak of, said or not."""
    unsaid = (concept for part in read(asked.message) for cue in part.cues for concept in _CUES.get(cue, ()))
    said = (asked.message, asked.facts.subject, *asked.facts.constraints)
    return frozenset(unsaid).union(*(concepts(text) for text in said))


def _score(tool: Tool, shown: Shown, means: frozenset[str], asked: Asked) -> int:
    own = concepts(f"{spaced(tool.name)}. {tool.title}")
    stems = set(words(f"{asked.message} {asked.facts.subject}")) - _common()
    named = len(means & own) or len(stems & set(words(f"{spaced(tool.name)} {tool.title}")))
    described = len((means & shown.spoken) - shown.named) + len(stems & set(words(tool.description)))
    found = (
        NAMED * min(2, named)
        + NAMED_KIN * bool(not named and means & shown.named)
        + DESCRIBED * min(3, described)
        + TENANTS_WORDS * any(_says(asked.message, word) for word in tool.words)
        + FOLLOWED * _follows(tool, asked)
        + SHAPED * _takes_id(tool, asked.message)
        + LISTED * _lists(tool, asked)
    )
    # A day alone means nothing; beside something else, it speaks for the tool that takes one.
    return found + DATED * (found > 0 and _takes_a_day(tool) and bool(means & _DAYS))


def _follows(tool: Tool, asked: Asked) -> bool:
    """Whether the message leans on what this tool handed over, or on things that it takes one of."""
    if asked.handed is None or not asked.elliptical:
        return False
    keys = {name for item in asked.handed.items for name in item.keys}
    return asked.handed.tool == tool.name or bool(keys & set(schemas.required(tool.parameters)))


def _takes_a_day(tool: Tool) -> bool:
    return any(role(name, schema) == "day" for name, schema in schemas.present(tool.parameters).items())


def _lists(tool: Tool, asked: Asked) -> bool:
    """Whether the message names a value that one of the tool's arguments lists, such as a branch."""
    return any(listed(schema, asked) for schema in schemas.present(tool.parameters).values())


def _says(text: str, word: str) -> bool:
    stems = set(words(word))
    return bool(stems) and stems <= set(words(text))


def _takes_id(tool: Tool, message: str) -> bool:
    """Whether the tool asks for an id of a shape that the message has one of."""
    shapes = {shape(one) for one in ids(message)}
    examples = (
        EXAMPLE.search(str(schema.get("description", "")))
        for name, schema in schemas.present(tool.parameters).items()
        if role(name, schema) == "id"
    )
    return bool(shapes) and any(shape(example[1]) in shapes for example in examples if example)


@lru_cache(maxsize=1)
def _common() -> frozenset[str]:
    """Stems that stand in any definition and in any message."""
    return frozenset(
        words(
            "get find list search show tell the a an of for and or by in on with to is are it its one all any which "
            "what when who how use you your me my this that there be has have not no only each every than at from as "
            "their asks ask wants needs need returns whenever someone do does can could would please i we"
        )
    )
