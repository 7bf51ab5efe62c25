"""For which tenant this run acts. Whatever is read or written meanwhile goes with that tenant's credentials."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

_tenant: ContextVar[str] = ContextVar("acting for", default="")


@contextmanager
def acting_for(tenant: str) -> Generator[None]:
    """For its duration, also in tasks and threads that asyncio starts meanwhile."""
    token = _tenant.set(tenant)
    try:
        yield
    finally:
        _tenant.reset(token)


def tenant_acted_for() -> str:
    """The tenant's id; empty where the platform acts for itself."""
    return _tenant.get()
