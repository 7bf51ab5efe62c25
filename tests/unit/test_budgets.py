"""Two budgets for results: each, and all of a turn."""

import json

from turnkey.loop.budgets import RESULT_TOKENS, TURN_TOKENS, allot

RESULT = json.dumps([{"id": i, "title": f"Book {i}"} for i in range(2000)])


def test_a_result_keeps_to_its_own_budget() -> None:
    seen = allot(0, RESULT, 300, 5000, "r1")
    assert 200 < seen.tokens <= 300
    assert "handle r1" in seen.text


def test_a_result_keeps_to_what_is_left_of_the_turn() -> None:
    assert allot(4700, RESULT, 1000, 5000, "r1").tokens <= 300


def test_a_spent_turn_shows_a_placeholder_that_says_how_to_read_it() -> None:
    for used in (4950, 5000, 9000):
        seen = allot(used, RESULT, 1000, 5000, "r17")
        assert (seen.kind, seen.partial, seen.items_shown) == ("nothing", True, 0)
        assert f"0 of {len(RESULT):,} characters shown. No room is left" in seen.text
        assert "read_more, handle r17" in seen.text
        assert "do not invent" in seen.text
        assert seen.tokens < 80


def test_a_result_no_longer_than_the_placeholder_is_shown_all_the_same() -> None:
    assert allot(9000, '{"booked":true}', 1000, 5000, "r2").text == '{"booked":true}'


def test_a_turn_of_many_results_stays_near_its_budget() -> None:
    used = 0
    for number in range(40):
        used += allot(used, RESULT, RESULT_TOKENS, TURN_TOKENS, f"r{number}").tokens
    assert used <= TURN_TOKENS + 40 * 80
