"""The structure of JSON, read without building it, agrees with json.loads."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnkey.loop.views.scan import MAX_DEPTH, NotJson, Outline, Span, TooDeep

LEAVES = st.one_of(st.integers(), st.floats(), st.booleans(), st.none(), st.text(max_size=8), st.just("x" * 600))
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=4), inner), max_leaves=30
)


def agrees(outline: Outline, span: Span, value: Any) -> None:
    assert json.dumps(json.loads(outline.text[span.start : span.end])) == json.dumps(value)
    if isinstance(value, list | dict):
        children = list(outline.children(span, 0, 1000))
        assert len(children) == len(value) == outline.count(span)
        for child, key in zip(children, value if isinstance(value, dict) else range(len(value)), strict=True):
            if isinstance(value, dict):
                assert json.loads(outline.text[child.key_start : child.key_end]) == key
            agrees(outline, child, value[key])


@settings(max_examples=25, deadline=None)
@given(VALUES, st.integers(0, 4), st.booleans())
def test_values_keys_and_counts_are_found(value: Any, wrapped: int, indented: bool) -> None:
    for _ in range(wrapped):
        value = {"deeper": [value]}
    text = json.dumps(value, indent=1 if indented else None)
    outline = Outline(text, 1000)
    agrees(outline, outline.root, value)


@settings(max_examples=80, deadline=None)
@given(VALUES, st.data(), st.integers(0, 2))
def test_a_text_is_json_exactly_when_json_loads_takes_it(value: Any, data: st.DataObject, keep: int) -> None:
    text = json.dumps([[[[value]]]])
    place = data.draw(st.integers(0, len(text)))
    inserted = data.draw(st.sampled_from(["", ",", "]", "}", '"', "1", "\\", " ", "[", "{", ":", "\n", "\0", "."]))
    changed = text[:place] + inserted + text[place + data.draw(st.integers(0, 1)) :]
    try:
        json.loads(changed)
    except ValueError:
        with pytest.raises(NotJson):
            Outline(changed, keep)
    else:
        Outline(changed, keep)


def test_too_many_levels_are_refused_without_recursion() -> None:
    Outline("[" * MAX_DEPTH + "]" * MAX_DEPTH, 10)
    for text in ("[" * 10_000 + "]" * 10_000, '{"a":' * 10_000, "[" * 1_000_000):
        with pytest.raises(TooDeep):
            Outline(text, 10)
