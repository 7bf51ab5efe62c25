"""A page's text, title, date and links, from its bytes. Runs in a process of its own (bounded.py): a page is written by
strangers, and some are written to keep their reader busy."""

import re
from typing import Any, cast

from turnkey.public import charsets, unseen
from turnkey.public.addresses import joined
from turnkey.values import Value

MOST_CHARACTERS = 300_000
PDF_PAGES = 40
PDF_TYPE = "application/pdf"
HTML_TYPES = ("text/html", "application/xhtml+xml")
TEXT_TYPES = ("text/plain", "text/markdown", "application/json")
TITLE_CHARACTERS = 200
MOST_ELEMENTS = 6_000
"""Of a page that is looked through for its main part; of a larger one all text is taken."""
_BLOCKS = (
    *(
        "p",
        "div",
        "li",
        "ul",
        "ol",
        "tr",
        "td",
        "th",
        "table",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "br",
        "hr",
        "section",
    ),
    *("article", "header", "footer", "main", "aside", "blockquote", "pre", "dt", "dd", "figcaption", "caption"),
    *("address", "nav", "form"),
)
_SHORT = 80
"""A main part of fewer characters, of a page with several times as many, is none."""


class Text(Value):
    """What a page says. `cut` where there is more than was read."""

    text: str
    title: str = ""
    site: str = ""
    published: str = ""
    links: tuple[str, ...] = ()
    cut: bool = False


def extract(url: str, media_type: str, charset: str, content: bytes, *, simply: bool = False) -> Text:
    """`simply`: all of an HTML page's text, whatever its main part. Raises ValueError with what is wrong, in words."""
    if media_type == PDF_TYPE or content[:5] == b"%PDF-":
        return _pdf(content)
    text = charsets.decode(content, charset)
    if media_type in HTML_TYPES or _looks_like_html(text):
        return _html(url, text, simply=simply)
    return _cut(text, Text(text=""))


def _looks_like_html(text: str) -> bool:
    return bool(re.match(r"\s*(?:<!doctype html|<html[\s>])", text[:200], re.IGNORECASE))


def _cut(text: str, about: Text) -> Text:
    shown = re.sub(r"\n{3,}", "\n\n", text.replace("\x00", "")).strip()
    return about.model_copy(update={"text": shown[:MOST_CHARACTERS], "cut": len(shown) > MOST_CHARACTERS or about.cut})


def _html(url: str, html: str, *, simply: bool) -> Text:
    from trafilatura import load_html

    # A declaration of the coding the text had as bytes would be believed; and what does not say at once that it is HTML
    # would not be.
    tree: Any = load_html("<!DOCTYPE html>\n" + re.sub(r"^\s*(?:<\?xml[^>]*\?>)?\s*", "", html, count=1))
    if tree is None:
        raise ValueError("is no HTML that can be read")
    links = joined(url, (element.get("href") or "" for element in tree.iter("a")))
    title = _title(tree)
    unseen.drop(tree)
    plain = _all_text(tree)
    found = None if simply or sum(1 for _ in tree.iter()) > MOST_ELEMENTS else _main(tree)
    text = found.text if found else ""
    if len(text) < _SHORT and len(plain) > 3 * len(text):
        text = plain
    if not text:
        raise ValueError("has no text that can be read")
    about = (found or Text(text="")).model_copy(update={"title": title or (found.title if found else "")})
    return _cut(text, about.model_copy(update={"links": links}))


def _title(tree: Any) -> str:
    found = (" ".join((element.text or "")[: 4 * TITLE_CHARACTERS].split()) for element in tree.iter("title"))
    return next(found, "")[:TITLE_CHARACTERS]


def _main(tree: Any) -> Text | None:
    """The page's main part, as trafilatura finds it."""
    from trafilatura import bare_extraction

    found = cast(Any, bare_extraction(tree, with_metadata=True, include_comments=False, include_tables=True))
    if found is None:
        return None
    text, title, site, date = (str(getattr(found, name, None) or "") for name in ("text", "title", "sitename", "date"))
    return Text(text=text, title=title[:TITLE_CHARACTERS], site=site[:TITLE_CHARACTERS], published=date)


def _all_text(tree: Any) -> str:
    """Everything that is to be read on the page, a line a block. Linear in the page."""
    parts: list[str] = []
    size = 0
    body = next(iter(tree.iter("body")), tree)
    for event, element in _walk(body):
        if element.tag in _BLOCKS:
            parts.append("\n")
        piece = element.text if event == "start" else element.tail
        if piece and not (event == "end" and element is body):
            parts.append(piece)
            size += len(piece)
        if size > 2 * MOST_CHARACTERS:
            break
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)


def _walk(element: Any) -> Any:
    """(start, element) and (end, element), in the order of the text, however deep."""
    stack: list[tuple[str, Any]] = [("start", element)]
    while stack:
        event, one = stack.pop()
        yield event, one
        if event == "start":
            stack.append(("end", one))
            stack += [("start", child) for child in reversed(one) if isinstance(child.tag, str)]


def _pdf(content: bytes) -> Text:
    from io import BytesIO

    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(BytesIO(content), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise ValueError("is a PDF that is locked with a password")
        pages = len(reader.pages)
        parts: list[str] = []
        for number in range(min(pages, PDF_PAGES)):
            parts.append(reader.pages[number].extract_text() or "")
            if sum(map(len, parts)) > MOST_CHARACTERS:
                break
        title = str((reader.metadata.title if reader.metadata else "") or "")
    except (PyPdfError, RecursionError, ArithmeticError, LookupError, AttributeError, TypeError) as error:
        raise ValueError(f"is no PDF that can be read ({type(error).__name__})") from error
    text = "\n\n".join(parts)
    if not text.strip():
        raise ValueError("is a PDF without text, such as a scanned one")
    return _cut(text, Text(text="", title=title, cut=len(parts) < pages))
