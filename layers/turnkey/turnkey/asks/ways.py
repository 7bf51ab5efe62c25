"""Ways to reach somebody, as they are written in any language: phone numbers, e-mail addresses, links.

By their form alone, and roughly: whether a number can be dialled is looked at where one is kept.
"""

import re
import unicodedata
from functools import cache
from typing import NamedTuple

from turnkey.asks.speaking import shortened, wants

_LEAST_DIGITS, _MOST_DIGITS = 7, 15
"""Of a phone number: ITU-T E.164 allows 15; fewer than 7 are an extension or a price."""
_BEFORE = 40
"""Characters before a number in which it is said what it is."""
_AT = r"(?:\(at\)|\[at\]|ät|arobase|arroba|chiocciola|собака|골뱅이|アットマーク)"
_DOT = r"(?:\(dot\)|\[dot\]|dot|punkt|point|punto|ponto|точка|닷|ドット)"


class _Patterns(NamedTuple):
    email: re.Pattern[str]
    link: re.Pattern[str]
    digits: re.Pattern[str]
    no_phone: re.Pattern[str]
    sure: re.Pattern[str]
    likely: re.Pattern[str]
    pause: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    """Compiled when first needed: a cold start should not pay for it."""
    return _Patterns(
        # Each begins where a word does and is bounded, so that no text makes them slow.
        email=re.compile(
            rf"(?i)(?<![\w.+-])[\w.+-]{{1,64}}(?:@[\w-]{{1,63}}(?:\.[\w-]{{1,63}})+"
            rf"| ?{_AT} ?[\w-]{{1,63}}(?: ?{_DOT} |\.)\w+| at [\w-]{{1,63}} {_DOT} \w+)"
        ),
        link=re.compile(
            r"(?i)https?://\S|(?<![\w@.])www\.[\w-]{1,63}\.\S|(?<![\w@.-])(?:[a-z\d-]{1,63}\.){1,5}(?:com|org|net|edu|gov"
            r"|int|io|info|de|fr|es|pt|it|ru|cn|jp|kr|tr|uk|eu|at|ch|br|mx|ar|sa|eg|ae)(?![\w@.-])"
        ),
        digits=re.compile(
            r"(?<![A-Za-z\d@#/.,$€£¥₺₽₩_-])\+?\(?\d(?:[ ()./-]{0,2}\d)+(?![A-Za-z\d@_]|[.,:/-]\d| ?[€$£¥₺₽₩%])"
        ),
        # Dates, ISBN and EAN, a range of years, thousands, cards, prices with cents.
        no_phone=re.compile(
            r"\d{1,4}([./-])\d{1,2}\1\d{1,4}(?:\D.*)?|97[89][ -]?\d.*|(?:1[5-9]|20)\d\d\W+(?:1[5-9]|20)\d\d"
            r"|\d{1,3}(?:[. ]000)+|\d{4}(?:[ -]\d{4}){2,}.*|\d+\.\d{1,2}"
        ),
        sure=re.compile(r"\+\d|\(?0[\d(]|\(\d{2,4}\)"),
        likely=re.compile(
            r"1[3-9]\d{9}|8[ (-]{1,2}\d{3}.*|8?9\d{9}|\d{2,5}(?:[ ()./-]{1,2}\d{2,5}){2,}|\d{2} ?9?\d{4}-\d{4}"
        ),
        pause=re.compile(r"[.,;:!?\n。，、；：！？،؛؟]\s*(?=\S)"),
    )


def gives_way(text: str, *, asked: bool = False) -> bool:
    """Whether the text holds what looks like the writer's own phone number or e-mail address. `asked`: they were asked
    for one, so that any longer number is taken for it."""
    plain = _plain(text)
    if _patterns().email.search(plain) and (asked or not wants("yours", text)):
        return True
    return any(_is_phone(plain, match, asked) for match in _patterns().digits.finditer(plain))


def has_link(text: str) -> bool:
    """Whether the text names a web page."""
    return bool(_patterns().link.search(_patterns().email.sub(" ", _plain(text))))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", shortened(text))


def _is_phone(text: str, match: re.Match[str], asked: bool) -> bool:
    written = match.group()
    if not _LEAST_DIGITS <= sum(character.isdigit() for character in written) <= _MOST_DIGITS:
        return False
    # In the same breath: "order 123, phone 0171 2345678" has a phone number.
    before = _patterns().pause.split(text[max(0, match.start() - _BEFORE) : match.start()].rstrip(":： "))[-1]
    if wants("reference", before) or wants("yours", before):
        return False
    if _patterns().sure.match(written):
        return not _patterns().no_phone.fullmatch(written)
    if _patterns().no_phone.fullmatch(written):
        return asked and written.isdigit()
    after = _patterns().pause.split(text[match.end() : match.end() + _BEFORE])[0]
    return asked or (bool(_patterns().likely.fullmatch(written)) and not wants("reference", after))
