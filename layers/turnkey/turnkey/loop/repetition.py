"""A model that repeats itself: found while its answer is still coming in, so that reading can stop."""

TAIL = 2000
"""Characters looked at: a fragment of up to a quarter of this is seen to repeat."""
LEAST_REPEATED = 160
"""Characters the repeats must fill: a refrain or a rule of dashes is not yet a loop."""
LEAST_TIMES = 4
NEAR = 3
LEAST_SIGNS = 600
"""The same for fragments without a letter or digit, which tables and rules are made of."""


def repeated_from(text: str) -> int | None:
    """Where the text begins to repeat itself: the place behind the first of the repeated fragments. None while it does
    not. Linear in TAIL, whatever the text's length."""
    tail = text[-TAIL:]
    length, period = _longest_periodic_end(tail)
    if period == 0 or length < LEAST_TIMES * period:
        return None
    fragment = tail[len(tail) - length :][:period]
    least = LEAST_REPEATED if any(character.isalnum() for character in fragment) else LEAST_SIGNS
    if length < least:
        return None
    place = _start(text, period) + period
    return place + _sentence_end(text[place : place + NEAR])


def _sentence_end(text: str) -> int:
    """Characters up to and with the sign that ends the sentence, if one is that near."""
    return next((place + 1 for place, sign in enumerate(text) if sign in ".!?。！？"), 0)


def _longest_periodic_end(tail: str) -> tuple[int, int]:
    """(length, period) of the end of the text that repeats the most: the prefix function of the reversed text."""
    reversed_tail = tail[::-1]
    borders = [0] * len(reversed_tail)
    best = (0, 0)
    border = 0
    for place in range(1, len(reversed_tail)):
        while border and reversed_tail[place] != reversed_tail[border]:
            border = borders[border - 1]
        border += reversed_tail[place] == reversed_tail[border]
        borders[place] = border
        length, period = place + 1, place + 1 - border
        if length >= LEAST_TIMES * period:
            best = (length, period)
    return best


def _start(text: str, period: int) -> int:
    """Where the run with that period begins, also when it began before the tail."""
    place = len(text) - period
    while place > 0 and text[place - 1] == text[place - 1 + period]:
        place -= 1
    return place
