"""A case that an agent is measured by: a short conversation, and what must come of the customer's last message.

One JSON object a line. A case begins on a server of its own, on `TODAY`: holds and appointments of other cases are not
there. What an earlier turn of the agent has `handed` over is called anew before the turn runs.
"""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from local.cli import CommandError
from turnkey.tools import JsonObject
from turnkey.values import Value

TODAY = dt.date(2026, 4, 20)
"""A Monday: the next Friday but one is a holiday."""

Tenant = Literal["bookshop", "clinic"]
CaseKind = Literal["followup", "items", "count", "chart", "booking", "lookup", "ordinary", "impossible"]
Language = Literal["en", "de", "fr", "es", "pt", "it", "ru", "zh", "ja", "ko", "ar", "tr"]
Wanted = str | int | float | tuple[str, ...]
"""An argument that must be right: a number or text as it is, or several texts of which the given one holds any."""


class HandedCall(Value):
    """A call whose result an earlier turn handed over."""

    tool: str
    arguments: JsonObject = {}


class Message(Value):
    role: Literal["customer", "agent"]
    text: str = Field(min_length=1)
    handed: HandedCall | None = None


class Expect(Value):
    """What must come of the last message; what is left out is not looked at.

    `handed` is `lookup` for a value told in words, counts too; `none` where nothing may be handed over or changed, and
    in an ordinary message nothing called; `honest` where the reply must say that it is not to be had, after `tool`
    found nothing if one is named. Without a `tool` any way to get there is right.
    """

    handed: Literal["items", "chart", "action", "lookup", "none", "honest"]
    tool: str = ""
    arguments: dict[str, Wanted] = {}
    count: int | None = Field(default=None, ge=1, description="how many cards the customer asked for")
    mentions: tuple[str, ...] = Field(default=(), description="all must be in the reply; a|b is either spelling")
    asks: Literal["", "name", "slot", "number"] = Field(default="", description="what the reply must ask for")
    fresh: bool = Field(default=False, description="none of what was handed over before may come again")
    by: str = Field(default="", description="what a chart is to be drawn by, in English: decade, author, price ...")

    def accepts(self, tool: str, arguments: JsonObject) -> bool:
        """Whether this call is the one that was meant."""
        return tool == self.tool and all(_is(wanted, arguments.get(name)) for name, wanted in self.arguments.items())

    def unmentioned(self, reply: str) -> tuple[str, ...]:
        """The mentions that `reply` lacks."""
        folded = reply.casefold()
        return tuple(one for one in self.mentions if not any(text in folded for text in one.casefold().split("|")))


class Case(Value):
    id: str
    tenant: Tenant
    language: Language
    kind: CaseKind
    conversation: tuple[Message, ...] = Field(min_length=1)
    expect: Expect


def read(path: Path) -> Iterator[Case]:
    """The cases of a file. Raises CommandError with the line that is wrong, and what is wrong with it."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield Case.model_validate_json(line)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"]))
            raise CommandError(f"{path}, line {number}: {place}: {first['msg']}") from error


def _is(wanted: Wanted, given: object) -> bool:
    if isinstance(wanted, tuple):
        return isinstance(given, str) and any(text.casefold() in given.casefold() for text in wanted)
    if isinstance(wanted, str):
        return isinstance(given, str) and given.strip().casefold() == wanted.casefold()
    return given == wanted
