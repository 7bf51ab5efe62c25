"""What a tenant has, kind by kind, and how each goes: beside its conversations."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from turnkey import ids
from turnkey.store import deletions, locks
from turnkey.store.alarms import AlarmStore
from turnkey.store.erasing import Eraser, TimeLeft
from turnkey.store.schedules import ScheduleStore
from turnkey.store.secrets import SecretStore, tenant_secret_name

_OURS = (locks.SORT_KEY, deletions.SORT_KEY)
"""Rows by which a deletion holds itself together; they go with its end."""


@dataclass(frozen=True)
class Kind:
    """One kind of what a tenant has, each function called with the tenant's id. `erase` stops when its time is over
    and returns how many went; `left` reads how many there are."""

    name: str
    erase: Callable[[str, TimeLeft], int]
    left: Callable[[str], int]


def partitions(eraser: Eraser) -> Iterator[Kind]:
    """What stands in partitions of its own, beside conversations."""
    for name in ids.PARTITIONS:
        yield _partition(eraser, eraser.conversations, name, but=_OURS if name == ids.LOCKS else ())
    yield _partition(eraser, eraser.tenants, ids.MANIFEST)


def _partition(eraser: Eraser, table: str, name: str, *, but: tuple[str, ...] = ()) -> Kind:
    def erase(tenant: str, go_on: TimeLeft) -> int:
        return eraser.erase(table, ids.partition(tenant, name), go_on, but=but)

    def left(tenant: str) -> int:
        return eraser.count(table, ids.partition(tenant, name), but=but)

    return Kind(name.lower(), erase, left)


def settings(eraser: Eraser) -> Kind:
    """All of them but the tenant's own row, which goes with the end."""

    def but(tenant: str) -> tuple[str, ...]:
        return (f"TENANT#{tenant}",)

    return Kind(
        "settings",
        lambda tenant, go_on: eraser.erase(eraser.tenants, ids.tenant_key(tenant), go_on, but=but(tenant)),
        lambda tenant: eraser.count(eraser.tenants, ids.tenant_key(tenant), but=but(tenant)),
    )


def objects(eraser: Eraser) -> Kind:
    return Kind("objects", eraser.erase_objects, eraser.count_objects)


def alarms(store: AlarmStore, schedules: ScheduleStore) -> Kind:
    """What would wake the platform for its schedules. Their rows, by which they are known, go after them."""

    def erase(tenant: str, go_on: TimeLeft) -> int:
        erased = 0
        for key in schedules.keys(tenant):
            if not go_on():
                break
            erased += store.delete(tenant, key)
        return erased

    return Kind("alarms", erase, lambda tenant: len(schedules.keys(tenant)))


def secrets(store: SecretStore, known: Callable[[str], Iterable[str]]) -> Kind:
    """`known` are the names that the tenant's rows have. Secrets Manager lists the others, minutes late."""

    def names(tenant: str) -> list[str]:
        listed = store.names(tenant_secret_name(tenant, ""))
        return [name for name in sorted({*known(tenant), *listed}) if store.find(name) is not None]

    def erase(tenant: str, go_on: TimeLeft) -> int:
        erased = 0
        for name in names(tenant):
            if not go_on():
                break
            store.delete(name)
            erased += 1
        return erased

    return Kind("secrets", erase, lambda tenant: len(names(tenant)))
