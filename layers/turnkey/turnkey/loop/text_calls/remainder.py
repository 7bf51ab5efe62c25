"""What remains of a text once its cuts are taken out."""

from turnkey.loop.text_calls.values import Cut


def rest(text: str, cuts: list[Cut]) -> str:
    """The text without the cuts. Where one was cut out, the wider of the line breaks around it stays."""
    kept: list[str] = []
    place = 0
    for cut in cuts:
        _append(kept, text[place : cut.start], bool(place))
        if cut.leaves and kept and not kept[-1].endswith("\n"):
            kept.append(cut.leaves)
        place = max(cut.end, place)
    _append(kept, text[place:], bool(cuts))
    return "".join(kept)


def _append(kept: list[str], piece: str, joined: bool) -> None:
    if not piece:
        return
    if joined and kept and piece[0].isspace():
        before = kept[-1]
        gap_before, gap_after = before[len(before.rstrip()) :], piece[: len(piece) - len(piece.lstrip())]
        if gap_before:
            wider = max(gap_before, gap_after, key=lambda gap: (gap.count("\n"), len(gap)))
            kept[-1] = before.rstrip() + wider
            piece = piece.lstrip()
    kept.append(piece)
