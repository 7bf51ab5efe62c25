"""What only the end of the answer decides: open reasoning, fences, and a last call that may be cut off."""

from turnkey.loop.text_calls.values import Cut


def settled(content: str, cuts: list[Cut], finish_reason: str) -> list[Cut]:
    """The cuts that count, with the calls that may be made."""
    cuts = _without_middle_fences(content, cuts)
    opened = next((number for number, cut in enumerate(cuts) if cut.kind == "open reasoning"), None)
    if opened is not None:
        cuts = [*cuts[:opened], *_in_open_reasoning(content, cuts[opened:])]
    return _without_cut_off(content, cuts) if finish_reason == "length" else cuts


def _without_cut_off(content: str, cuts: list[Cut]) -> list[Cut]:
    """The last calls are not made if the answer ends with them and no end mark proves them complete."""
    end = len(content)
    for number in range(len(cuts) - 1, -1, -1):
        cut = cuts[number]
        if cut.proven or content[cut.end : end].strip():
            break
        cuts[number] = cut._replace(calls=())
        end = cut.start
    return cuts


def _without_middle_fences(content: str, cuts: list[Cut]) -> list[Cut]:
    """Fences count at the end of the answer only; before that they are text."""
    kept: list[Cut] = []
    end = len(content)
    at_end = True
    for cut in reversed(cuts):
        at_end = at_end and cut.kind in ("fence", "noise") and not content[cut.end : end].strip()
        if at_end or cut.kind != "fence":
            kept.append(cut)
        end = cut.start
    return kept[::-1]


def _in_open_reasoning(content: str, cuts: list[Cut]) -> list[Cut]:
    """Reasoning that is never closed is hidden; only calls that end the answer are made."""
    made: list[Cut] = []
    end = len(content)
    for cut in reversed(cuts[1:]):
        if content[cut.end : end].strip() or cut.kind not in ("calls", "noise", "fence"):
            break
        made.append(cut)
        end = cut.start
    return [Cut(cuts[0].start, end, "reasoning"), *made[::-1]]
