"""How the bookshop reads words: folded spelling, search terms, and the matching of one term."""

import re
import unicodedata

_ACCENTS = re.compile("[\u0300-\u036f]")
_POSSESSIVE = re.compile(r"['’]s\b")
_WORD = re.compile(r"\w+")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
# Written without spaces, so what only joins the telling words is cut out: "of", "about", "novel".
_CJK_GLUE = re.compile("的|の|关于|關於|に関する|について|小说|小說|小説|소설")
# After two syllables, so that a short noun is never cut; a cut word still finds its longer spelling as a substring.
_KOREAN_PARTICLE = re.compile("(?<=[\uac00-\ud7af]{2})(?:에서|에|을|를|은|는|이|가|의|도|와|과)$")
_RUSSIAN_ENDING = re.compile(
    r"(?<=[а-я]{3})(?:ами|ями|ыми|ими|ого|ые|ыи|ая|ое|ых|ие|ии|их|ах|ях|ов|ев|еи|ам|ям|ом|ем|ы|и|а|я|у|ю|е|о|ь)$"
)
_ENGLISH_PLURALS = (
    (re.compile(r"(?<=[a-z]{2})ies$"), "y"),
    (re.compile(r"(?<=[a-z])(ss|sh|ch|x|z)es$"), r"\1"),
    (re.compile(r"(?<=[a-z]{2})(?<![sui])s$"), ""),
)
# Words that say "a book about", in the languages the shop sells; they name no book.
_FILLER_WORDS = """
a an the of on in by for about and with to some any me i want find have you is are
book books novel novels story stories title titles
der die das ein eine uber buch bucher le la les un une des du de sur livre livres
el los las libro libros sobre книга книги книгу роман романы о об про 书 書 本 册 책 관한 대한 관련
"""
_FILLER = frozenset(_FILLER_WORDS.split())


def fold(text: str) -> str:
    """`text` without case, accents, possessives and compatibility forms; kana marks and Hangul syllables stay whole."""
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", _POSSESSIVE.sub("", text.casefold())))
    return unicodedata.normalize("NFC", bare)


def is_cjk(word: str) -> bool:
    """Whether `word` holds a Chinese, Japanese or Korean character, and so is matched as a substring."""
    return bool(_CJK.search(word))


def stem(word: str) -> str:
    """A folded Latin or Cyrillic `word` without its plural or case ending."""
    if "а" <= word[0] <= "я":
        return _RUSSIAN_ENDING.sub("", word)
    for plural, singular in _ENGLISH_PLURALS:
        if plural.search(word):
            return plural.sub(singular, word)
    return word


def stems(text: str) -> frozenset[str]:
    """The stems of every Latin or Cyrillic word in `text`."""
    return frozenset(stem(word) for word in _WORD.findall(fold(text)) if not is_cjk(word))


def terms(query: str) -> tuple[str, ...]:
    """What `query` asks for: stems and CJK needles, in order, each once, filler left out."""
    found = (_term(word) for word in _WORD.findall(_CJK_GLUE.sub(" ", fold(query))) if word not in _FILLER)
    return tuple(dict.fromkeys(found))


def _term(word: str) -> str:
    return _KOREAN_PARTICLE.sub("", word) if is_cjk(word) else stem(word)
