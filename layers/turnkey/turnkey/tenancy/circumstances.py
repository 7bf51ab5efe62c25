"""What a request to provision comes with, beside itself."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Circumstances:
    """`request_id` is that of the function's run; `remaining` gives the seconds until it is ended from outside."""

    request_id: str
    now: datetime
    remaining: Callable[[], float]
