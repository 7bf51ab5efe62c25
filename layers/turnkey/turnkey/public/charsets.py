"""Bytes of a page as text: by its byte order mark, as UTF-8 where they are that, as the server or the page says, or by
a guess. Labels are read as browsers read them (WHATWG Encoding)."""

import codecs
import re

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_META = re.compile(rb"<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
_META_BYTES = 4096
_OF_PAGES = re.compile(
    r"utf-8|utf-16(?:-[lb]e)?|iso8859-\d+|cp(?:866|874|932|949|125\d)|gb18030|big5hkscs|euc[_-]jp|euc[_-]kr|koi8-[ru]"
    r"|iso2022_jp|mac-(?:roman|cyrillic)|tis-620"
)
_TOO_SHORT = 40
"""Bytes of which nothing can be guessed."""
_WIDER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "ks_c_5601-1989": "cp949",
    "korean": "cp949",
    "windows-949": "cp949",
    "big5": "big5hkscs",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "us-ascii": "cp1252",
    "ascii": "cp1252",
    "iso-8859-9": "cp1254",
    "iso-8859-11": "cp874",
}
"""What pages mean by a label: the wider set that browsers read it as."""


def decode(content: bytes, declared: str = "") -> str:
    """The text. `declared` is what the server says. Never raises: what is left unreadable is shown as such."""
    for mark, name in _MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(name, "replace")
    try:
        # A text in another coding is hardly ever UTF-8 by chance.
        return content.decode("utf-8")
    except UnicodeDecodeError:
        pass
    named = [label for label in (declared, _in_page(content)) if _codec(label) not in ("", "utf-8")]
    for label in named:
        try:
            return content.decode(_codec(label))
        except UnicodeDecodeError:
            continue
    return content.decode(_codec(named[0]) if named else _guessed(content, declared), "replace")


def _in_page(content: bytes) -> str:
    found = _META.search(content[:_META_BYTES])
    return found[1].decode("ascii", "replace") if found else ""


def _codec(label: str) -> str:
    """Python's name for it; empty for none that is known."""
    plain = label.strip().lower()
    try:
        found = codecs.lookup(_WIDER.get(plain, plain))
    except (LookupError, ValueError):
        return ""
    # rot13, idna and the escapes of programs are codecs too, and UTF-7 lets a page be two.
    return found.name if _OF_PAGES.fullmatch(found.name) else ""


def _guessed(content: bytes, declared: str) -> str:
    if _codec(declared) == "utf-8":
        # A few broken bytes in what is said to be, and mostly is, UTF-8.
        readable = content.decode("utf-8", "ignore")
        if len(readable.encode()) > len(content) * 0.9:
            return "utf-8"
    # Comes with trafilatura, for which it does the same.
    from charset_normalizer import from_bytes

    best = from_bytes(content[:100_000]).best() if len(content) >= _TOO_SHORT else None
    return (best and _codec(best.encoding)) or "cp1252"
