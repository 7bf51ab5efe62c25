"""What is asked for, read from the conversation alone."""

from typing import Literal

from pydantic import Field

from turnkey.values import Value

Kind = Literal["items", "chart", "action", "lookup", "answer"]
"""A list of things, a picture of data, something done, one value looked up, or just words."""


class Suspicion(Value):
    """Why a message looks as if a tool were meant: by its words alone, before any model is asked."""

    kinds: tuple[Kind, ...] = Field(description='what it may want, likeliest first; never "answer"')
    strong: bool = Field(description="the words settle it; otherwise it may be an ordinary message")
    elliptical: bool = Field(default=False, description="it leans on what was said before: any others, that one, more")
    fresh: bool = Field(default=False, description="it wants others than those already shown")


class Facts(Value):
    """What the reading step says is asked for."""

    kind: Kind
    subject: str = Field(default="", description='in the conversation\'s own words, with what "that" refers to put in')
    quantity: int | None = None
    constraints: tuple[str, ...] = ()
    fresh: bool = False
