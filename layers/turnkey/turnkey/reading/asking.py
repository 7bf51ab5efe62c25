"""The gate's rules for a sentence that says what it asks for. Each gives what it finds, or None."""

from turnkey.reading import lexicon
from turnkey.reading.cues import Reading
from turnkey.reading.finding import Finding, finding
from turnkey.reading.script import ID
from turnkey.reading.shelf import Concepts, Shelf

LISTING = ("show", "have", "recommend", "seek", "topic")
_FACTS = ("price", "stock", "hours", "where", "status", "slot", "compare", ID)
_VISITS: Concepts = frozenset({"appointment", "slot"})
_UNDOING: Concepts = frozenset({"cancel", "reschedule"})
DAYS: Concepts = frozenset(
    "today tomorrow weekend week morning afternoon evening monday tuesday wednesday thursday friday saturday sunday"
    " january february march april may june july august september october november december".split()
)
_SEEN: Concepts = frozenset(lexicon.data("families")["families"]["doctors"]["things"])
_STOCK: Concepts = frozenset({"stock", "availability", "copy"})
_WAITED_FOR: Concepts = frozenset(
    {"order", "reservation", "hold", "appointment", "prescription", "test_result", "delivery", "repair", "referral"}
)


def is_talk(said: Reading) -> bool:
    """A question about the world, a thing's meaning or a way of doing; a report. It wants words, whatever it names."""
    if said.has("world"):
        # "Show me in a bar chart how your books divide" is no question about bar charts.
        return not (said.has("chart") and said.has("show"))
    if said.has("report"):
        return not said.has("show", "seek", "more", "act") and not (said.question and said.has("have"))
    if said.has("policy") and said.has("do", "act") and (said.question or not said.has("act")):
        return True
    return said.has("define") and not said.has(*_FACTS, *LISTING, "more", "chart", "act")


def chart(said: Reading, on: Shelf) -> Finding | None:
    asked = said.has("chart") or (said.has("chart_noun") and said.has("show", "wish", "please"))
    return finding(("chart",), strong=True) if asked and (on.has("items") or on.has("chart")) else None


def action(said: Reading, on: Shelf) -> Finding | None:
    """A request that something be done; not a question about how, when or at what cost it is done."""
    if not _asks_for_action(said):
        return None
    if said.has("send") and not on.speaking_of(frozenset({"send"}), ("action",)):
        return _sent(said, on)
    if not on.has("action"):
        return None
    strong = bool(on.speaking_of(said.concepts, ("action",)))
    # "I'd like to come, when have you got time?" wants to see times before one is taken.
    times = on.named_for(_VISITS, ("items",)) if said.question and said.has("slot") else ()
    return finding(("action", *times), strong=strong)


def _asks_for_action(said: Reading) -> bool:
    if said.has("act") or (said.has("do") and said.has("please") and not said.has("have")):
        return True
    return bool(said.concepts & _UNDOING) and said.has("courtesy", ID) and not said.question


def _sent(said: Reading, on: Shelf) -> Finding | None:
    """No tool sends anything: what is wanted may be in a list."""
    if on.strange(said.concepts):
        return None
    listed = on.named_for(said.concepts, ("items",))
    return finding((*listed, *(("action",) if on.has("action") else ())), strong=bool(listed))


def fact(said: Reading, on: Shelf) -> Finding | None:
    """When it is open, where it is, how far something waited for has come."""
    for cue, wanted in (
        ("hours", frozenset({"opening_hours"})),
        ("where", frozenset({"location", "contact"})),
        ("status", said.concepts & _WAITED_FOR),
    ):
        told = on.speaking_of(wanted, ("lookup", "items"))[:1] if _asks_for(said, cue) else ()
        if told:
            return finding(told, strong=True)
    return None


def _asks_for(said: Reading, cue: str) -> bool:
    """The cue itself; for the hours also a day with a word such as open or closed."""
    return said.has(cue) or (
        cue == "hours" and said.question and said.has("opens") and not DAYS.isdisjoint(said.concepts)
    )


def slot(said: Reading, on: Shelf) -> Finding | None:
    """When someone or something is free, or can be seen on a day."""
    asked = said.has("slot") or (said.question and said.concepts & _SEEN and said.concepts & DAYS)
    if not asked:
        return None
    wanted = said.concepts & on.things or _VISITS
    return finding(on.named_for(wanted | _VISITS, ("items", "lookup", "action"))[:1], strong=True)


def listed(said: Reading, on: Shelf) -> Finding | None:
    """Things that a tool is named for, to be shown or looked for."""
    if not said.concepts & on.things or not said.has(*LISTING):
        return None
    aside = on.speaking_of(_STOCK, ("lookup",)) if said.has("stock", "price") else ()
    return finding((*on.named_for(said.concepts, ("items",)), *aside), strong=True)


def value(said: Reading, on: Shelf) -> Finding | None:
    """The price of something, or whether it is there."""
    for cue, wanted in (("price", frozenset({"price"})), ("stock", _STOCK)):
        told = on.speaking_of(wanted, ("lookup", "items"))[:1] if said.has(cue) else ()
        if told and not said.has("facility") and not on.strange(said.concepts - wanted):
            return finding(told, strong=True)
    return None


def wanted(said: Reading, on: Shelf) -> Finding | None:
    """Things that a tool is named for, in a question or a wish that says no more."""
    if not said.concepts & on.things:
        return None
    if said.has("there", "which", "stock"):
        return finding(on.named_for(said.concepts, ("items",)))
    wished = said.has("wish") and not said.has("facility", "policy")
    return finding(on.named_for(said.concepts, ("action", "items"))) if wished else None


def anything(said: Reading, on: Shelf) -> Finding | None:
    """Things without a word for their kind: in a shop any word may be a title, a subject, a make."""
    if not on.has("items") or said.has("facility"):
        return None
    if said.has("show", "topic") and on.goods:
        return finding(("items",), strong=True)
    if on.strange(said.concepts) or not (on.goods or said.has("show")):
        return None
    if said.has("recommend", "seek", "show"):
        return finding(("items",), strong=on.goods)
    aside = on.speaking_of(_STOCK, ("lookup",))
    return finding(("items", *aside)) if said.has("have") else None


def by_id(said: Reading, on: Shelf) -> Finding | None:
    return finding(("lookup",), strong=said.question) if said.has(ID) and on.has("lookup") else None


RULES = (chart, action, fact, slot, listed, value, wanted, anything)
"""In the order in which they are asked: the first that finds something is right."""
