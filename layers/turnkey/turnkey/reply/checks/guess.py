"""Which of the twelve languages a reply is written in: by script, and for Latin script by its commonest words."""

import re
from collections import Counter

from turnkey.reply.checks.folding import fold
from turnkey.reply.checks.wording import LANGUAGES, Wording, wording

_LATIN = ("en", "de", "fr", "es", "pt", "it", "tr")
_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
)
_WORD = re.compile(r"[^\W\d_]+")
_ENOUGH = 4_000
_COMMON = 0.2
"""Of the words of a text that are its language's commonest ones; a stranger's text shares fewer."""
_SHARE = 0.12
"""Of the letters that must be in a script for its language to count: a title alone does not change the language."""


def wordings(text: str, pinned: str) -> tuple[Wording, ...]:
    """Those to read a reply with: of the pinned language, and of the one the reply seems to be written in. Where
    neither is known, all that share the Latin script."""
    own = pinned.split("-")[0].lower()
    codes = tuple(dict.fromkeys(code for code in (own, guess(text)) if code in LANGUAGES))
    return tuple(wording(code) for code in codes or (("en",) if own else _LATIN))


def guess(text: str) -> str:
    """One of the twelve codes, or nothing."""
    folded = fold(text[:_ENOUGH])
    letters = sum(map(str.isalpha, folded)) or 1
    for code, script in _SCRIPTS:
        if len(script.findall(folded)) / letters > _SHARE:
            return code
    words = Counter(_WORD.findall(folded))
    votes = {code: sum(words[word] for word in wording(code).function_words & words.keys()) for code in _LATIN}
    best = max(_LATIN, key=lambda code: votes[code])
    return best if votes[best] >= _COMMON * words.total() and votes[best] else ""
