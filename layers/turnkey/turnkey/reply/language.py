"""The customer's language, pinned from their own words by script. Latin script stays open: the reply's writer is told
to use the language of the question."""

import unicodedata
from collections import Counter

_SCRIPTS = {
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "HANGUL": "ko",
    "CJK": "zh",
    "CYRILLIC": "ru",
    "ARABIC": "ar",
    "HEBREW": "he",
    "GREEK": "el",
    "THAI": "th",
    "DEVANAGARI": "hi",
}
NAMES = {
    "ja": "Japanese",
    "ko": "Korean",
    "zh": "Chinese",
    "ru": "Russian",
    "ar": "Arabic",
    "he": "Hebrew",
    "el": "Greek",
    "th": "Thai",
    "hi": "Hindi",
}


def pin(text: str) -> str:
    """BCP 47 code of the language whose script carries the text; empty where the script does not tell."""
    counts = Counter(_SCRIPTS.get(_script(character), "") for character in text if character.isalpha())
    if counts["ja"]:
        # Kana settles it: Chinese has none.
        counts["ja"] += counts.pop("zh", 0)
    if not counts:
        return ""
    return counts.most_common(1)[0][0]


def instruction(language: str) -> str:
    """The sentence that pins the reply's language."""
    if language in NAMES:
        return f"Write in {NAMES[language]}."
    return "Write in the language of the customer's question."


def _script(character: str) -> str:
    return unicodedata.name(character, "").split(" ")[0].split("-")[0]
