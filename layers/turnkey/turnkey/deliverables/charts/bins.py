"""Ranges with readable edges that many different numbers are put into."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from math import ceil, floor, log10

_BINS = 8
_STEPS = (1, 2, 5, 10)
_MOST = 12
_CROWDED = 0.7
"""Share of all numbers in one range from which on ranges that grow tell more than equal ones."""
_LOW_SHARE = 0.05


def edges(numbers: Sequence[float], whole: bool) -> tuple[float, ...]:
    """The edges of ranges that hold all of `numbers`, at least two of them. A range begins at its edge and ends before
    the next; the last one holds its end too, unless the numbers are `whole`."""
    equal = _equal(min(numbers), max(numbers), whole)
    counts = Counter(place(number, equal) for number in numbers)
    if min(numbers) < 0 or max(counts.values()) < _CROWDED * len(numbers):
        return equal
    return _growing(sorted(numbers), whole) or equal


def place(number: float, limits: Sequence[float]) -> int:
    """Which range the number is in."""
    return min(bisect_right(limits, number) - 1, len(limits) - 2)


def _equal(low: float, high: float, whole: bool) -> tuple[float, ...]:
    step = max(nice((high - low) / _BINS), 1.0 if whole else 0.0)
    first = floor(low / step)
    last = max(floor(high / step) + 1 if whole else ceil(round(high / step, 9)), first + 1)
    return tuple(rounded(step * number) for number in range(first, last + 1))


def nice(step: float) -> float:
    """The next larger of 1, 2, 5, 10, 20 …"""
    if step <= 0:
        return 1.0
    power = 10.0 ** floor(log10(step))
    return next(rounded(factor * power) for factor in _STEPS if factor * power >= step * (1 - 1e-9))


def _growing(numbers: Sequence[float], whole: bool) -> tuple[float, ...]:
    """0 and then 1, 2, 5, 10, 20 … from the low numbers to past the highest; only powers of ten where that is many."""
    low = numbers[int(len(numbers) * _LOW_SHARE)] or next((number for number in numbers if number > 0), 1.0)
    powers = range(floor(log10(low)), floor(log10(max(numbers[-1], low))) + 2)
    for factors in ((1, 2, 5), (1, 3), (1,)):
        steps = [rounded(factor * 10.0**power) for power in powers for factor in factors]
        inner = [step for step in steps if step > low and (not whole or step >= 1)]
        reach = next((count for count, step in enumerate(inner, start=1) if step > numbers[-1]), len(inner))
        if 1 < reach <= _MOST:
            return (0.0, *inner[:reach])
    return ()


def rounded(number: float) -> float:
    return float(f"{number:.12g}")
