"""Text in one form, so that rules compare letters and not typography."""

import unicodedata

_DASHES = "‐‑‒–—―−﹣－"
_QUOTES = "“”„‟«»″"
_APOSTROPHES = "’‘‚‛ʼ′`´"
_ALEFS = "أإآٱ"


class _Table(dict[int, str | None]):
    """What each character becomes, worked out when it is first met."""

    def __missing__(self, code: int) -> str | None:
        self[code] = made = _one(chr(code))
        return made


class _Plain(_Table):
    def __missing__(self, code: int) -> str | None:
        first = unicodedata.normalize("NFD", chr(code))[:1]
        self[code] = made = first if "LATIN" in unicodedata.name(first, "") else chr(code)
        return made


def fold(text: str) -> str:
    """Lower case, one kind of dash, quote, apostrophe, blank and digit; no invisible characters; ё, Arabic alefs and
    full-width forms made one. Accents stay: they tell "réservé" from "réserve". Linear."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFC", text).lower().translate(_TABLE)


def plain(text: str) -> str:
    """`fold` without accents on Latin letters and with single blanks: for finding a name, however it is typed."""
    folded = fold(text)
    return " ".join((folded if folded.isascii() else folded.translate(_PLAIN)).split())


def _one(character: str) -> str | None:
    for group, made in ((_DASHES, "-"), (_QUOTES, '"'), (_APOSTROPHES, "'"), (_ALEFS, "ا")):
        if character in group:
            return made
    if character in _SINGLE:
        return _SINGLE[character]
    category = unicodedata.category(character)
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if category == "Zs":
        return " "
    if category == "Cf" or (category == "Mn" and "ARABIC" in unicodedata.name(character, "")):
        return None
    return unicodedata.normalize("NFKC", character) if "\uff00" <= character <= "\uffef" else character


# Lower-case İ leaves a dot of its own behind.
_SINGLE: dict[str, str | None] = {
    "ё": "е",
    "ى": "ي",
    "ة": "ه",
    "ـ": None,
    "\u0307": None,
    "…": "...",
    "٫": ".",
    "٬": ",",
}
_TABLE = _Table()
# Letters that do not come apart into one with a mark.
_PLAIN = _Plain({ord(letter): made for letter, made in (("ı", "i"), ("ß", "ss"), ("ø", "o"), ("æ", "ae"), ("œ", "oe"))})
