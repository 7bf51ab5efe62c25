"""Where a text may be cut: after a sentence or a line, else after a word, never within a number."""

import re

# A full stop ends a sentence only before a space: not in 3.5, not in a.b.
_SENTENCE_END = re.compile(r"""[.!?…]["'”’»)\]]*(?=\s)|[。！？；][”’」』）]*|\n""")
_SCRIPTS_WITHOUT_SPACES = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
)
_GROUPED = re.compile(r"\d{1,3}[ \u00a0\u2009\u202f]\d{3}(?!\d)")
_THOUSANDS = re.compile(r"\d{3}(?!\d)")
_WINDOW = 2000
"""How far a place is looked for; longer words are cut."""


def cut_before(text: str, start: int, end: int) -> int:
    """The best place in `start < place <= end` to stop showing `text[start:]`; `start` where there is none."""
    if end >= len(text):
        return len(text)
    ends = [found.end() for found in _SENTENCE_END.finditer(text, start + (end - start) // 2, min(end + 1, len(text)))]
    fitting = [place for place in ends if place <= end]
    if fitting:
        return fitting[-1]
    for suits in (_between_words, _by_space, _beside_no_digit, _after_comma):
        place = next((place for place in range(end, max(start, end - _WINDOW), -1) if suits(text, place)), start)
        if place > start:
            return place
    return start


def cut_after(text: str, start: int) -> int:
    """The best place at or after `start` to go on showing text to its end: where a line, sentence or word begins."""
    if start <= 0:
        return 0
    reach = min(len(text), start + max(1, min(_WINDOW, (len(text) - start) // 2)))
    found = _SENTENCE_END.search(text, start - 1, reach)
    if found:
        return found.end() + len(text[found.end() : reach]) - len(text[found.end() : reach].lstrip(" "))
    for suits in (_between_words, _beside_no_digit, _after_comma):
        for place in range(start, reach):
            if suits(text, place) and not text[place].isspace():
                return place
    return len(text)


def whole_number(text: str, start: int) -> int:
    """`start`, or the first place after it that does not stand within a number."""
    start = min(start, len(text))
    while 0 < start < len(text) and not (_between_words(text, start) or _beside_no_digit(text, start)):
        start += 1
    return start


def _between_words(text: str, place: int) -> bool:
    if _by_space(text, place):
        return not _within_group(text, place)
    before, after = text[place - 1], text[place : place + 1]
    alone = _SCRIPTS_WITHOUT_SPACES
    return (alone.match(before) or alone.match(after)) is not None and _beside_no_digit(text, place)


def _within_group(text: str, place: int) -> bool:
    """Whether a space at `place` parts thousands: "1 234 567" is one number in many languages."""
    return any(found.start() < place < found.end() for found in _GROUPED.finditer(text, max(0, place - 5), place + 5))


def _by_space(text: str, place: int) -> bool:
    return text[place - 1].isspace() or (text[place : place + 1] or " ").isspace()


def _beside_no_digit(text: str, place: int) -> bool:
    before, after = text[place - 1], text[place : place + 1]
    return before != "\\" and not before.isnumeric() and not after.isnumeric()


def _after_comma(text: str, place: int) -> bool:
    return text[place - 1] in ",;|" and _THOUSANDS.match(text, place) is None
