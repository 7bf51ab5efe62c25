"""The gate's rules for a sentence that says what it asks for. Each gives what it finds, or None."""

from turnkey.reading.cues import Reading
from turnkey.reading.finding import Finding, finding
from turnkey.reading.lexicon import group
from turnkey.reading.shelf import Shelf
from turnkey.reading.talk import LISTING
from turnkey.tools import ToolKind


def chart(said: Reading, on: Shelf) -> Finding | None:
    asked = said.has("chart") or (said.has("chart_noun") and said.has("show", "wish", "please"))
    return finding(("chart",), strong=True) if asked and (on.has("items") or on.has("chart")) else None


def action(said: Reading, on: Shelf) -> Finding | None:
    """A request that something be done."""
    if not (_orders(said) or _plans_a_visit(said)):
        return None
    if said.has("send") and not on.speaking_of(frozenset({"send"}), ("action",)):
        return _sent(said, on)
    if not on.has("action"):
        return None
    strong = bool(on.speaking_of(said.concepts, ("action",)))
    return finding(("action", *_times_before(said, on)), strong=strong)


def in_vain(said: Reading, on: Shelf) -> bool:
    """An order where no tool does anything: that it names a book does not make it a question about one."""
    return _orders(said) and not on.has("action") and not said.has("send", *LISTING)


def _orders(said: Reading) -> bool:
    if said.has("act") or (said.has("do") and said.has("please") and not said.has("have", "price")):
        return True
    return bool(said.concepts & group("done")) and said.has("kindly") and not said.question


def _plans_a_visit(said: Reading) -> bool:
    """I'd like to see Dr. Lee on Tuesday."""
    return said.has("wish") and not said.question and all(said.concepts & group(name) for name in ("doctors", "days"))


def _times_before(said: Reading, on: Shelf) -> tuple[ToolKind, ...]:
    """ "I'd like to come, when have you got time?" wants to see times before one is taken."""
    wanted = said.has("slot") if said.question else not said.has("act")
    visit = said.concepts & (group("visits") | group("doctors"))
    return on.named_for(group("visits"), ("items",)) if wanted and visit else ()


def _sent(said: Reading, on: Shelf) -> Finding | None:
    """No tool sends anything: what is wanted may be in a list."""
    if on.strange(said.concepts):
        return None
    listed = on.named_for(said.concepts, ("items",))
    return finding((*listed, *on.of("action")), strong=bool(listed))


def fact(said: Reading, on: Shelf) -> Finding | None:
    """When it is open, where it is, how far something waited for has come."""
    asked = (
        (_asks_for_hours(said), frozenset({"opening_hours"})),
        (said.has("where"), group("places")),
        (_asks_for_progress(said), said.concepts & group("waited_for")),
    )
    told = (on.speaking_of(wanted, ("lookup", "items"))[:1] for is_asked, wanted in asked if is_asked)
    return next((finding(kinds, strong=True) for kinds in told if kinds), None)


def _asks_for_hours(said: Reading) -> bool:
    return said.has("hours") or (said.question and said.has("opens") and bool(said.concepts & group("days")))


def _asks_for_progress(said: Reading) -> bool:
    """ "I have an appointment" asks only where it ends with a question mark."""
    return said.has("status") or (said.question and said.has("status_q"))


def slot(said: Reading, on: Shelf) -> Finding | None:
    """When someone or something is free, or can be seen on a day."""
    seen = said.question and all(said.concepts & group(name) for name in ("doctors", "days"))
    if not (said.has("slot") or seen):
        return None
    wanted = (said.concepts & on.things) | group("visits")
    return finding(on.named_for(wanted, ("items", "lookup", "action"))[:1], strong=True)


def listed(said: Reading, on: Shelf) -> Finding | None:
    """Things that a tool is named for, to be shown or looked for."""
    if not said.concepts & on.things or not said.has(*LISTING):
        return None
    aside = on.speaking_of(group("stock"), ("lookup",)) if said.has("stock", "price") else ()
    return finding((*on.named_for(said.concepts, ("items",)), *aside), strong=True)


def price(said: Reading, on: Shelf) -> Finding | None:
    return finding(_told(said, on, frozenset({"price"})), strong=True) if said.has("price") else None


def stock(said: Reading, on: Shelf) -> Finding | None:
    """Whether something is there."""
    if not said.has("stock") or said.has("more"):
        return None
    # "Have you got it in German?" may be another one.
    other = said.has("have") and said.has("refer") and said.concepts & group("languages")
    told = _told(said, on, group("stock"))
    return finding((*(on.of("items") if other and told else ()), *told), strong=True)


def _told(said: Reading, on: Shelf, wanted: frozenset[str]) -> tuple[ToolKind, ...]:
    if said.has("facility") or on.foreign(said.concepts):
        return ()
    return on.speaking_of(wanted, ("lookup", "items"))[:1]


def wanted(said: Reading, on: Shelf) -> Finding | None:
    """Things that a tool is named for, in a question or a wish that says no more."""
    if not said.concepts & on.things:
        return None
    if said.has("there", "stock") or (_asks_which(said) and said.asked & on.things):
        return finding(on.named_for(said.concepts, ("items",)))
    wished = _wished(said) and not said.has("facility", "policy")
    return finding(on.named_for(said.concepts, ("action", "items"))) if wished else None


def _asks_which(said: Reading) -> bool:
    """ "Wow, what a lot of books!" and "Which is better, books or films?" ask for none."""
    asked = said.has("which", "count") and not said.has("better")
    return asked and (said.question or not said.has("smalltalk"))


def _wished(said: Reading) -> bool:
    """What is needed is wished for, but "do I need a helmet?" asks what is usual."""
    return said.has("wish") or (said.has("need") and (not said.question or said.has("slot")))


def anything(said: Reading, on: Shelf) -> Finding | None:
    """Things without a word for their kind: in a shop any word may be a title, a subject, a make."""
    items = on.of("items")
    if on.goods and "gift" in said.concepts and _wished(said):
        return finding(items, strong=True)
    if said.has("facility", "count"):
        return None
    if said.has("show", "topic") and on.goods:
        return finding(items, strong=True)
    if on.strange(said.asked) or not (on.goods or said.has("show")):
        return None
    if said.has("recommend", "seek", "show"):
        return finding(items, strong=on.goods)
    aside = on.speaking_of(group("stock"), ("lookup",))
    return finding((*items, *aside)) if items and said.has("have") else None


RULES = (chart, action, fact, slot, listed, price, stock, wanted, anything)
"""In the order in which they are asked: the first that finds something is right."""
