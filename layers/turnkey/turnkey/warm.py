"""What a process keeps between runs, bounded. Keys begin with the tenant wherever what is kept is a tenant's."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Kept = TypeVar("Kept")


class Warm(Generic[Key, Kept]):
    """The things used last, as many as `most` allows, each weighing what `weigh` says."""

    def __init__(self, most: int, weigh: Callable[[Kept], int] = lambda _: 1) -> None:
        self._most = most
        self._weigh = weigh
        self._kept: OrderedDict[Key, Kept] = OrderedDict()
        self._weight = 0
        self._lock = Lock()

    def get(self, key: Key) -> Kept | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: Key, value: Kept) -> Kept:
        """The value itself. One that alone weighs too much is not kept, and costs no other its place."""
        with self._lock:
            if self._weigh(value) > self._most:
                return value
            if key in self._kept:
                self._weight -= self._weigh(self._kept.pop(key))
            self._kept[key] = value
            self._weight += self._weigh(value)
            while self._weight > self._most:
                self._weight -= self._weigh(self._kept.popitem(last=False)[1])
        return value
