"""Numbers as people and systems write them: "12,90 €", "1.234,50", "$1,200", "1 234", "4.5/5", "12 kg", "٣٫٥"."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Any, NamedTuple

_CURRENCY = "$€£¥￥₽₩₹₺₴₫฿₪₦₱"
_FIGURES = r"\d{1,3}(?:[.,'\u0020]\d{2,3})*[.,'\u0020]\d{3}(?:[.,]\d+)?|\d+(?:[.,]\d+)?|[.,]\d+"
_PATTERN = re.compile(
    rf"(?P<bracket>\()?(?P<sign>[-+])?\s*(?P<before>[A-Z]{{0,3}}[{_CURRENCY}]|[A-Z]{{3}}\s|(?:Rs|kr|zł)\.?\s?)?"
    rf"\s*(?P<sign2>[-+])?(?P<figures>{_FIGURES})(?P<exponent>[eE][-+]?\d+)?"
    rf"\s*(?:/\s*\d+|(?P<after>[{_CURRENCY}%‰°]|°?[^\W\d_]{{1,12}}\.?(?:/[^\W\d_]{{1,8}})?)?)\)?"
)
_LONGEST = 40
_SPACES = re.compile(r"[\s\u00a0\u2009\u202f]+")
_SIGNS = str.maketrans({"−": "-", "–": "-", "’": "'", "٫": ".", "٬": "'", "，": ",", "％": "%"})
_TIMES: dict[str, float] = {
    **dict.fromkeys(("k", "K", "тыс", "тыс.", "천", "千"), 1e3),
    **dict.fromkeys(("万", "萬", "만"), 1e4),
    **dict.fromkeys(("M", "Mio", "Mio.", "mln", "млн", "million", "Million"), 1e6),
    **dict.fromkeys(("亿", "億", "억"), 1e8),
    **dict.fromkeys(("bn", "Mrd", "Mrd.", "млрд", "billion"), 1e9),
}
_CODES = {"€": "EUR", "£": "GBP", "₽": "RUB", "₩": "KRW", "₹": "INR", "₺": "TRY", "￥": "¥"}
_THOUSAND = 3
_CODE = 3
_LARGEST, _SMALLEST = 1e18, 1e-12


class Number(NamedTuple):
    """A value, and what it is of where that is written with it: "EUR", "$", "%", "kg"; else empty."""

    value: float
    unit: str = ""
    money: bool = False


class _Written(NamedTuple):
    figures: str
    sign: int
    times: float
    unit: str
    money: bool


def read_numbers(values: Iterable[Any]) -> list[Number | None]:
    """A column's values as numbers, None for what is none. Read together, since "1.200" alone may be either."""
    split = [_split(value) for value in values]
    written = [part for part in split if isinstance(part, _Written)]
    decimal = _decimal_mark(written)
    return [_number(part, decimal) if isinstance(part, _Written) else part for part in split]


def _split(value: Any) -> _Written | Number | None:
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return _bounded(Number(float(value))) if abs(value) <= _LARGEST else None
    text = _plain(value) if isinstance(value, str) else ""
    found = _PATTERN.fullmatch(text) if text else None
    return _parts(found) if found else None


def _plain(text: str) -> str:
    if len(text) > _LONGEST:
        return ""
    text = _SPACES.sub(" ", text.translate(_SIGNS)).strip()
    return text if text.isascii() else "".join(_ascii_digit(character) for character in text)


def _ascii_digit(character: str) -> str:
    return str(unicodedata.decimal(character, character))


def _parts(found: re.Match[str]) -> _Written:
    before, after = (found["before"] or "").strip(), found["after"] or ""
    minus = "-" in (found["sign"], found["sign2"]) or (found["bracket"] is not None and bool(before or not after))
    times = _TIMES.get(after, 1.0) * float(f"1{found['exponent'] or 'e0'}")
    unit = before or ("" if after in _TIMES else after)
    money = bool(before) or (unit != "" and unit in _CURRENCY) or (unit.isupper() and len(unit) == _CODE)
    return _Written(found["figures"], -1 if minus else 1, times, _CODES.get(unit, unit), money)


def _decimal_mark(column: list[_Written]) -> str:
    """What parts the fraction off in this column: decided by the values that leave no doubt."""
    votes = [mark for written in column if (mark := _certain_mark(written.figures))]
    if votes:
        return max((".", ","), key=votes.count)
    # Prices have two decimals, or none: with three figures behind it, a full stop there parts thousands.
    return "," if any(written.money and "." in written.figures for written in column) else "."


def _certain_mark(figures: str) -> str:
    """The decimal mark that the figures prove, or nothing: "1.200" may be either."""
    marks = [character for character in figures if character in ".,"]
    if not marks:
        return ""
    if len(set(marks)) > 1:
        return marks[-1]
    if len(marks) > 1:
        return "," if marks[0] == "." else "."
    whole, fraction = figures.split(marks[0])
    if len(fraction) != _THOUSAND or whole in ("", "0") or len(whole) > _THOUSAND:
        return marks[0]
    return ""


def _number(written: _Written, decimal: str) -> Number | None:
    mark = _certain_mark(written.figures) or decimal
    plain = re.sub(rf"[^\d{re.escape(mark)}]", "", written.figures).replace(mark, ".")
    try:
        value = float(plain) * written.times * written.sign
    except ValueError:
        return None
    return _bounded(Number(value, written.unit, written.money))


def _bounded(number: Number) -> Number | None:
    """None for what no chart has room for; what is as good as nothing is nothing."""
    if not abs(number.value) <= _LARGEST:
        return None
    return number if abs(number.value) >= _SMALLEST else number._replace(value=0.0)
