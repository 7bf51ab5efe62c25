"""What an earlier turn handed over, in short: what "the second one" and "others like that" go back to."""

from typing import Any

from pydantic import Field

from turnkey.tools import ToolKind
from turnkey.values import Value


class HandedItem(Value):
    title: str
    subtitle: str = ""
    price: str = ""
    keys: dict[str, str] = Field(default={}, description="ids by field, such as book_id")

    @property
    def line(self) -> str:
        """Such as: Emma – Jane Austen, 8.90 EUR"""
        described = ", ".join(part for part in (self.subtitle, self.price) if part)
        return f"{self.title} – {described}" if described else self.title


class Handed(Value):
    """`arguments` are those of the call that brought it."""

    tool: str
    kind: ToolKind
    arguments: dict[str, Any] = {}
    items: tuple[HandedItem, ...] = ()
    total: int = 0
