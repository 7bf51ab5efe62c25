"""Single values in a language's own form: money, numbers, dates, times, yes and no."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from turnkey.reply import phrases
from turnkey.reply.labels import concept, state, words_of

_SIGNS = {"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "CNY": "¥", "KRW": "₩", "TRY": "₺", "RUB": "₽", "INR": "₹"}
_OTHERS = (
    "CHF BRL MXN CAD AUD NZD PLN CZK HUF SEK NOK DKK SAR AED EGP MAD ILS ZAR SGD HKD TWD THB ARS CLP COP UAH RON BGN"
)
_CODES = frozenset(_SIGNS) | frozenset(_OTHERS.split(" "))
_WHOLE = frozenset({"JPY", "KRW", "CLP", "HUF"})
_MONEY = frozenset({"price", "total", "count", "balance", "discount", "tax", "deposit"})
_AMOUNT = re.compile(r"^(?:([A-Z]{3})\s?)?(-?\d+(?:\.\d+)?)(?:\s?([A-Z]{3}))?$")
_DATE = re.compile(r"^(\d{4})-(\d\d)-(\d\d)$")
_MOMENT = re.compile(r"^(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$")
_TIME = re.compile(r"^(\d\d:\d\d):\d\d$")
_TAG = re.compile(r"<[^<>]{1,200}>")


def shown(field: str, value: Any, language: str, currency: str) -> str:
    """The value as text. `field` tells what it is, `currency` (ISO code or empty) what amounts are in."""
    if isinstance(value, bool):
        return phrases.phrases(language)["yes" if value else "no"]
    if isinstance(value, int | float):
        return _number(field, value, language, currency)
    text = " ".join(_TAG.sub(" ", str(value)).split())
    return _written(field, text, language, currency)


def currency_of(members: Mapping[str, Any]) -> str:
    """The currency that an object's own field names, as an ISO code."""
    for name, value in members.items():
        if words_of(name).split()[-1:] == ["currency"] and str(value).upper() in _CODES:
            return str(value).upper()
    return ""


def money(amount: float, currency: str, language: str) -> str:
    """Such as €12.90, 12,90 € or 12,90 CHF; the bare amount where the currency is not known."""
    digits = 0 if currency in _WHOLE else 2
    text = grouped(amount, digits, language)
    if not currency:
        return text
    if currency not in _SIGNS:
        return f"{text}\u00a0{currency}"
    return phrases.phrases(language)["money"].format(amount=text, sign=_SIGNS[currency])


def grouped(number: float, digits: int, language: str) -> str:
    """The number with the language's own marks, `digits` behind the decimal one."""
    form = phrases.phrases(language)
    whole, _, rest = f"{number:,.{digits}f}".partition(".")
    return whole.replace(",", form["group"]) + (f"{form['decimal']}{rest}" if rest else "")


def _number(field: str, value: float, language: str, currency: str) -> str:
    own = _currency_in(field) or currency
    if _is_money(field):
        cents = words_of(field).split()[-1:] == ["cents"]
        if own or isinstance(value, float) or cents:
            return money(value / 100 if cents else value, own, language)
        return str(value)
    if _is_share(field):
        amount = _plain(value, language)
        return phrases.phrases(language)["percent"].format(amount=amount)
    return _plain(value, language)


def _plain(value: float, language: str) -> str:
    """Whole numbers as they are: they may be years or codes."""
    if value == int(value):
        return str(int(value))
    return f"{value:.10g}".replace(".", phrases.phrases(language)["decimal"])


def _written(field: str, text: str, language: str, currency: str) -> str:
    if found := _DATE.match(text):
        return _day(found, language) or text
    if found := _MOMENT.match(text):
        day = _day(found, language)
        time = f"{found[4]} UTC" if found[5] in ("Z", "+00:00", "+0000") else found[4]
        return phrases.phrases(language)["moment"].format(date=day, time=time) if day else text
    if word := state(text, language):
        return word
    if found := _TIME.match(text):
        return found[1]
    found = _AMOUNT.match(text)
    if found and (code := found[1] or found[3] or "") in _CODES:
        return money(float(found[2]), code, language)
    if found and "." in text and _is_money(field):
        return money(float(found[2]), _currency_in(field) or currency, language)
    return text


def _day(found: re.Match[str], language: str) -> str:
    """The date in words; empty for one that no calendar has."""
    try:
        day = date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        return ""
    form = phrases.phrases(language)
    return form["date"].format(day=day.day, month=form["months"][day.month - 1], number=day.month, year=day.year)


def _is_money(field: str) -> bool:
    return concept(_bare(field)) in _MONEY or bool(_currency_in(field))


def _is_share(field: str) -> bool:
    return words_of(field).split()[-1:] in (["percent"], ["percentage"], ["pct"])


def _currency_in(field: str) -> str:
    """The currency that a field's own name ends with: price_eur."""
    last = words_of(field).split()[-1:]
    return last[0].upper() if last and last[0].upper() in _CODES else ""


def _bare(field: str) -> str:
    return re.sub(r" (?:cents|[a-z]{3})$", "", words_of(field))
