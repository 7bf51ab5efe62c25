"""A limit on the price in a customer's words."""

import re

from turnkey.reading.asked import Asked
from turnkey.reading.words import concepts, numbers

_NUMBER = r"\d+(?:[.,]\d{1,2})?"
_MONEY = (
    r"(?:€|\$|£|¥|₩|₺|₽|eur(?:os?)?|usd|dollars?|pounds?|euros?|евро|руб\w*|元|块|円|원|유로|欧元|ユーロ|يورو|avro|"
    r"lira|tl)"
)
_AMOUNT = re.compile(rf"({_NUMBER})\s*{_MONEY}|{_MONEY}\s*({_NUMBER})", re.I)
_BEFORE = (
    "under|below|less than|at most|up to|max(?:imum|imal)?\\.?|cheaper than|not more than|no more than|within|"
    "unter|bis(?: zu)?|höchstens|weniger als|moins de|jusqu['’]à|au plus|menos de|hasta|até|no máximo|abaixo de|"
    "meno di|fino a|al massimo|sotto(?: i)?|до|дешевле|не дороже|不超过|低于|少于|最多|أقل من|حتى|en fazla"
)
_AFTER = "or less|oder weniger|以下|以内|之内|이하|미만|까지|altı|altında|ve altı|'?[dt]?[ae]n (?:az|ucuz)"
_LIMITED = re.compile(rf"(?:{_BEFORE})\s*(?:{_MONEY})?\s*({_NUMBER})|({_NUMBER})\s*{_MONEY}?\s*(?:{_AFTER})", re.I)
_WORDED = re.compile(rf"(?:{_BEFORE})\s+([^\W\d]+)\s+{_MONEY}", re.I)
_UNIT = re.compile(r"(?i)\b(?:euros?|eur|dollars?|usd|pounds?|евро|рубл\w+|liras?ı?)\b|€")
CENT = 0.01


def without_prices(text: str) -> str:
    """The text without its amounts and limits."""
    return _UNIT.sub(" ", _AMOUNT.sub(" ", _WORDED.sub(" ", _LIMITED.sub(" ", text))))


def price_limit(asked: Asked) -> float | None:
    """The most that something may cost: named, or just below the cheapest already shown where cheaper is wanted."""
    match = _LIMITED.search(asked.message)
    if match:
        return _number(next(group for group in match.groups() if group))
    worded = _WORDED.search(asked.message)
    if worded and numbers(worded[1]):
        return float(numbers(worded[1])[0])
    if "cheap" not in concepts(asked.message) or not asked.elliptical:
        return None
    shown = amounts(asked.said_before)
    return round(min(shown) - CENT, 2) if shown else None


def amounts(text: str) -> tuple[float, ...]:
    """Every amount of money in a text."""
    return tuple(_number(match[1] or match[2]) for match in _AMOUNT.finditer(text))


def _number(text: str) -> float:
    return float(text.replace(",", "."))
