"""The customer's time zone."""

from functools import cache
from zoneinfo import available_timezones


@cache
def _names() -> frozenset[str]:
    return frozenset(available_timezones())


def is_zone(name: str) -> bool:
    """Whether it is an IANA time zone that this machine knows."""
    return name in _names()


def zone_of(*, wished: str = "", sender: str = "", conversation: str = "", tenant_zone: str) -> str:
    """The customer's zone, an IANA name: the one they wished for (`wished`, from `wish`, kept by the caller), else that of
    the phone number that `sender` or `conversation` is (with its country code, as WhatsApp's ids are), else the tenant's;
    "UTC" where the tenant's is none."""
    if is_zone(wished):
        return wished
    return tenant_zone if is_zone(tenant_zone) else "UTC"
