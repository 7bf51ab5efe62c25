"""What a customer's words about a time come to: a moment, or why they name none."""

from datetime import datetime
from typing import Literal

from pydantic import AwareDatetime

from turnkey.values import Value

Assumed = Literal["time", "day", "half", "year", "gap", "fold"]
"""What the words left open and a rule filled in; tell the customer what was taken.
time: no clock time said; day: no day, or only a week, weekend or month; half: "at three" is 15:00; year: the date is
over this year, so next year's; gap: the clocks skip that time, the next one that exists; fold: it comes twice, the
first."""

Why = Literal["no_time", "ambiguous", "past", "too_far", "recurring"]


class Moment(Value):
    """One moment ahead. `at` is in `zone`, to the minute where a clock time was said; `zone` is an IANA name."""

    kind: Literal["moment"] = "moment"
    at: AwareDatetime
    zone: str
    assumed: tuple[Assumed, ...] = ()


class Unclear(Value):
    """No moment, and why: no_time (no time in the words, or only today), ambiguous (`options`: what they may mean,
    soonest first, each in the customer's zone), past, too_far (further than FURTHEST_YEARS), recurring (again and
    again: only one time can be kept). `hint` says in English, for the model, what to ask or tell the customer."""

    kind: Literal["unclear"] = "unclear"
    why: Why
    options: tuple[datetime, ...] = ()
    hint: str
