"""Taking what was found out of a text, so that it is not found again as something else."""

from collections.abc import Iterable

ALONE = r"(?<!\d)(?<!\d[.,:/-])"
"""In front of a figure: no other figure that it belongs to. A comma alone may be a clause's."""


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with blanks in place of these spans, which come in order; places stay the same."""
    parts: list[str] = []
    place = 0
    for start, end in spans:
        parts += [text[place:start], " " * (end - start)]
        place = end
    return "".join((*parts, text[place:]))
