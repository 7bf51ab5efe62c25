"""Who asks for a person in so many words gets one; who only speaks of people does not lose the agent."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from turnkey.reading.person_wish import LONGEST, asks_for_person
from turnkey.reply import person_words
from turnkey.reply.checks.wording import LANGUAGES

CASES: list[dict[str, Any]] = [
    json.loads(line) for line in Path("tests/cases/person_wish.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:40])
def test_a_person_is_called_when_one_is_asked_for_and_only_then(case: dict[str, Any]) -> None:
    assert asks_for_person(case["text"]) is case["asks"]


def test_every_language_has_cases_of_both_kinds() -> None:
    counted = Counter((case["language"], case["asks"]) for case in CASES)
    assert all(counted[language, asks] >= 2 for language in LANGUAGES for asks in (True, False))


def test_a_long_story_is_left_to_the_model() -> None:
    story = "I want to talk to a human. " * (LONGEST // 20)
    assert not asks_for_person(story)


@pytest.mark.parametrize("text", ["", "   ", "?", "…", "\n", "a" * 5000, "(" * 600, "want to " * 70])
def test_odd_messages_ask_for_nobody(text: str) -> None:
    assert not asks_for_person(text)


SENTENCES = (person_words.taking_over, person_words.not_reached, person_words.not_passed_on)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_of_people_is_said_in_every_language(language: str) -> None:
    said = [sentence(language) for sentence in SENTENCES]
    assert len(set(said)) == len(said)
    assert all(said)
    if language != "en":
        assert not set(said) & {sentence("en") for sentence in SENTENCES}


def test_a_language_outside_the_twelve_gets_english() -> None:
    assert person_words.taking_over("sw") == person_words.taking_over("en")
    assert person_words.taking_over("zh-Hant") == person_words.taking_over("zh")
