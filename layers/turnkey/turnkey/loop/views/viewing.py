"""Chooses how a result is cut, and sees to it that the whole, notice included, keeps to the limit."""

from collections.abc import Callable
from functools import partial

from turnkey.loop import tokens
from turnkey.loop.views.binary import without_binary
from turnkey.loop.views.json_paint import FIRST_CHILDREN
from turnkey.loop.views.json_view import JsonResult, read_json
from turnkey.loop.views.notice import NOTHING, Part, View, notice
from turnkey.loop.views.plain import text_part
from turnkey.loop.views.tables import find_table, table_part

MINIMUM_TOKENS = 160
"""Below this there is room for the notice only."""
_TRIES = 10
_NOTICE_SHARE = 1 / 3

PartWithin = Callable[[float], Part]


def view(result: str, limit_tokens: int, *, start: int = 0, handle: str = "") -> View:
    """The result, or what of it costs at most `limit_tokens` by `tokens.estimate`, the notice included.

    `start` goes on where another view ended (its `next_start`): an item's number of JSON's main array, a row's of a
    table, a character's of other text. `handle` is told to the model as what read_more takes. The text keeps to the
    limit wherever that leaves room for the notice (about 60 tokens); with less, the notice alone is longer.
    Never raises for any text.
    """
    shown = without_binary(result)
    if not start and shown is result and tokens.fits(result, limit_tokens):
        return View(text=result, characters=len(result), tokens=tokens.estimate(result), partial=False, kind="whole")
    if limit_tokens < MINIMUM_TOKENS:
        return placeholder(result, handle)
    part_within = _cutter(shown, limit_tokens, start)
    return _within(part_within, len(result), limit_tokens, handle, hides_binary=shown is not result)


def placeholder(result: str, handle: str, why: str = "") -> View:
    """Shows nothing of the result but its size, and how to read it. `why` ends with a full stop."""
    part = NOTHING._replace(next_start=0 if handle else None, remarks=(why,) if why else ())
    text = notice(part, len(result), handle)
    return View(text=text, characters=len(result), tokens=tokens.estimate(text), partial=True, kind="nothing")


def _cutter(text: str, limit: int, start: int) -> PartWithin:
    """Reads the result's structure once; what it returns is asked for several budgets."""
    structure = read_json(text, keep=max(limit, FIRST_CHILDREN) + start)
    if isinstance(structure, JsonResult):
        if structure.has_items or not start:
            return partial(structure.part, start=start)
        structure = ""
    table = find_table(text) if not structure else None
    remark = structure

    def cut(budget: float) -> Part:
        rows = table_part(table, budget, start) if table else None
        return rows or text_part(text, budget, start, remark)

    return cut


def _within(part_within: PartWithin, characters: int, limit: int, handle: str, hides_binary: bool) -> View:
    whole = part_within(limit) if not hides_binary else NOTHING
    if whole.complete and tokens.fits(whole.body, limit):
        return _view(whole, whole.body, characters, partial=False)
    reserve = tokens.estimate(notice(whole, characters, handle)) + 1
    for number in range(_TRIES):
        part = part_within(max(0, limit - reserve))
        text = _with_notice(part, characters, handle, limit * _NOTICE_SHARE)
        over = tokens.estimate(text) - limit
        if over <= 0:
            return _view(part, text, characters, partial=True)
        # Doubled, since what is cut are whole items: one token over may mean an item of a hundred.
        reserve += over * 2**number
    return _view(NOTHING, notice(NOTHING, characters, handle), characters, partial=True)


def _with_notice(part: Part, characters: int, handle: str, most: float) -> str:
    """The body and its notice, which leaves the remarks out where it would cost more than `most`."""
    told = notice(part, characters, handle)
    if tokens.weigh(told) > most:
        told = notice(part._replace(remarks=()), characters, handle)
    separator = "" if part.body.endswith("\n") or not part.body else "\n"
    return f"{part.body}{separator}{told}"


def _view(part: Part, text: str, characters: int, partial: bool) -> View:
    return View(
        text=text,
        characters=characters,
        tokens=tokens.estimate(text),
        partial=partial,
        kind=part.kind,
        items_shown=part.items_shown,
        items=part.items,
        start=part.start,
        next_start=part.next_start,
    )
