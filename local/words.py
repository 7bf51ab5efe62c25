"""How the demo tenants read words: folded spelling, search terms, and the matching forms of one word."""

import re
import unicodedata

# Combining accents, and the vowel marks and hamza of Arabic, which most people leave out.
_MARKS = re.compile("[\u0300-\u036f\u064b-\u0655\u0670\u0640]")
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
# The article, with what is written onto it; three letters must be left.
_ARABIC_ARTICLE = re.compile("^(?:[وف]?(?:ال|بال|كال|لل))(?=[\u0621-\u064a]{3})")
_ARABIC_LETTERS = str.maketrans({"ة": "ه", "ى": "ي"})
_ENGLISH_PLURALS = (
    (re.compile(r"(?<=[a-z]{2})ies$"), "y"),
    (re.compile(r"(?<=[a-z])(ss|sh|ch|x|z)es$"), r"\1"),
    (re.compile(r"(?<=[a-z]{2})(?<![sui])s$"), ""),
)
# Words that say "a book about" or "an appointment for"; they name nothing that is looked for.
_FILLER_WORDS = """
a an the of on in by for about and with to some any me i want find have you is are my your
book books novel novels novela novelas story stories title titles
der die das dem den ein eine einen und oder fur von uber buch bucher
le la les un une des du de d l et pour sur au aux livre livres roman romans
el los las una y para del con libro libros sobre
o os as um uma e em do da dos das por com livro livros
il lo gli i di del della dei delle per su sul sulla libri romanzo romanzi
bir ve icin ile hakkinda kitap kitabi kitaplar kitaplari
книга книги книгу роман романы о об про для и в на с
書 書籍 本 册 책 관한 대한 관련
في عن من كتب كتاب روايات رواية و
"""


def fold(text: str) -> str:
    """`text` without case, accents, possessives and compatibility forms; kana marks and Hangul syllables stay whole."""
    bare = _MARKS.sub("", unicodedata.normalize("NFKD", _POSSESSIVE.sub("", text.casefold())))
    # A Turkish keyboard's dotless i, which other keyboards lack.
    return unicodedata.normalize("NFC", bare).replace("ı", "i").translate(_ARABIC_LETTERS)


def is_cjk(word: str) -> bool:
    """Whether `word` holds a Chinese, Japanese or Korean character, and so is matched as a substring."""
    return bool(_CJK.search(word))


def stem(word: str) -> str:
    """A folded Latin, Cyrillic or Arabic `word` without its plural or case ending, or its article."""
    if "а" <= word[0] <= "я":
        return _RUSSIAN_ENDING.sub("", word)
    if "ء" <= word[0] <= "ي":
        return _ARABIC_ARTICLE.sub("", word)
    for plural, singular in _ENGLISH_PLURALS:
        if plural.search(word):
            return plural.sub(singular, word)
    return word


_FILLER = frozenset(fold(word) for word in _FILLER_WORDS.split())


def stems(text: str) -> frozenset[str]:
    """The stems of every Latin, Cyrillic or Arabic word in `text`."""
    return frozenset(stem(word) for word in _WORD.findall(fold(text)) if not is_cjk(word))


def cjk_words(text: str) -> frozenset[str]:
    """The Chinese, Japanese and Korean words in `text`, as far as other characters part them."""
    return frozenset(word for word in _WORD.findall(fold(text)) if is_cjk(word))


def terms(query: str) -> tuple[str, ...]:
    """What `query` asks for: stems and CJK needles, in order, each once, filler left out."""
    found = (_term(word) for word in _WORD.findall(_CJK_GLUE.sub(" ", fold(query))) if word not in _FILLER)
    return tuple(dict.fromkeys(found))


def _term(word: str) -> str:
    return _KOREAN_PARTICLE.sub("", word) if is_cjk(word) else stem(word)
