"""What marks a line of text as one of several things on offer, in any language."""

import re
from functools import cache

from turnkey.reply.checks.folding import fold
from turnkey.reply.checks.vocabulary import everyone
from turnkey.reply.labels import is_known

_IDENTIFIER = re.compile(r"(?<![\w-])(?=[a-z-]*\d)(?:[a-z]{1,5}-?\d{2,}[\w-]*|\d+[a-z]\d+|#\d{3,})(?!\w)")
_ISBN = re.compile(r"isbn|97[89][- ]?\d")
_DATE = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|(?<!\d)\d{1,2}[./]\d{1,2}[./](?:\d{2,4})?(?!\d)"
    r"|\d{1,2}月\d{1,2}[日号]|\d{1,2}월 ?\d{1,2}일"
)
_TIME = re.compile(r"(?<![\d:])\d{1,2}[:h]\d{2}(?!\d)|(?<!\d)\d{1,2} ?(?:uhr|a\.?m|p\.?m|點|点|時|시(?!간))(?![a-z])")
_LINK = re.compile(r"https?://|www\.|\]\(")
_SET_OFF = re.compile(r"\*\*[^*]+\*\*|(?<!\w)[*_][^*_]{3,}[*_](?!\w)|[«„“\"][^»“”\"]{2,}[»“”\"]|《[^》]+》|『[^』]+』")
_LABEL = re.compile(r"^[*_]{0,3}([^:：|]{2,28}?)[*_]{0,3}\s?[:：][*_]{0,3}\s?(\S.*)$")
_MOST_WORDS = 3
_SURE = "autore?|auteure?|autora|verfasser|yazarı?|автор|作者|著者|저자|المؤلف|تأليف"


def marks(entry: str) -> set[str]:
    """Of "price", "id", "date", "time", "link", "author", "title": those that stand in the line."""
    folded = fold(entry)
    found = {
        "price": everyone().money.search(folded),
        "id": _IDENTIFIER.search(folded) or _ISBN.search(folded),
        "date": _DATE.search(folded),
        "time": None if _hours().search(folded) else _TIME.search(folded),
        "link": _LINK.search(folded),
        "author": _author().search(entry),
        "title": _SET_OFF.search(entry) if len(entry) > 4 else None,
    }
    return {name for name, match in found.items() if match}


def is_attribute(entry: str) -> bool:
    """A label and a value, such as "Shelf: F2", or the hours of a weekday."""
    folded = fold(entry)
    day = everyone().any_day.search(folded, 0, 12)
    if day and not folded[: day.start()].strip(" *_") and (_hours().search(folded) or not marks(entry)):
        return True
    found = _LABEL.match(entry)
    return found is not None and len(found[1].split()) <= _MOST_WORDS and is_known(fold(found[1]).strip("*_ "))


@cache
def _hours() -> re.Pattern[str]:
    """Two hours with "to" between them, as opening hours have them."""
    hour = r"\d{1,2}(?:[:.h]\d{2})?"
    unit = r"(?:h|uhr|시|時|时|点|утра|вечера|a\.?m\.?|p\.?m\.?)?"
    return re.compile(rf"{hour}\s?{unit}\s?(?:-|~|{everyone().one_of('to')})\s?(?:las? |às |le |alle )?\d{{1,2}}")


@cache
def _author() -> re.Pattern[str]:
    """A word for the author and a name behind it, in full where the word also means "of"; or a name with the word
    behind it, as in Japanese and Korean."""
    by = everyone().one_of("by")
    name = r"[A-ZÀ-ÞА-Я\u0600-\u06ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
    latin = r"[A-ZÀ-Þ][\w.'’-]*"
    return re.compile(
        rf"(?i:(?<!\w)(?:{by}|author)[ :]+){name}[\w.'’-]*\s{name}|(?i:(?<!\w)(?:by|{_SURE})[ :]+){latin}"
        r"|(?<=\w)著(?!\w)|（[^（）]+著）|(?<=\w) ?지음"
    )
