"""A view of JSON: the measures under which as much as possible fits. Arrays are cut at items, the longest first: no
array shows more items than a common measure, which is the largest that fits. Where that leaves too few items, long
strings are cut, and only where nothing else helps are keys left out."""

from collections.abc import Callable

from turnkey.loop.views.json_paint import ALL, MARK, Full, Measures, Painted, Painter, main_container
from turnkey.loop.views.notice import Part
from turnkey.loop.views.scan import MAX_DEPTH, NotJson, Outline, TooDeep

DEEP = f"JSON of more than {MAX_DEPTH} levels, shown as text"
_ENOUGH_ITEMS = 3
"""With fewer than these, strings are cut before more items are left out."""
_STRING_LENGTHS = (ALL, 2000, 500, 160, 60)
_SPARE = ((ALL, ALL), (ALL, 500), (3, 160), (1, 60), (1, 20))
"""Items of inner arrays and characters of strings, tried in turn while members of the main container are left out."""
_REMARKED = 2
_LONGEST_STRING = 100_000

Attempt = Callable[[Measures], Painted | None]


class JsonResult:
    """A result that is JSON, read once and viewed at any budget."""

    def __init__(self, text: str, keep: int) -> None:
        """`keep`: the most items that will be shown of one container. Raises NotJson and TooDeep."""
        self._outline = Outline(text, keep)
        self._keep = keep
        self._main = main_container(self._outline)
        self._main_is_object = self._main is not None and text[self._main.start] == "{"

    @property
    def has_items(self) -> bool:
        return self._main is not None

    def part(self, budget: float, start: int) -> Part:
        """What fits `budget` tokens, from the main container's item `start` on; an empty body where nothing does."""

        def attempt(measures: Measures) -> Painted | None:
            try:
                return Painter(self._outline, self._main, measures, budget).paint()
            except Full:
                return None

        painted = (self._from(attempt, start) if start else self._best(attempt)) or Painted("", (), 0, 0)
        return self._described(painted, start)

    def _best(self, attempt: Attempt) -> Painted | None:
        def within(items: int, characters: int) -> Painted | None:
            main = ALL if self._main_is_object else items
            return attempt(Measures(main=main, items=items, characters=characters))

        found: tuple[int, Painted] | None = None
        for number, characters in enumerate(_STRING_LENGTHS):
            fitting = _most(lambda items, length=characters: within(items, length), 1, self._keep)
            if fitting and fitting[0] >= _ENOUGH_ITEMS:
                return self._longer_strings(within, fitting, number)
            found = _better(found, fitting)
        return found[1] if found else self._with_fewer_keys(attempt)

    def _longer_strings(
        self, within: Callable[[int, int], Painted | None], fitting: tuple[int, Painted], number: int
    ) -> Painted:
        """Between two measures of strings, the largest that fits as well."""
        if number == 0:
            return fitting[1]
        above = min(_STRING_LENGTHS[number - 1], _LONGEST_STRING)
        longer = _most(lambda characters: within(fitting[0], characters), _STRING_LENGTHS[number], above)
        return longer[1] if longer else fitting[1]

    def _with_fewer_keys(self, attempt: Attempt) -> Painted | None:
        """First members of the main object are left out, as items of an array would be; then keys of every object."""
        found = self._with_fewer_of_main(attempt, 0) if self._main_is_object else None
        for items, characters in () if found else _SPARE[1:]:
            base = Measures(main=items, items=items, characters=characters)
            fewer = _most(
                lambda keys, base=base: attempt(base._replace(main=max(base.main, keys), keys=keys)), 1, self._keep
            )
            if fewer:
                return fewer[1]
        return found or attempt(Measures(main=0, items=0, characters=0, keys=0))

    def _with_fewer_of_main(self, attempt: Attempt, start: int) -> Painted | None:
        found: tuple[int, Painted] | None = None
        for items, characters in _SPARE:
            base = Measures(items=items, characters=characters, start=start)
            fitting = _most(lambda main, base=base: attempt(base._replace(main=main)), 1, self._keep)
            if fitting and fitting[0] >= _ENOUGH_ITEMS:
                return fitting[1]
            found = _better(found, fitting)
        return found[1] if found else None

    def _from(self, attempt: Attempt, start: int) -> Painted | None:
        found = self._with_fewer_of_main(attempt, start)
        few_keys = (Measures(main=1, items=0, characters=20, keys=keys, start=start) for keys in (10, 1))
        return found or next((painted for measures in few_keys if (painted := attempt(measures))), None)

    def _described(self, painted: Painted, start: int) -> Part:
        count = self._outline.count(self._main) if self._main else 0
        # An item that no view within the limit can show is passed over, lest reading on never ends.
        after = start + max(1, painted.main_shown)
        missing = start > 0 or painted.main_shown < count or bool(painted.cuts) or painted.strings_cut > 0
        return Part(
            kind="json" if painted.text else "nothing",
            body=painted.text,
            characters=len(painted.text),
            complete=bool(painted.text) and not missing,
            what="keys" if self._main_is_object else "items",
            items_shown=painted.main_shown,
            items=count,
            start=start,
            next_start=after if after < count else None,
            remarks=_remarks(painted),
        )


def _remarks(painted: Painted) -> tuple[str, ...]:
    """What is cut besides the main container, told by a few examples."""
    remarks = [f"Also {cut.shown:,} of {cut.total:,} {cut.what} of {cut.path}" for cut in painted.cuts[:_REMARKED]]
    if len(painted.cuts) > _REMARKED:
        remarks.append(f"{len(painted.cuts) - _REMARKED:,} more are cut like these")
    if painted.strings_cut:
        remarks.append(f"Long strings end with {MARK}")
    return tuple(remarks)


def _better(found: tuple[int, Painted] | None, other: tuple[int, Painted] | None) -> tuple[int, Painted] | None:
    return other if other and (not found or other[0] > found[0]) else found


def read_json(text: str, keep: int) -> JsonResult | str:
    """`text` as JSON, or why it is viewed as text: nothing for other text, DEEP for JSON of too many levels."""
    if text.lstrip(" \t\n\r")[:1] not in ("[", "{", '"'):
        return ""
    try:
        return JsonResult(text, keep)
    except NotJson:
        return ""
    except TooDeep:
        return DEEP


def _most(attempt: Callable[[int], Painted | None], least: int, most: int) -> tuple[int, Painted] | None:
    """The largest measure from `least` to `most` that fits, or ALL if even that does."""
    everything = attempt(ALL)
    if everything:
        return ALL, everything
    first = attempt(least)
    if not first:
        return None
    found, below, above = first, least, most + 1
    while above - below > 1:
        middle = (below + above) // 2
        painted = attempt(middle)
        if painted:
            found, below = painted, middle
        else:
            above = middle
    return below, found
