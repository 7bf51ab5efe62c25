"""What came of looking for a value in the customer's own words."""

from typing import Literal

from turnkey.values import Value

Why = Literal["not_said", "invalid", "other_number", "too_long", "empty"]
"""not_said: it does not stand in the customer's messages. other_number: they said it is an order's, an invoice's …"""


class Refused(Value):
    """A value that is not kept."""

    why: Why
