"""The steps to what is asked for: mostly one call; two where the one that is meant needs an id, or data, first.

The first step's directive is complete when the turn opens. Each following one is completed from the result before it.
"""

from typing import Annotated, Literal

from pydantic import Field

from turnkey.reading.directive import Directive
from turnkey.reading.facts import Facts
from turnkey.tools import JsonObject
from turnkey.values import Value


class Linked(Value):
    """A call that needs an id from the list before it: `argument` takes the value of `field` of the one row that fits
    the subject."""

    kind: Literal["linked"] = "linked"
    tool: str
    arguments: JsonObject
    argument: str
    field: str
    missing: tuple[str, ...] = ()


class Drawn(Value):
    """A chart of the list before it. `words`: what the customer said of how to group it."""

    kind: Literal["drawn"] = "drawn"
    words: str


Following = Annotated[Linked | Drawn, Field(discriminator="kind")]


class Plan(Value):
    """What is asked for, and how it is brought about. `goal` is the tool whose result is due."""

    facts: Facts
    directive: Directive
    following: Following | None = None
    goal: str
    title: str = Field(default="", description="the goal's title, for people")
    read_only: bool = Field(default=False, description="nothing in it acts: the platform may make its calls itself")
    in_so_many_words: bool = Field(
        default=False, description="the customer asked for just this, so the platform may make the call, though it acts"
    )
    message: str = Field(description="the customer's words, to tell one row from another by")
    shown: tuple[str, ...] = Field(default=(), description="ids already shown, left out when others are wanted")
