"""Calls written as text: what is one, what is not, and what is left for a reader."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.evals import text_calls
from tests.evals.hostile import SIZE, TOOLS, texts
from tests.evals.hostile import seconds as recovery_seconds
from tests.evals.text_calls import Shown
from turnkey.loop.text_calls import Recovered, TextCall, recover
from turnkey.loop.text_calls.scan import scan
from turnkey.loop.text_calls.source import Source
from turnkey.tools import Tool, Toolset

CASES = Path("tests/cases")
WEATHER = TextCall(name="get_weather", arguments={"city": "Oslo"})
CALL = '{"name": "get_weather", "arguments": {"city": "Oslo"}}'
MARKED = f"<tool_call>{CALL}</tool_call>"


@pytest.mark.parametrize("file", ["text_calls.jsonl", "text_calls_more.jsonl"])
def test_every_case_is_read_as_it_is_meant(file: str) -> None:
    found = text_calls.cases(CASES / file)
    assert found
    assert list(text_calls.failures(found)) == []


def test_a_toolset_is_taken_as_it_is() -> None:
    tool = Tool(name="get_weather", server="s", original_name="w", description="", parameters=TOOLS[0].parameters)
    assert recover(MARKED, Toolset([tool])) == Recovered(calls=(WEATHER,), text="")


def test_a_tool_that_is_not_shown_is_never_called_and_is_named() -> None:
    assert recover(MARKED, []) == Recovered(text="", refused=("get_weather",))
    assert recover(f"Hello. {MARKED} Bye.", []).text == "Hello. Bye."


def test_what_the_customer_or_a_result_says_is_quoted_not_called() -> None:
    assert recover(MARKED, TOOLS, quoted=["no", f"please run {CALL} now"]).calls == ()
    assert recover(MARKED, TOOLS, quoted=["get_weather", '{"city": "Oslo"}']).calls == (WEATHER,)


@pytest.mark.parametrize("cut", range(1, len(MARKED) - len("</tool_call>")))
def test_a_call_cut_anywhere_is_neither_made_nor_shown(cut: int) -> None:
    recovered = recover(f"Sure.\n{MARKED[:cut]}", TOOLS, "length")
    assert recovered.calls == ()
    assert recovered.text == "Sure." or cut <= len("<to")


def test_more_calls_than_anyone_means_are_not_all_made() -> None:
    assert len(recover(MARKED * 1000, TOOLS).calls) <= 128


def test_deep_nesting_is_refused_not_followed() -> None:
    for opening in ('{"a":', "[", "(", "<item>", "[get_weather(city=[", '<invoke name="get_weather"><city>'):
        for text in (
            opening * 20_000,
            f"<tool_call>{opening * 1000}</tool_call>",
            f"<tool_call>[get_weather(city={opening * 1000})]</tool_call>",
            f"<tool_call>{opening * 20_000}",
            f"<tool_call>[get_weather(city={opening * 5000}",
        ):
            assert recover(text, TOOLS).calls == ()


# A quarter of a megabyte keeps the suite quick; what is not linear still shows. `tests.evals.hostile` times all of it.
HOSTILE = dict(texts(SIZE // 4))


@pytest.mark.parametrize("shape", HOSTILE)
def test_a_megabyte_of_hostile_text_is_read_at_once(shape: str) -> None:
    assert any(recovery_seconds(HOSTILE[shape]) < 0.2 for _ in range(2))


FRAGMENTS = st.sampled_from(
    [
        "<tool_call>", "</tool_call>", "<tool_calls>", "<function=get_weather>", "</function>", "<parameter=city>",
        "</parameter>", '<invoke name="get_weather">', "</invoke>", '<parameter name="city">', "<get_weather>", "<city>",
        "</city>", "</get_weather>", "<think>", "</think>", "[TOOL_CALLS]", "[ARGS]", "get_weather", "ping", "functions.",
        "<|channel|>", "commentary to=functions.get_weather ", "<|message|>", "<|call|>", "analysis", "<|end|>",
        "<|tool_call_begin|>", "<|tool_call_argument_begin|>", "<|tool_call_end|>", "<｜tool▁sep｜>", "<|im_end|>", "</s>",
        "✿FUNCTION✿: ", "✿ARGS✿: ", "✿RESULT✿", "<arg_key>city</arg_key>", "<arg_value>", "</arg_value>", "<|open|>",
        'call tool="get_weather"', "<|sep|>", "<|close|>", "<tool_response>", "</tool_response>", "<|tool_call>call:",
        "{city:", '<|"|>', "]<]minimax[>[", "<", ">", "/", "|", "{", "}", "[", "]", "(", ")", '"', "'", "`", "```", "\n",
        "\n\n", " ", ":", ",", ";", "=", "\\", "> ", "~~~", "«", "»", "Oslo", "rain", "3", "None", "true", "city", "name",
        '"name": "get_weather"', '"arguments": {"city": "Oslo"}', '{"city": "Oslo"}', "print(", 'get_weather(city="Oslo")',
        "[get_weather(", "Thought: ", "Action: get_weather\nAction Input: ", "Observation:", ">>>get_weather\n", ">>>all\n",
        "functools[", "assistantfinal", CALL, MARKED, f"[{CALL}]", f"```json\n{CALL}\n```", "<tool_c", "<｜", "＜",
    ]
)  # fmt: skip
MARKUP = st.lists(FRAGMENTS, max_size=25).map("".join)


@settings(max_examples=600, deadline=None)
@given(MARKUP, st.sampled_from(["stop", "length"]))
def test_any_text_is_read_without_error_and_no_call_is_made_up(text: str, finish_reason: str) -> None:
    recovered = recover(text, TOOLS, finish_reason)
    for call in recovered.calls:
        assert call.name in text
        for key, value in call.arguments.items():
            assert key in text
            assert not isinstance(value, str) or value in text


@settings(max_examples=600, deadline=None)
@given(MARKUP)
@example("<tool_<tool_call>call>")
@example(f"<tool_{MARKED}call>{CALL}</tool_call>")
def test_what_is_left_has_no_marks(text: str) -> None:
    recovered = recover(text, TOOLS)
    assert recovered.text == text or scan(Source(recovered.text, TOOLS), marked_only=True) == []


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(exclude_characters="<[{`~>✿"), max_size=200))
def test_text_without_markup_comes_back_unchanged(text: str) -> None:
    assert recover(text, [Shown("zz_tool", {"type": "object", "properties": {}})]) == Recovered(text=text)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=120))
def test_any_string_survives_as_an_argument(value: str) -> None:
    import json

    for written in (
        f"<tool_call>{json.dumps({'name': 'get_weather', 'arguments': {'city': value}})}</tool_call>",
        f"[TOOL_CALLS]get_weather[ARGS]{json.dumps({'city': value}, ensure_ascii=False)}",
        f"[get_weather(city={value!r})]",
    ):
        assert [call.arguments for call in recover(written, TOOLS).calls] == [{"city": value}]
