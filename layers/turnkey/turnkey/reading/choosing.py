"""Which one tool is meant. By the tools' kinds and their own definitions; where two could be meant, none."""

from functools import lru_cache
from typing import NamedTuple

from turnkey.reading import lexicon
from turnkey.reading.asked import Asked
from turnkey.reading.cues import read
from turnkey.reading.facts import Kind
from turnkey.reading.profiles import Profile, profiles
from turnkey.reading.references import shape
from turnkey.reading.shelf import shelf
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
    wanted = "items" if asked.facts.kind == "chart" else asked.facts.kind
    said = _said(asked)
    open_to_all = wanted == "items"
    # A flight is no appointment, though both are booked.
    if not open_to_all and shelf(tools).foreign(concepts(asked.message)):
        return None
    fitting = [one for one in _of_kind(wanted, tools) if _does(one, said.means)]
    scored = [(_score(one, said, asked), one.tool) for one in fitting]
    # A lone list may be meant without any of its words: what it lists is open. What tells a value must speak of it, and
    # what acts must be named for it.
    least = (0 if len(scored) == 1 else 1) if open_to_all else DESCRIBED if wanted == "lookup" else NAMED_KIN
    if wanted == "action" and len(scored) == 1 and _asks_to_act(asked.message):
        least = 0
    best = max((score for score, _ in scored), default=-1)
    winners = [tool for score, tool in scored if score == best]
    return winners[0] if best >= least and len(winners) == 1 else None


def _of_kind(kind: Kind, tools: Toolset) -> list[Profile]:
    return [] if kind == "answer" else profiles(tools).get(kind, [])


class _Said(NamedTuple):
    """What the message has, for all tools alike: concepts, stems, those of them that tell something, shapes of ids."""

    means: frozenset[str]
    stems: frozenset[str]
    telling: frozenset[str]
    shapes: frozenset[str]


def _said(asked: Asked) -> _Said:
    return _Said(
        means=meaning(asked),
        stems=frozenset(words(asked.message)),
        telling=frozenset(words(f"{asked.message} {asked.facts.subject}")) - _common(),
        shapes=frozenset(shape(one) for one in ids(asked.message)),
    )


_DEEDS = frozenset(["cancel", "reschedule", "return", "refund", "reminder", "send", "order", "payment", "delivery"])


def _does(one: Profile, means: frozenset[str]) -> bool:
    """Whether a tool that acts does what is said: one that cancels only where that is said, and no other then."""
    return one.tool.kind != "action" or one.own & _DEEDS == means & _DEEDS


def _asks_to_act(message: str) -> bool:
    """Put it aside for me: plain enough where there is but one thing that can be done."""
    return any("act" in part.cues for part in read(message))


def meaning(asked: Asked) -> frozenset[str]:
    """The concepts that the message and its subject speak of, said or not."""
    said = (asked.message, asked.facts.subject, *asked.facts.constraints)
    return unsaid(asked.message).union(*(concepts(text) for text in said))


def unsaid(message: str) -> frozenset[str]:
    """Concepts that it speaks of without a word for them."""
    return frozenset(concept for part in read(message) for cue in part.cues for concept in _CUES.get(cue, ()))


def _score(one: Profile, said: _Said, asked: Asked) -> int:
    named = len(said.means & one.own) or len(said.telling & one.name_stems)
    described = len((said.means & one.spoken) - one.named) + len(said.telling & one.description_stems)
    found = (
        NAMED * min(2, named)
        + NAMED_KIN * bool(not named and said.means & one.named)
        + DESCRIBED * min(3, described)
        + TENANTS_WORDS * any(stems <= said.stems for stems in one.tenants_words)
        + FOLLOWED * _follows(one, asked)
        + SHAPED * bool(said.shapes & one.id_shapes)
        + LISTED * any(_lists(values, said.stems) for values in one.listed)
    )
    # A day alone means nothing; beside something else, it speaks for the tool that takes one.
    return found + DATED * (found > 0 and bool(said.means & _DAYS) and one.takes_a_day)


def _follows(one: Profile, asked: Asked) -> bool:
    """Whether the message leans on what this tool handed over, or on things that it takes one of."""
    if asked.handed is None or not asked.elliptical:
        return False
    keys = {name for item in asked.handed.items for name in item.keys}
    return asked.handed.tool == one.tool.name or not keys.isdisjoint(one.required)


def _lists(values: tuple[frozenset[str], ...], stems: frozenset[str]) -> bool:
    """Whether the message names one of the values that an argument lists, such as a branch."""
    return sum(not value.isdisjoint(stems) for value in values) == 1


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
