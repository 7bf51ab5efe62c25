"""What is played, and which functions die in it."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Scenario:
    """One conversation.

    `second` is when the customer writes a second message: while the loop gets its last answer, so that it joins the
    turn, or while the reply is written, so that it opens the next. `functions` are those that are killed, from the
    second message on where there is one.
    """

    name: str
    functions: tuple[str, ...]
    second: Literal["never", "joins", "follows"] = "never"
    model_is_down: bool = False
    bookings: int = 1
    charts: bool = False
    """The customer wants a chart of a bookshop's books, and is a customer of that shop."""

    @property
    def connection(self) -> str:
        return "books" if self.charts else "web"

    @property
    def messages(self) -> int:
        return 1 if self.second == "never" else 2


BOOKING = Scenario("a booking in three rounds", ("Webhook", "Route", "ToolLoop", "Compose", "Deliver"))
JOINING = Scenario("a message that joins the turn", ("Webhook", "Compose"), second="joins")
CHARTING = Scenario(
    "a chart in two steps", ("Route", "ToolLoop", "Draw", "Compose", "Deliver"), bookings=0, charts=True
)
FOLLOWING = Scenario("a message that opens the next turn", ("Route", "Compose", "Deliver"), second="follows")
APOLOGY = Scenario("a model that is down", ("Apologise",), model_is_down=True, bookings=0)
ALL = (BOOKING, JOINING, CHARTING, FOLLOWING, APOLOGY)
