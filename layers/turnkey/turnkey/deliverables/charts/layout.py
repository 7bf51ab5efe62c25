"""Where things go: what is set once, and how much room labels get. Sizes in pixels of a picture that is drawn at twice
its size and mostly seen on a phone, half as large."""

from typing import NamedTuple

from turnkey.deliverables.charts.wrapping import directed, width, wrap

WIDTH = 760
HEIGHT = 460
FONT, TITLE_FONT = 17, 23
COLOR, MUTED = "#0072B2", "#8A8A8A"
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#4D4D4D")
"""Okabe and Ito's colours, which people with any kind of colour vision tell apart."""

_BESIDE = 280
_FRAME = 110
_TURNED = 190
_TWO_LINES, _ONE_LINE, _DENSE = 48, 36, 29
_FEW = 12
_DATA_FONT = 15
_STEPS = (1, 2, 5, 10, 20, 50, 100)
_MONTHS = (1, 2, 3, 6, 12, 24, 60, 120)


class Labels(NamedTuple):
    """`texts`: one a group, lines parted by line feeds, none twice. `shown`: which of them the axis shows."""

    texts: list[str]
    shown: list[str]
    angle: int = 0
    step: int = 0
    room: int = 0


def beside(names: list[str]) -> Labels:
    """Labels of horizontal bars, at their side: two lines each where there are few."""
    lines = 2 if len(names) <= _FEW else 1
    texts = _distinct([_lines(name, _BESIDE / FONT, lines) for name in names])
    step = _TWO_LINES if any("\n" in text for text in texts) else _ONE_LINE if len(names) <= _FEW else _DENSE
    return Labels(texts, texts, step=step, room=round(max(map(_widest, texts)) * FONT))


def below(names: list[str], numbers: list[int] | None, months: bool = False) -> Labels:
    """Labels under columns: level where they fit, on up to three lines, else turned. Periods, whose `numbers` count
    up evenly, are rather named in part than turned: every second, fifth, tenth, or every third or twelfth month."""
    slot = (WIDTH - _FRAME) / len(names)
    level = next((texts for lines in (1, 2, 3) if (texts := _whole(names, (slot - 6) / FONT, lines))), None)
    if level:
        return Labels(level, level)
    if numbers:
        texts = [directed(name) for name in names]
        slots = (max(map(width, names)) * FONT + 16) / slot
        every = next((steps for steps in (_MONTHS if months else _STEPS) if steps >= slots), len(names))
        return Labels(
            texts, [text for text, number in zip(texts, numbers, strict=True) if number % every == 0] or texts[:1]
        )
    texts = _distinct([_lines(name, _TURNED / FONT, 1) for name in names])
    return Labels(texts, texts, angle=-40)


def _whole(names: list[str], room: float, lines: int) -> list[str] | None:
    """The names on so many lines, if none must be cut."""
    wrapped = [wrap(name, room, lines) for name in names]
    if any(
        "".join("".join(parts).split()) != "".join(name.split()) for parts, name in zip(wrapped, names, strict=True)
    ):
        return None
    if any(width(word) > room for name in names for word in name.split() if word.isascii()):
        return None
    return ["\n".join(directed(part) for part in parts) for parts in wrapped]


def title_lines(text: str) -> list[str]:
    return [directed(line) for line in wrap(text, (WIDTH - 40) / TITLE_FONT, 3)]


def axis_lines(text: str) -> list[str]:
    return [directed(line) for line in wrap(text, HEIGHT * 0.75 / FONT, 2)]


def headroom(texts: list[str], taken: int) -> float:
    """By what the longest bar must stay short of the plot's width, for its figure to stand beside it."""
    plot = WIDTH - taken - _FRAME / 2
    return plot / max(plot - max(map(width, texts), default=0) * _DATA_FONT - 14, plot / 3)


def fits_above(texts: list[str], line: bool) -> bool:
    """Whether figures fit above columns, or above a line's points without lying on the line."""
    slot = (WIDTH - _FRAME) / max(1, len(texts))
    return max(map(width, texts), default=0) * _DATA_FONT <= slot and not (line and len(texts) > _FEW)


def _lines(name: str, room: float, lines: int) -> str:
    return "\n".join(directed(line) for line in wrap(name, room, lines))


def _widest(text: str) -> float:
    return max(width(line) for line in text.split("\n"))


def _distinct(texts: list[str]) -> list[str]:
    """Names that are alike once cut are numbered: to the chart, a label is the group."""
    return [text if texts.index(text) == place else f"{text} ({texts[: place + 1].count(text)})"
            for place, text in enumerate(texts)]  # fmt: skip
