"""Blocks with nothing in them: empty fences, tables and bullets, headings over nothing, placeholders, dead links."""

import re
from collections.abc import Iterator

from turnkey.reply.checks.folding import fold
from turnkey.reply.checks.reading import Reading
from turnkey.reply.finding import Finding, finding

_EMPTY_FENCE = re.compile(r"```[\w-]{0,20}\s{0,99}```|~~~\s{0,99}~~~|``(?!`)\s{0,99}``(?!`)")
_OPEN_FENCE = re.compile(r"```[\w-]{0,20}\s{0,99}\Z")
_EMPTY_BULLET = re.compile(r"(?m)^[ \t]{0,20}(?:[-*•]|\d{1,2}[.)])[ \t]{0,20}(?:\.{2,9}|…|-|—|n/a|tbd)?[ \t]{0,20}$")
_LINK = re.compile(r"!?\[[^\[\]\n]{0,200}\]\(\s{0,9}([^()\s]{0,300})[^()\n]{0,200}\)")
_REAL = re.compile(r"https?://(?!(?:www\.)?(?:example|placeholder|your|link|url))|tel:|mailto:", re.IGNORECASE)
_TAG = re.compile(r"</?([A-Za-z][\w:-]*)(?:\s[^<>\n]*)?/?>")
_PLAIN_TAGS = {
    "b",
    "i",
    "u",
    "em",
    "strong",
    "br",
    "p",
    "s",
    "code",
    "pre",
    "a",
    "ul",
    "li",
    "ol",
    "blockquote",
    "sup",
    "sub",
}
_BRACED = re.compile(r"\{\{[^{}\n]*\}\}|\$\{[^{}\n]*\}|(?<![\w\"'])\{[A-Za-z][\w .]*\}|%[A-Z_]{3,}%|<%[^%\n]*%>")
_BRACKETED = re.compile(
    r"\[([^\[\]\n]{2,80})\](?!\()|【([^【】\n]{2,60})】|〔([^〔〕\n]{2,60})〕|［([^［］\n]{2,60})］"
)
_FILLER = re.compile(r"(?i:\blorem ipsum\b)|\bXX+X\b|\bTBD\b|\bTODO\b|(?<!\w)__+(?!\w)|_{4,}")
_NUMBERED_NAME = re.compile(
    r"(?m)^[ \t*•\-\d.)]{0,20}(?:[\w']{1,20} )?(?i:book|title|item|product|option|author|doctor|document|slot)"
    r"[ \t]?[A-Z1-9][^\w\n]{0,5}$"
)
_DOTS = re.compile(r"(?m)^[ \t]{0,20}[-*•]?[ \t]{0,20}(?:\.{3,20}|…{1,9})[ \t]{0,20}$")
_HEADER_ONLY = re.compile(
    r"(?m)^[^\n|]{0,200}\|[^\n]{0,200}\n[ \t]{0,9}\|?[ \t]{0,9}:?-{2,}[-|: ]{0,200}$(?!\n[^\n]{0,200}\|)"
)
_ENDING = re.compile(r"[:：][ \t*_]{0,9}$")


def empty_blocks(reading: Reading) -> Iterator[Finding]:
    """Blocks of the reply that hold nothing."""
    text = reading.text
    if not any(character.isalnum() for character in text):
        yield finding("empty_block", text or "no text")
        return
    for pattern in (_EMPTY_FENCE, _OPEN_FENCE, _EMPTY_BULLET, _HEADER_ONLY, _DOTS, _FILLER, _NUMBERED_NAME):
        yield from (finding("empty_block", found.group() or "empty") for found in [pattern.search(text)] if found)
    yield from (finding("empty_block", found) for found in _placeholders(reading))
    yield from (finding("empty_block", found.group()) for found in _LINK.finditer(text) if not _REAL.match(found[1]))
    if heading := _over_nothing(reading):
        yield finding("empty_block", heading)


def _over_nothing(reading: Reading) -> str:
    """A heading that ends in a colon with nothing behind it; cards and charts handed over stand behind the text."""
    lines = [line.strip() for line in reading.text.splitlines() if line.strip()]
    if reading.ledger.handed:
        return ""
    if lines and _ENDING.search(lines[-1]):
        return lines[-1]
    last = [sentence for sentence in reading.sentences if len(sentence.folded) > 3]
    return last[-1].text if last and _ENDING.search(last[-1].text) else ""


def _placeholders(reading: Reading) -> Iterator[str]:
    text = reading.text
    for found in _BRACED.finditer(text):
        yield found.group()
    for found in _TAG.finditer(text):
        if found[1].lower() not in _PLAIN_TAGS and not reading.ledger.grounds(found.group()):
            yield found.group()
    for found in _BRACKETED.finditer(text):
        inside = next(group for group in found.groups() if group)
        if _is_placeholder(reading, inside, square=found.group()[0] in "[［"):
            yield found.group()


def _is_placeholder(reading: Reading, inside: str, *, square: bool) -> bool:
    """Words in brackets that stand for something else. Other brackets than square ones also set off headings."""
    letters = any(character.isalpha() for character in inside) or set(inside) <= set(". …")
    if not letters or reading.ledger.grounds(inside):
        return False
    return square or reading.says("placeholders", fold(inside))
