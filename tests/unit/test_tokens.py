"""The token estimate, against real counts that are written down (tests/evals/tokens.py makes them)."""

import time

import pytest

from tests.evals.tokens import COVERED, KINDS, LOWEST, ratios, samples
from turnkey.loop import tokens

SAMPLES = samples()
HIGHEST = {"English": 1.35, "Chinese": 2.6, "Russian": 2.1, "Korean": 2.1, "JSON": 2.0}
"""Against the most frugal tokenizer. Chinese, Russian and Korean cost twice as much with one tokenizer as with another."""


@pytest.mark.parametrize("kind", KINDS)
def test_the_estimate_is_never_low_by_more_than_a_tenth_nor_absurdly_high(kind: str) -> None:
    measured = {name: found for (of, name), found in ratios(SAMPLES).items() if of == kind and name in COVERED}
    assert set(measured) == set(COVERED)
    assert {name: min(found) for name, found in measured.items() if min(found) < LOWEST} == {}
    assert {name: max(found) for name, found in measured.items() if max(found) > HIGHEST[kind]} == {}


@pytest.mark.parametrize("text", ["", "a", "\ud800", "\0", "\udfff\ud83d", "\U0010ffff", " " * 5000, "\n\t\r\x0b"])
def test_any_text_has_an_estimate(text: str) -> None:
    assert tokens.estimate(text) >= 0
    assert tokens.fits(text, tokens.estimate(text))


def test_what_fits_is_what_is_estimated() -> None:
    for sample in SAMPLES[::4]:
        cost = tokens.estimate(sample["text"] * 40)
        assert tokens.fits(sample["text"] * 40, cost)
        assert not tokens.fits(sample["text"] * 40, cost - 1)


def test_the_reach_of_a_limit_is_just_within_it() -> None:
    for sample in SAMPLES:
        text = sample["text"]
        head, tail = text[: tokens.reach(text, 0, 100)], text[tokens.reach_back(text, len(text), 100) :]
        assert 90 < tokens.weigh(head) < 106
        assert 90 < tokens.weigh(tail) < 106
    assert tokens.reach("short", 0, 100) == 5
    assert tokens.reach_back("short", 5, 100) == 0


def test_a_megabyte_is_estimated_in_time() -> None:
    for text in ("Some words. " * 90_000, "文" * 340_000, '{"a":1},' * 130_000):
        started = time.perf_counter()
        tokens.estimate(text)
        assert time.perf_counter() - started < 1
