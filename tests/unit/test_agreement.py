"""What a customer answers to "shall I?": a yes that is none is the costly error."""

import json
import time
from pathlib import Path

import pytest

from turnkey.reading import lexicon
from turnkey.reading.agreeing_words import agreeing, declining
from turnkey.reading.agreement import LONGEST, agreement

ROWS = [json.loads(line) for line in Path("tests/cases/agreement.jsonl").read_text(encoding="utf-8").splitlines()]


def read(row: dict[str, str]) -> str:
    return agreement(row["text"], row["language"], row["verb"])


def test_nothing_but_a_plain_yes_agrees() -> None:
    assert [row for row in ROWS if row["word"] != "yes" and read(row) == "yes"] == []


@pytest.mark.parametrize("language", lexicon.LANGUAGES)
def test_plain_answers_are_understood_in_every_language(language: str) -> None:
    for word in ("yes", "no"):
        rows = [row for row in ROWS if row["language"] == language and row["word"] == word]
        missed = [row["text"] for row in rows if read(row) != word]
        assert len(rows) >= 10
        assert len(missed) <= len(rows) * 0.03, missed


def test_a_yes_with_a_change_is_told_from_other_messages() -> None:
    rows = [row for row in ROWS if row["word"] == "changed"]
    assert sum(read(row) == "changed" for row in rows) >= len(rows) * 0.95


def test_no_ordinary_message_agrees() -> None:
    rows = map(json.loads, Path("tests/cases/gate.jsonl").read_text(encoding="utf-8").splitlines())
    agreeing_ones = {row["message"] for row in rows if agreement(row["message"], row["language"]) == "yes"}
    assert all(len(message.split()) <= 4 for message in agreeing_ones), agreeing_ones


def test_a_word_for_another_deed_does_not_agree() -> None:
    assert agreement("yes, cancel it", "en", "cancel") == "yes"
    assert agreement("yes, cancel it", "en", "hold") != "yes"
    assert agreement("cancel it", "en", "hold") == "no"
    assert agreement("cancel it", "en", "cancel") == "other"
    assert agreement("yes, buy it", "en", "hold") != "yes"


def test_no_phrase_both_agrees_and_declines() -> None:
    for one in lexicon.LANGUAGES:
        for other in lexicon.LANGUAGES:
            shared = agreeing(one, False, "") & declining(other, "")
            assert shared == frozenset(), (one, other)


def test_letters_of_other_scripts_that_look_the_same_do_not_agree() -> None:
    assert agreement("уes", "en") == "other"


def test_what_hides_in_a_yes_is_no_word() -> None:
    assert agreement("\u200fنعم\u200f", "ar") == "yes"
    assert agreement("yes\U000e0041", "en") != "yes"


def test_a_long_text_is_read_in_no_time() -> None:
    begun = time.perf_counter()
    agreement("yes " * (LONGEST // 4), "en")
    usual = time.perf_counter() - begun
    begun = time.perf_counter()
    assert agreement("yes " * 5_000, "en") != "yes"
    assert time.perf_counter() - begun < 20 * usual + 0.5
