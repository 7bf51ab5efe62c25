"""What holds for views of any result."""

import base64
import json
import math
import re
from collections import Counter
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from turnkey.loop import tokens
from turnkey.loop.views import MINIMUM_TOKENS, View, view
from turnkey.loop.views.binary import without_binary
from turnkey.loop.views.json_paint import MARK

WORDS = st.text(st.sampled_from('ab é中я한 .。\n"\\,{}[]:12-\u2028\ud800😀'), max_size=40)
LONG = st.builds(lambda text, times: text * times, WORDS, st.integers(1, 60))
SCALARS = st.one_of(st.integers(), st.floats(), st.booleans(), st.none(), WORDS, LONG)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=8),
        st.builds(lambda item, times: [item] * times, inner, st.integers(1, 80)),
        st.dictionaries(WORDS, inner, max_size=8),
    ),
    max_leaves=25,
)
JSON = st.builds(
    lambda value, indent, ascii: json.dumps(value, indent=indent, ensure_ascii=ascii),
    VALUES,
    st.sampled_from([None, None, 2]),
    st.booleans(),
)
TEXT = st.builds(lambda pieces, times: "".join(pieces) * times, st.lists(WORDS, max_size=12), st.integers(1, 40))
LIMITS = st.integers(MINIMUM_TOKENS, 600)
STARTS = st.one_of(st.just(0), st.integers(0, 100))
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def split(seen: View) -> str:
    return re.split(r"(?:\n|^)\[PARTIAL", seen.text)[0]


def holds(seen: View, result: str, limit: int, start: int) -> None:
    assert tokens.estimate(seen.text) == seen.tokens <= limit
    assert seen.characters == len(result)
    if not start and tokens.fits(result, limit):
        assert (seen.text, seen.partial) == (result, False)
    if seen.partial:
        assert "[PARTIAL: " in seen.text
        assert f" of {len(result):,} characters shown" in seen.text
        assert seen.text.endswith("do not invent it.]")
    assert seen.next_start is None or seen.next_start > start or seen.kind == "nothing"


def is_part(shown: Any, whole: Any) -> bool:
    """Every item shown is an item of the original, in order from the first; strings may end at the mark."""
    if isinstance(shown, list):
        return len(shown) <= len(whole) and all(map(is_part, shown, whole))
    if isinstance(shown, dict):
        pairs = zip(shown.items(), whole.items(), strict=False)
        return len(shown) <= len(whole) and all(one[0] == two[0] and is_part(one[1], two[1]) for one, two in pairs)
    if isinstance(shown, str) and isinstance(whole, str):
        return shown == whole or (shown.endswith(MARK) and whole.startswith(shown.removesuffix(MARK)))
    return shown == whole or (isinstance(shown, float) and math.isnan(shown) and math.isnan(whole))


@settings(max_examples=30, deadline=None)
@given(JSON, LIMITS)
def test_a_view_of_json_is_json_and_a_part_of_it_in_order(result: str, limit: int) -> None:
    seen = view(result, limit)
    holds(seen, result, limit, 0)
    if seen.kind == "json":
        assert is_part(json.loads(split(seen)), json.loads(result))


@settings(max_examples=20, deadline=None)
@given(JSON, LIMITS, st.integers(1, 100))
def test_a_later_part_of_json_is_json_within_the_limit(result: str, limit: int, start: int) -> None:
    seen = view(result, limit, start=start, handle="r12")
    holds(seen, result, limit, start)
    if seen.kind == "json":
        json.loads(split(seen))


@settings(max_examples=40, deadline=None)
@given(TEXT, LIMITS, STARTS)
def test_a_view_of_text_keeps_to_the_limit_and_halves_no_number(result: str, limit: int, start: int) -> None:
    seen = view(result, limit, start=start)
    holds(seen, result, limit, start)
    if seen.kind == "text":
        assert not Counter(NUMBER.findall(split(seen))) - Counter(NUMBER.findall(result))


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.integers(), WORDS.filter(lambda text: "\n" not in text)), min_size=5), LIMITS)
def test_a_view_of_rows_shows_whole_rows(rows: list[tuple[int, str]], limit: int) -> None:
    lines = [f"{number}\t{text}".replace('"', "").replace("\u2028", "") for number, text in rows] * 20
    result = "number\ttext\n" + "\n".join(lines)
    seen = view(result, limit)
    holds(seen, result, limit, 0)
    if seen.kind == "table":
        assert split(seen).rstrip("\n").split("\n") == ["number\ttext", *lines[: seen.items_shown]]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.integers(300, 3000), WORDS, st.booleans())
def test_no_long_run_of_base64_survives(seed: int, size: int, text: str, in_json: bool) -> None:
    run = base64.b64encode(Random(seed).randbytes(size)).decode()
    result = json.dumps({"name": text, "data": run}) if in_json else f"{text} {run} {text}"
    seen = without_binary(result)
    assert not re.search("[A-Za-z0-9+/]{401}", seen)
    if in_json:
        assert json.loads(seen)["name"] == text
