"""The language of the reply: pinned from the customer's own words, stated in the reply's prompt, checked on the reply.

The newest message that tells by itself decides. One that does not – "ok", an id, a bare title – leaves the language of
the turn before. A wish ("auf Deutsch bitte") goes before all that, and holds in later turns until another is made.
"""

from collections.abc import Sequence

from pydantic import Field

from turnkey.detection import detect
from turnkey.reply.language_check import differs
from turnkey.reply.language_wish import wish
from turnkey.values import Value

__all__ = ["NAMES", "UNPINNED", "Pinned", "differs", "instruction", "pin", "wish"]

_NAMED = (
    "af Afrikaans, am Amharic, ar Arabic, az Azerbaijani, be Belarusian, bg Bulgarian, bn Bengali, ca Catalan, "
    "ckb Kurdish, cs Czech, da Danish, de German, el Greek, en English, es Spanish, et Estonian, eu Basque, fa "
    "Persian, fi Finnish, fr French, ga Irish, gl Galician, gu Gujarati, he Hebrew, hi Hindi, hr Croatian, hu "
    "Hungarian, hy Armenian, id Indonesian, is Icelandic, it Italian, ja Japanese, ka Georgian, kk Kazakh, km "
    "Khmer, kn Kannada, ko Korean, ky Kyrgyz, lo Lao, lt Lithuanian, lv Latvian, mk Macedonian, ml Malayalam, mn "
    "Mongolian, mr Marathi, ms Malay, my Burmese, ne Nepali, nl Dutch, no Norwegian, pa Punjabi, pl Polish, ps "
    "Pashto, pt Portuguese, ro Romanian, ru Russian, si Sinhala, sk Slovak, sl Slovenian, sq Albanian, sr "
    "Serbian, sv Swedish, sw Swahili, ta Tamil, te Telugu, tg Tajik, th Thai, tl Filipino, tr Turkish, uk "
    "Ukrainian, ur Urdu, uz Uzbek, vi Vietnamese, zh Chinese, zh-Hant Traditional Chinese"
)
NAMES = {code: name for code, _, name in (entry.partition(" ") for entry in _NAMED.split(", "))}
"""BCP 47 code -> English name, of every language that is pinned."""


class Pinned(Value):
    """What is kept from turn to turn."""

    language: str = Field(default="", description="BCP 47: the primary code, or zh-Hant; empty where nothing told")
    wished: bool = Field(default=False, description="the customer asked for it in words")


UNPINNED = Pinned()


def pin(messages: Sequence[str], before: Pinned = UNPINNED) -> Pinned:
    """The language of the reply to `messages`, the customer's own of this turn, oldest first. `before` is the pin of
    the turn before. Empty only where nothing has told yet."""
    for message in reversed(messages):
        if wished := wish(message):
            return Pinned(language=wished, wished=True)
    if before.wished:
        return before
    # Three short messages may tell together what none tells alone.
    guesses = [detect(text, before.language) for text in (*reversed(messages), "\n".join(messages))]
    told = [guess.language for guess in guesses if guess.clear]
    hinted = [guess.language for guess in guesses if guess.language]
    return Pinned(language=(told or [before.language or (hinted or [""])[0]])[0])


def instruction(language: str) -> str:
    """The sentence that states the language in the reply's prompt."""
    if language in NAMES:
        return f"Write in {NAMES[language]}."
    return "Write in the language of the customer's question."
