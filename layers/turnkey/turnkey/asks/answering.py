"""Whether a text asks, and whether another may be the answer: by their form alone, in any language."""

import re
from functools import cache
from typing import NamedTuple

from turnkey.asks.speaking import wants

_FEW_WORDS, _FEW_CHARACTERS = 6, 16
"""An answer in Chinese, Japanese or Korean is measured in characters."""


class _Patterns(NamedTuple):
    question: re.Pattern[str]
    request: re.Pattern[str]
    sentence: re.Pattern[str]
    digit: re.Pattern[str]
    character: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    """Compiled when first needed: a cold start should not pay for it."""
    return _Patterns(
        question=re.compile("[?？؟]"),
        request=re.compile(
            r"(?i)[?？؟]|\b(?:please|bitte|s['’]il (?:vous|te) pla[iî]t|por favor|per favore|lütfen|пожалуйста)\b"
            "|请|請|ください|下さい|お願い|주세요|부탁|من فضلك|يرجى"
        ),
        sentence=re.compile(r"(?<=[.!?。！？؟\n])\s*"),
        digit=re.compile(r"\d"),
        character=re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"),
    )


def has_question(text: str) -> bool:
    return bool(_patterns().question.search(text))


def requests(text: str) -> list[str]:
    """The text's sentences that ask for something."""
    return [part for part in _patterns().sentence.split(text) if part and _patterns().request.search(part)]


def may_answer(text: str) -> bool:
    """Whether the text is short or names a number or a time, and asks nothing itself."""
    timed = bool(_patterns().digit.search(text)) or wants("when", text)
    return timed or (bool(text.strip()) and is_short(text) and not has_question(text))


def is_short(text: str) -> bool:
    """Whether the text is no more than a few words."""
    return len(_patterns().character.findall(text)) <= _FEW_CHARACTERS and len(text.split()) <= _FEW_WORDS
