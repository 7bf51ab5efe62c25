"""The customer's time zone."""

from turnkey.moments.known import is_zone
from turnkey.moments.phones import zone_of_number


def zone_of(*, wished: str = "", sender: str = "", conversation: str = "", tenant_zone: str) -> str:
    """The customer's zone, an IANA name.

    `wished` (from `wish`, kept by the caller) beats the telephone number that `sender` or `conversation` is, with its
    country code, as WhatsApp's ids are; that beats the tenant's. A number of a country with several zones is in the
    tenant's zone if that is one of them, else in the one where most people live. "UTC" where the tenant's is none.
    """
    home = tenant_zone if is_zone(tenant_zone) else "UTC"
    if is_zone(wished):
        return wished
    return next((zone for one in (sender, conversation) if (zone := zone_of_number(one, home))), home)
