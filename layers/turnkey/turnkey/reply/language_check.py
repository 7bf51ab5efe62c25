"""Whether a reply came out in another language than the pinned one. In doubt it did not."""

from turnkey.detection import scripts
from turnkey.detection.prose import Prose
from turnkey.detection.voting import LANGUAGES, Ballot, chances, poll

_NEIGHBOURS = (
    frozenset({"ru", "uk", "bg", "be", "sr", "mk"}),
    frozenset({"es", "pt", "gl", "ca"}),
    frozenset({"no", "da", "sv"}),
    frozenset({"cs", "sk"}),
    frozenset({"hr", "sl", "sr", "bs"}),
    frozenset({"id", "ms"}),
    frozenset({"nl", "af"}),
    frozenset({"fa", "ar", "ur", "ps", "ckb"}),
    frozenset({"hi", "mr", "ne"}),
)
_SPEAKS = {scripts.EAST: 3.0, "HANGUL": 2.0}
"""Latin letters that one sign of the script stands for."""
_FEW_WORDS, _FEW_LETTERS = 5, 10


def differs(reply: str, language: str) -> bool:
    """True when the reply's own prose is plainly not in `language` (BCP 47). Titles, names, quotations, ids, addresses
    and emphasised words are not its prose; a short reply differs by its script alone; close languages need more."""
    if not language:
        return False
    prose = Prose(reply, emphasis=False)
    script = _script(language)
    if _other_script(prose, script):
        return True
    if script == scripts.EAST:
        return _other_east(prose.text, language)
    return script in LANGUAGES and language in LANGUAGES[script] and _other_words(prose, script, language)


def _script(language: str) -> str:
    if language.split("-")[0] in ("zh", "ja"):
        return scripts.EAST
    alone = {code: script for script, code in scripts.ONE_LANGUAGE.items()}
    several = {code: script for script, codes in LANGUAGES.items() for code in codes}
    return alone.get(language) or several.get(language) or "LATIN"


def _other_script(prose: Prose, script: str) -> bool:
    """Whether another script carries the text, with a sentence's worth of letters, and the language's own does not."""
    # A capital word may be a name: it does not make the text its script's.
    small = [word for word in prose.own if not word[0].isupper()]
    own = _weights(small).get(script, 0.0)
    weights = _weights(prose.own)
    other = max((name for name in weights if name != script), key=weights.__getitem__, default="")
    if not other or weights[other] < _FEW_LETTERS or own > 0.1 * weights[other]:
        return False
    return other != "LATIN" or sum(scripts.script(word[0]) == "LATIN" for word in small) > 2


def _weights(words: list[str]) -> dict[str, float]:
    return {name: count * _SPEAKS.get(name, 1.0) for name, count in scripts.letters(" ".join(words)).items()}


def _other_east(text: str, language: str) -> bool:
    kana, han = scripts.kana(text), scripts.han(text)
    hiragana = sum("\u3041" <= character <= "\u3096" for character in text)
    if language == "ja":
        simplified, _, japanese = scripts.han_forms(text)
        return kana * 20 < han and han >= 8 and not japanese and (simplified > 0 or scripts.talk(text, "zh") > 1)
    return hiragana >= 5 and hiragana * 4 > kana + han


def _other_words(prose: Prose, script: str, language: str) -> bool:
    ballot = poll(prose, script)
    found = chances(ballot, script, language)
    best = max(found, key=found.__getitem__)
    if best == language or ballot.length < _FEW_WORDS or found[best] < 0.95:
        return False
    told, held = ballot.talk.get(best, 0.0), ballot.talk.get(language, 0.0)
    if told < 2 * held + 1 or ballot.words.get(best, 0.0) < 2 * ballot.words.get(language, 0.0):
        return False
    return not _close(best, language) or _beyond_doubt(ballot, best, language)


def _close(one: str, other: str) -> bool:
    return any({one, other} <= group for group in _NEIGHBOURS)


def _beyond_doubt(ballot: Ballot, best: str, language: str) -> bool:
    told, held = ballot.talk.get(best, 0.0), ballot.talk.get(language, 0.0)
    return ballot.length >= 2 * _FEW_WORDS and told >= held + 4 and _sure(ballot, best, language)


def _sure(ballot: Ballot, best: str, language: str) -> bool:
    return ballot.model.get(best, 0.0) >= 0.8 and ballot.model.get(language, 0.0) < 0.1
