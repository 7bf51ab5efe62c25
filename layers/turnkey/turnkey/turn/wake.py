"""A schedule is due: its message goes into the conversation's inbox, once, and a turn of its own answers it."""

from datetime import datetime
from typing import Literal

from turnkey import ids
from turnkey.store.stores import Stores
from turnkey.turn.receive import Executions
from turnkey.values import Value

Outcome = Literal["woken", "repeated", "held", "gone"]


class Wake(Value):
    """What the schedule's target is given: ids alone."""

    tenant: ids.Name
    schedule: str


class Waker:
    def __init__(self, stores: Stores, executions: Executions) -> None:
        self._stores = stores
        self._executions = executions

    def wake(self, wake: Wake, now: datetime) -> Outcome:
        """Called twice for the same schedule, it does the same as once."""
        raise NotImplementedError
