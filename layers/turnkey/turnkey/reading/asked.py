"""All that is known of what a customer asks, for software to work on."""

from datetime import date

from turnkey.deliverables.handed import Handed
from turnkey.reading.facts import Facts
from turnkey.values import Value


class Asked(Value):
    """`customer`: the customer's own messages, newest first, this turn's among them. `handed`: what the last turn
    handed over."""

    message: str
    customer: tuple[str, ...]
    facts: Facts
    language: str = ""
    today: date
    elliptical: bool = False
    claimed: frozenset[str] = frozenset()
    """Shapes of ids that some tool's argument gives an example of: an id of such a shape is meant for that one."""
    said_before: str = ""
    """The agent's last message, with what it showed."""
    handed: Handed | None = None
