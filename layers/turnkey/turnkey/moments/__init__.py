"""When: moments ahead in customers' words, in twelve languages and the customer's time zone. Plain rules and data."""

from turnkey.moments.known import is_zone
from turnkey.moments.reading import FURTHEST_YEARS, read
from turnkey.moments.telling import told
from turnkey.moments.values import Moment, Unclear
from turnkey.moments.wishes import wish
from turnkey.moments.zones import zone_of

__all__ = ["FURTHEST_YEARS", "Moment", "Unclear", "is_zone", "read", "told", "wish", "zone_of"]
