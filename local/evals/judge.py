"""What came of a case: handed over, wrongly triggered, invented, the right language, and what it cost.

The judge reads the journal and the reply, not the platform's own opinion of them; where it does look for inventions it
goes beyond the delivery check, which would otherwise judge itself.
"""

import json
import re
from typing import Literal

from local.evals.lane import Run
from turnkey.deliverables import Cards, Chart
from turnkey.reply import language as languages
from turnkey.reply.delivery import check
from turnkey.reply.ledger import Ledger
from turnkey.turn.bookkeeping import facts_of
from turnkey.turn.journal import ModelAnswer, ToolResult
from turnkey.values import Value

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_QUOTED = re.compile(r"[\"“„«「『]([^\"”“»」』]{3,80})[\"”“»」』]|\*\*([^*]{3,80})\*\*")
_LIES = frozenset(["claimed_action", "typed_list", "empty_block", "unmade_reference", "tool_input", "ungrounded"])
_SMALL = 3
"""Numbers up to here are often only words: one of them, two more."""


class Verdict(Value):
    """`met`: what was to be handed over has been. `triggered`: something ran that nobody asked for."""

    id: str
    kind: str
    due: str
    language: str
    met: bool
    triggered: bool
    invented: tuple[str, ...] = ()
    right_language: bool
    asked_for_facts: bool
    model_calls: int
    prompt_characters: int
    seconds: float
    by_the_platform: bool
    missing: str = ""
    reply: str


def judge(run: Run, *, bare: bool) -> Verdict:
    """The verdict on one run. In `bare` mode nothing is ever shown as cards: there a call that found items counts."""
    case, found = run.case, run.trace
    reply = found.reply.text if found.reply else ""
    missing = _missing(run, bare=bare)
    return Verdict(
        id=case.id,
        kind=case.kind,
        due=case.expect.handed,
        language=case.language,
        met=not missing,
        missing=missing,
        triggered=_triggered(run),
        invented=invented(run),
        right_language=not languages.differs(reply, case.language),
        asked_for_facts=found.record.reading is not None,
        **_cost(run),
        seconds=round(run.seconds, 2),
        by_the_platform=bool(found.reply and found.reply.author == "platform"),
        reply=reply,
    )


def _missing(run: Run, *, bare: bool) -> str:
    """What is missing of what the case expects, or nothing."""
    expect, reply = run.case.expect, run.trace.reply
    # The customer reads the cards as well. A case that names no tool may be reached any way.
    shown = [str(one) for one in (reply.deliverables if reply else ())]
    text = "\n".join((reply.text, *shown)) if reply else ""
    fitting = [one for one in _ok(run) if not expect.tool or expect.accepts(one.call.name, one.call.arguments)]
    match expect.handed:
        case "none":
            return "something was called" if _acted(run) or (run.case.kind == "ordinary" and _ok(run)) else ""
        case "honest":
            return "something was handed over or claimed" if _acted(run) or _shown(run) else ""
        case "lookup" | "action":
            unmentioned = expect.unmentioned(text) if fitting and not bare else ()
            return _first("no such call came back" if not fitting else "", *(f"not told: {one}" for one in unmentioned))
        case "items":
            return _items(run, fitting, bare=bare)
        case "chart":
            drawn = [one for one in (reply.deliverables if reply else ()) if isinstance(one, Chart)]
            return _first("no such call came back" if not fitting else "", "no chart" if not drawn else "")


def _items(run: Run, fitting: list[ToolResult], *, bare: bool) -> str:
    expect, reply = run.case.expect, run.trace.reply
    if not fitting:
        return "no such call came back"
    if bare:
        return "" if any(isinstance(one.deliverable, Cards) for one in fitting) else "nothing was found"
    cards = [card for one in (reply.deliverables if reply else ()) if isinstance(one, Cards) for card in one.cards]
    if not cards:
        return "no cards"
    if expect.count and len(cards) != expect.count:
        return f"{len(cards)} cards instead of {expect.count}"
    seen = {value for item in (run.before.items if run.before else ()) for value in item.keys.values()}
    again = expect.fresh and any(set(card.keys.values()) & seen for card in cards)
    return "shown before" if again else ""


def _triggered(run: Run) -> bool:
    """Whether an ordinary message made something run, or anything acted that was not to."""
    if run.case.kind == "ordinary":
        return bool(run.trace.results) or run.trace.record.plan is not None
    return run.case.expect.handed != "action" and _acted(run)


def invented(run: Run) -> tuple[str, ...]:
    """What the reply says that neither a result of this turn nor the conversation has."""
    found = run.trace
    if not found.reply:
        return ()
    text, known = found.reply.text, _known(run)
    plain = re.sub(r"\W+", " ", known.casefold())
    numbers = {_digits(number) for number in _NUMBER.findall(known)}
    lies = [
        f"number {number}"
        for number in _NUMBER.findall(text)
        if _digits(number) not in numbers and not (number.isdigit() and int(number) <= _SMALL)
    ]
    # In an answer from general knowledge, quoted words are no goods of the tenant's.
    quoted = [] if run.case.kind == "ordinary" else [first or second for first, second in _QUOTED.findall(text)]
    lies += [f"title {title}" for title in quoted if re.sub(r"\W+", " ", title.casefold()).strip() not in plain]
    findings = check(text, "answer", _ledger(run), run.case.language)
    lies += [f"{one.kind}: {one.evidence}" for one in findings if one.kind in _LIES]
    return tuple(dict.fromkeys(lies))


def _digits(number: str) -> str:
    """One form for 12.90, 12,90 and 12.9."""
    return re.sub(r"[.,:]", ".", number).rstrip("0").rstrip(".") if re.search(r"[.,:]", number) else number


def _known(run: Run) -> str:
    said = [message.text for message in run.case.conversation]
    shown = [exchange.told for exchange in run.trace.record.history]
    results = [f"{one.text} {one.items} {json.dumps(one.call.arguments, ensure_ascii=False)}" for one in _ok(run)]
    handed = [one.model_dump_json() + _counts(one) for one in (run.trace.reply.deliverables if run.trace.reply else ())]
    return "\n".join((*said, *shown, *results, *handed))


def _counts(one: object) -> str:
    return f" {len(one.cards)} {one.total}" if isinstance(one, Cards) else ""


def _ledger(run: Run) -> Ledger:
    handed = run.trace.reply.deliverables if run.trace.reply else ()
    return Ledger(results=facts_of(run.trace.steps), handed=handed, said=_known(run), tools=run.trace.record.tools)


def _ok(run: Run) -> list[ToolResult]:
    return [one for one in run.trace.results if one.status == "ok"]


def _acted(run: Run) -> bool:
    return any(one.tool_kind == "action" for one in _ok(run))


def _shown(run: Run) -> bool:
    return bool(run.trace.reply and run.trace.reply.deliverables)


def _first(*problems: str) -> str:
    return next((problem for problem in problems if problem), "")


def _cost(run: Run) -> dict[Literal["model_calls", "prompt_characters"], int]:
    found = run.trace
    asked = [step for step in found.steps if isinstance(step, ModelAnswer) and step.author == "model"]
    reading = found.record.reading
    replied = found.reply
    return {
        "model_calls": len(asked) + bool(reading) + (replied.model_calls if replied else 0),
        "prompt_characters": sum(one.prompt_characters for one in asked)
        + (reading.prompt_characters if reading else 0)
        + (replied.prompt_characters if replied else 0),
    }
