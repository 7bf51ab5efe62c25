"""E-mail addresses: found in the customer's own messages, also spelled out there, and normalised. None is looked up."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from turnkey.contacts.contact import Given
from turnkey.contacts.finding import Refused
from turnkey.contacts.folding import seen

LONGEST = 254
"""Characters of an address (RFC 5321)."""
_LOCAL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]")
_AROUND = " \t<>\"'“”«»()[]{},;:!?。，、；：！？"
_AT = "at|ät|arroba|arobase|chiocciola|собака|собачка|골뱅이|アットマーク|アット|艾特|圈a|et işareti|kuyruklu a|آت|ات"
_DOT = "dot|punkt|point|punto|ponto|точка|点|點|ドット|점|닷|nokta|نقطة|دوت"
# Between blanks "at" is a word like any other: only where the dot is spelled out as well it stands for the sign.
_TELLING_AT = "arroba|arobase|chiocciola|собака|собачка|골뱅이|アットマーク|アット|艾特|圈a|et işareti|kuyruklu a"
_SPELLED = (
    (re.compile(rf"\s*[(\[{{<«]\s*(?:{_AT}|@)\s*[)\]}}>»]\s*", re.IGNORECASE), "@"),
    (re.compile(rf"\s*[(\[{{<«]\s*(?:{_DOT}|\.)\s*[)\]}}>»]\s*", re.IGNORECASE), "."),
    (re.compile(rf"\s*(?:(?<=\s)|(?<=[a-z0-9]))(?:{_TELLING_AT})(?=\s|[a-z0-9])\s*", re.IGNORECASE), "@"),
    (re.compile(rf"(?<=[\w])\s+(?:{_AT})\s+(?=\w+(?:[-.]\w+)*\s+(?:{_DOT})\s)", re.IGNORECASE), "@"),
    (re.compile(rf"(?<=[\w])\s+(?:{_DOT})\s+(?=\w)", re.IGNORECASE), "."),
    (re.compile(r"(?<=[a-z0-9])(?:点|點|ドット|점|닷)(?=[a-z0-9])", re.IGNORECASE), "."),
    (re.compile(r"\s*@\s*"), "@"),
)


def check(given: str, texts: Sequence[str]) -> Given | Refused:
    """The address that the model gives, as it stands in one of the texts, newest first."""
    from email_validator import EmailNotValidError, validate_email

    wanted = _bare(given)
    if len(wanted) > LONGEST:
        return Refused(why="too_long")
    found = next((hit for text in texts for hit in _hits(wanted, text)), "")
    try:
        valid = validate_email(found or wanted, check_deliverability=False)
    except EmailNotValidError:
        return Refused(why="invalid")
    if not found:
        return Refused(why="not_said")
    return Given(value=valid.normalized, written="" if found == valid.normalized else found)


def _bare(given: str) -> str:
    text = unicodedata.normalize("NFKC", seen(given)).strip(_AROUND).removeprefix("mailto:")
    return _spelled(text) if "@" not in text else "".join(text.split())


def _hits(wanted: str, text: str) -> Iterator[str]:
    """Where the address stands in the text and is not part of a longer one, in the text's own letters."""
    # Runs of blanks would cost the patterns below their square.
    shown = " ".join(unicodedata.normalize("NFKC", seen(text)).split())
    for version in (shown, _spelled(shown)):
        for found in re.finditer(re.escape(wanted), version, re.IGNORECASE):
            if _stands_alone(version, *found.span()):
                yield found[0]


def _stands_alone(text: str, start: int, end: int) -> bool:
    before, behind = text[start - 1 : start], text[end : end + 2]
    if before and ((_LOCAL.match(before) and not _opens(text, start)) or _same_script(before, text[start])):
        return False
    if behind[:1] in ("@", "-", "_") or _same_script(behind[:1], text[end - 1]) or behind[:1].isdecimal():
        return False
    return not (behind[:1] == "." and behind[1:].isalnum() and _same_script(behind[1:], text[end - 1]))


def _opens(text: str, start: int) -> bool:
    """Whether the sign before is one of the sentence: a quotation mark, mail=, {…}, dots."""
    before, further = text[start - 1], text[max(0, start - 2) : start - 1]
    return before in "'`{=|*" or (before in "./!?" and not further.isalnum())


def _same_script(one: str, other: str) -> bool:
    """Whether two letters are of the same script, so that the second would go on with the first."""
    return one.isalpha() and other.isalpha() and _script(one) == _script(other)


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").split(" ")[0]


def _spelled(text: str) -> str:
    """With words for the signs put into signs."""
    for pattern, sign in _SPELLED:
        text = pattern.sub(sign, text)
    return text
