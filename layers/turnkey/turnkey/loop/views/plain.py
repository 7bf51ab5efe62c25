"""A view of plain text: its beginning and its end, cut at sentences, lines or words."""

from turnkey.loop import tokens
from turnkey.loop.views.notice import Part
from turnkey.loop.views.places import cut_after, cut_before, whole_number

GAP = "\n[…]\n"
_GAP_TOKENS = tokens.estimate(GAP)
_HEAD_SHARE = 2 / 3
"""The end matters too: logs and reports say there how it went."""


def text_part(text: str, budget: float, start: int, remark: str = "") -> Part:
    """What of `text` costs at most about `budget` tokens: head and tail, or from character `start` on."""
    remarks = (remark,) if remark else ()
    start = whole_number(text, start)
    head_budget = budget if start else (budget - _GAP_TOKENS) * _HEAD_SHARE
    reached = tokens.reach(text, start, max(0, head_budget))
    head = cut_before(text, start, reached)
    tail = len(text) if start else _tail(text, head, budget)
    body = text[start:head] + (GAP + text[tail:] if tail < len(text) else "")
    return Part(
        "text",
        body,
        characters=head - start + len(text) - tail,
        start=start,
        next_start=_following(text, start, head, reached),
        remarks=(*remarks, "Beginning and end, […] stands for the middle") if tail < len(text) else remarks,
    )


def _following(text: str, start: int, head: int, reached: int) -> int | None:
    """Where to go on; past what can be shown by no view, such as a number longer than the budget."""
    place = head if head > start else cut_after(text, reached + 1)
    return place if place < len(text) else None


def _tail(text: str, head: int, budget: float) -> int:
    left = budget - _GAP_TOKENS - tokens.weigh(text[:head])
    return cut_after(text, max(head, tokens.reach_back(text, len(text), max(0, left)))) if left > 0 else len(text)
