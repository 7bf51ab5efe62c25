"""Times on the wall of a zone, and the moments that they are."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from turnkey.moments.values import Assumed

_MINUTE = timedelta(minutes=1)
_LONGEST_GAP = 24 * 60


def on_the_wall(wall: datetime, zone: ZoneInfo) -> tuple[datetime, tuple[Assumed, ...]]:
    """The moment when clocks of the zone show that time (no zone of its own). A time that they skip becomes the next
    one that they show; of one that they show twice it is the first."""
    if not shown(wall, zone):
        later = (wall + _MINUTE * step for step in range(1, _LONGEST_GAP + 1))
        return next(one for one in later if shown(one, zone)).replace(tzinfo=zone), ("gap",)
    first = wall.replace(tzinfo=zone)
    return first, ("fold",) if first.utcoffset() != first.replace(fold=1).utcoffset() else ()


def shown(wall: datetime, zone: ZoneInfo) -> bool:
    """Whether clocks of the zone ever show that time."""
    return wall.replace(tzinfo=zone).astimezone(UTC).astimezone(zone).replace(tzinfo=None) == wall
