"""A model that repeats itself is stopped; one that only lists is not."""

import time
from types import SimpleNamespace
from typing import Any

import pytest

from turnkey.errors import ModelAnswerInvalid
from turnkey.loop.repetition import repeated_from
from turnkey.models.streaming import Gathered, gather_completion


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (
            "Hello! I sell books. " + "I'm a product of the library. " * 10,
            "Hello! I sell books. I'm a product of the library.",
        ),
        ("Moby Dick is a " + "classic, " * 40, "Moby Dick is a classic, "),
        ("我们有很多书。" * 40, "我们有很多书。"),
        ("a" * 400, "a"),
        ("The same long sentence, with many words in it, and then some more of them.\n" * 5, None),
    ],
)
def test_a_loop_is_found_and_its_first_round_is_kept(text: str, kept: str | None) -> None:
    place = repeated_from(text)
    assert place is not None
    assert text[:place].strip() == (kept or text.split("\n")[0]).strip()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello!",
        "- In stock\n- In stock\n- In stock\n",
        "| a | b |\n|---|---|\n" + "".join(f"| {n} | {n * n} |\n" for n in range(40)),
        "-" * 200,
        " ".join(str(n) for n in range(300)),
        "la la la la la, sang the bird, la la la la la.",
        "".join(f"{n}. A book about whales, 12.90 EUR\n" for n in range(1, 30)),
    ],
)
def test_a_list_a_table_and_a_refrain_are_no_loop(text: str) -> None:
    assert repeated_from(text) is None


def test_a_look_costs_the_same_however_long_the_text_is() -> None:
    def cost(text: str) -> float:
        started = time.perf_counter()
        for _ in range(20):
            repeated_from(text)
        return time.perf_counter() - started

    words = " ".join(f"word{number * 7919 % 1000}" for number in range(300))
    assert cost(words * 200) < 5 * cost(words)


def chunk(**delta: Any) -> Any:
    return SimpleNamespace(usage=None, choices=[SimpleNamespace(delta=SimpleNamespace(**delta), finish_reason=None)])


def test_reading_stops_while_the_model_still_repeats_itself() -> None:
    gathered = Gathered()
    read = 0
    for read in range(10_000):  # noqa: B007
        if not gathered.add(chunk(content="I am a book. ")):
            break
    answer = gathered.answer(0)
    assert read < 50
    assert (answer.text, answer.finish_reason) == ("I am a book. ", "repetition")


def test_an_answer_without_end_is_cut_off() -> None:
    gathered = Gathered()
    for number in range(10**6):
        if not gathered.add(chunk(reasoning_content=f"thought {number} " * 50)):
            break
    assert gathered.answer(0).finish_reason == "too_long"


def test_a_call_whose_arguments_were_cut_is_not_made() -> None:
    gathered = Gathered()
    function = SimpleNamespace(name="search", arguments='{"query": "wha')
    gathered.add(chunk(tool_calls=[SimpleNamespace(index=0, function=function)]))
    end = SimpleNamespace(usage=None, choices=[SimpleNamespace(delta=None, finish_reason="length")])
    gathered.add(end)
    assert gathered.answer(0).calls == ()


def test_a_completion_that_was_not_streamed_is_read_too() -> None:
    body = b"""{"choices": [{"message": {"content": null, "tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}]},
        "finish_reason": "tool_calls"}], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}"""
    answer = gather_completion(body).answer(0)
    assert [(call.name, call.arguments) for call in answer.calls] == [("f", '{"a": 1}')]
    assert (answer.prompt_tokens, answer.completion_tokens) == (3, 2)


@pytest.mark.parametrize("body", [b'{"choices": []}', b'{"choices": [{"message": null}]}', b"{}", b'{"choices": null}'])
def test_an_answer_without_a_message_is_invalid(body: bytes) -> None:
    with pytest.raises(ModelAnswerInvalid):
        gather_completion(body).answer(0)
