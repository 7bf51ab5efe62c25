"""What the model sees of a tool's result. A view that is partial says so, how much is missing, and not to invent it."""

from turnkey.values import Value


class View(Value):
    text: str
    characters: int
    """Size of the whole result."""
    partial: bool


def view(result: str, limit: int) -> View:
    """The result whole if it has at most `limit` characters; otherwise its beginning up to a line or word end, and a
    notice. The text never exceeds the limit by more than the notice."""
    if len(result) <= limit:
        return View(text=result, characters=len(result), partial=False)
    shown = _cut(result, limit)
    notice = (
        f"\n[PARTIAL: the first {len(shown):,} of {len(result):,} characters are shown. "
        "The rest exists but is not visible here: do not invent it, and say that there is more.]"
    )
    return View(text=shown + notice, characters=len(result), partial=True)


def _cut(text: str, limit: int) -> str:
    """At the last line, item or word end before the limit, so that no number or key is halved."""
    head = text[:limit]
    for mark in ("\n", "},", "],", ",", " "):
        place = head.rfind(mark, limit // 2)
        if place > 0:
            return head[: place + len(mark)]
    return head
