"""What a view is, and what it says of itself: how much of how much is shown, how to read on, and not to invent."""

from typing import Literal, NamedTuple

from turnkey.values import Value


class View(Value):
    """What the model sees of a result. `text` is the result itself, byte for byte, unless it did not fit."""

    text: str
    characters: int
    """Size of the whole result."""
    tokens: int
    """Estimated cost of `text`."""
    partial: bool
    """Something is missing, and `text` says so. False with a text other than the result: only JSON's white space is."""
    kind: Literal["whole", "json", "table", "text", "nothing"]
    items_shown: int = 0
    """Items, members or rows shown of the result's main array, object or table; 0 of 0 for text."""
    items: int = 0
    start: int = 0
    """Where the view starts: an item's number for JSON and tables, a character's for text."""
    next_start: int | None = None
    """What `start` shows what follows; None where nothing follows."""


class Part(NamedTuple):
    """A piece of a result before its notice is added."""

    kind: Literal["json", "table", "text", "nothing"]
    body: str
    characters: int = 0
    """Of the result, shown in `body`."""
    complete: bool = False
    what: str = "items"
    items_shown: int = 0
    items: int = 0
    start: int = 0
    next_start: int | None = None
    remarks: tuple[str, ...] = ()


NOTHING = Part("nothing", "")


def notice(part: Part, characters: int, handle: str) -> str:
    """The notice for `part` of a result of `characters`; `handle` is what read_more takes, empty where there is none.

    It does not look like a call: a call quoted from a result is never made.
    """
    items = f"{part.items_shown:,} of {part.items:,} {part.what}, " if part.items else ""
    start = f" from {part.start:,} on" if part.start else ""
    shown = f"[PARTIAL: {items}{min(part.characters, characters):,} of {characters:,} characters shown{start}."
    remarks = "".join(f" {remark}." for remark in part.remarks)
    return f"{shown}{remarks}{_further(part, handle)} The rest exists but is not visible here: do not invent it.]"


def _further(part: Part, handle: str) -> str:
    if part.next_start is not None:
        return f" Next start: {part.next_start:,}{f' (read_more, handle {handle})' if handle else ''}."
    return f" Handle: {handle}." if handle else ""
