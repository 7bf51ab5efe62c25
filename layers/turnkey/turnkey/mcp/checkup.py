"""From what a server answered, or how it failed, to its health. Plain."""

from collections.abc import Iterator
from datetime import datetime

from turnkey.mcp.catalogue import set_aside
from turnkey.mcp.differences import visible
from turnkey.mcp.failures import Failure, FailureKind
from turnkey.mcp.health import Health, Status
from turnkey.mcp.registration import Registration
from turnkey.mcp.trust import held
from turnkey.values import Value

SLOW_SECONDS = 5.0
"""For connecting and answer. A turn that meets such a server waits long for a first call."""
MOST_NAMES = 10
"""Told in words; the rest is counted."""
_STATUSES: dict[FailureKind, Status] = {"AuthFailed": "auth_failed", "RateLimited": "degraded"}
"""A server that asks to be left alone is there; any other failure leaves nothing that a turn could use."""


class Answer(Value):
    """How a server listed its tools, beside the tools themselves."""

    milliseconds: int
    warnings: tuple[str, ...] = ()
    """What is wrong with the list, in words."""
    cut: bool = False
    """Left before its end."""
    vanished: int = 0
    """Tools that there were before, where none was listed now; they are kept."""


def answered(registration: Registration, answer: Answer, now: datetime) -> Health:
    """Of a server that listed its tools. `registration` is what is kept of them."""
    code = "NoTools" if answer.vanished or not registration.tools else "ListCut" if answer.cut else ""
    health = Health(
        name=registration.name,
        status="ok",
        error=code,
        notes=tuple(_notes(registration, answer)),
        milliseconds=answer.milliseconds,
        checked_at=now,
    )
    return approved(health, registration)


def failed(registration: Registration, failure: Failure, milliseconds: int, now: datetime) -> Health:
    """Of a server that could not be used. Its tools stay: a turn may still try."""
    return Health(
        name=registration.name,
        status=_STATUSES.get(failure.kind, "unreachable"),
        error=failure.kind,
        http_status=failure.http_status,
        problem=failure.message,
        notes=(failure.message,),
        held=_held(registration),
        milliseconds=milliseconds,
        checked_at=now,
    )


def approved(health: Health, registration: Registration) -> Health:
    """The same health once other tools are held: after an approval. A failure is still one."""
    waiting = _held(registration)
    if health.status in ("unreachable", "auth_failed") or health.error == "RateLimited":
        return health.model_copy(update={"held": waiting})
    status: Status = "changed" if waiting else "degraded" if health.notes else "ok"
    words = (*(_waiting(waiting) if waiting else ()), *health.notes)
    return health.model_copy(update={"held": waiting, "status": status, "problem": "; ".join(words)})


def _held(registration: Registration) -> tuple[str, ...]:
    return tuple(tool.name for tool in held(registration))


def _notes(registration: Registration, answer: Answer) -> Iterator[str]:
    if answer.milliseconds > SLOW_SECONDS * 1000:
        yield f"it took {answer.milliseconds / 1000:.1f} s to list its tools: make it faster"
    aside = [name for name in set_aside(registration) if registration.allows(name)]
    if aside:
        yield f"no model can be shown {names(aside)}: its arguments must be an object's properties"
    yield from answer.warnings[:MOST_NAMES]
    if answer.vanished:
        yield f"it lists no tools; the {answer.vanished} that it had are still tried until it is asked again"
    elif not registration.tools:
        yield "it lists no tools"


def _waiting(waiting: tuple[str, ...]) -> tuple[str, ...]:
    return (f"{names(waiting)} new or changed: look at it (turnkey servers --held), then turnkey approve",)


def names(given: tuple[str, ...] | list[str]) -> str:
    """Such as "a, b and 3 more"; a server chose them, so what would not be seen is written out."""
    shown = visible(", ".join(given[:MOST_NAMES]))
    return f"{shown} and {len(given) - MOST_NAMES} more" if len(given) > MOST_NAMES else shown
