"""Sentences that want words and nothing else, whatever they name: they never are a reason to suspect a tool."""

from turnkey.reading.cues import Reading
from turnkey.reading.script import ID

LISTING = ("show", "have", "recommend", "seek", "topic")
"""Cues of a wish to see things."""
_FACTS = ("price", "stock", "hours", "where", "status", "slot", "compare", ID)


def is_talk(said: Reading) -> bool:
    """A question about the world, a meaning, a way of doing or a condition; a report, an opinion, a refusal."""
    if said.has("world"):
        # "Show me in a bar chart how your books divide" is no question about bar charts.
        return not (said.has("chart") and said.has("show"))
    if said.has("negated"):
        return not said.has("more", "have")
    if said.has("opinion"):
        return not said.has("wish", "need", "act", "have", "seek")
    if said.has("report"):
        return not said.has("show", "seek", "more", "act", "need")
    return _asks_for_conditions(said) or _asks_for_meaning(said)


def _asks_for_conditions(said: Reading) -> bool:
    """Can I cancel for free? How early must I book?"""
    return said.has("policy") and said.has("do", "act") and (said.question or not said.has("act"))


def _asks_for_meaning(said: Reading) -> bool:
    return said.has("define") and not said.has(*_FACTS, *LISTING, "more", "chart", "act")
