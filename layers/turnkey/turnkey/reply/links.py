"""Links in a reply: only those that the customer, the tenant or a named source gave. Plain.

An address that a page put into the model's mouth could carry away what was said here, as soon as somebody, or a client
that shows previews, follows it.
"""

import re
from collections.abc import Iterable

_MARKDOWN = re.compile(r"!?\[([^\]\n]{0,300})\]\(\s*<?([^)\s>]{1,2000})>?[^)\n]{0,300}\)")
_HTML = re.compile(r"<(?:img|a|iframe|script|link|form|video|audio|source)\b[^>]{0,2000}>|</a>", re.IGNORECASE)
_URL = re.compile(
    r"(?:https?|ftp)://[^\s<>\"'`）」』】》，。、；]+|(?<![\w@.-])www\.[^\s<>\"'）」』】》，。、；]+", re.IGNORECASE
)
_PLACE = re.compile(r"(?<![\w@./-])(?:[a-z0-9-]{1,63}\.)+[a-z]{2,24}/[^\s<>\"'）」』】》，。、；]+", re.IGNORECASE)
_BEHIND = ".,;:!?)]}'\"*_"


def safe(text: str, allowed: str) -> str:
    """The text without links that do not stand in `allowed`: what there is of the customer's, the tenant's and the
    sources' own."""
    kept = _MARKDOWN.sub(lambda found: found[0] if _is_in(found[2], allowed) else found[1], text)
    kept = _HTML.sub("", kept)
    for pattern in (_URL, _PLACE):
        kept = pattern.sub(lambda found: _kept(found[0], allowed), kept)
    if kept == text:
        return text
    return re.sub(r"[ \t]{2,}", " ", re.sub(r"[ \t]+([.,;:!?])", r"\1", kept)).strip()


def _kept(found: str, allowed: str) -> str:
    bare = found.rstrip(_BEHIND)
    return found if _is_in(bare, allowed) else found[len(bare) :]


def _is_in(url: str, allowed: str) -> bool:
    place = allowed.find(url)
    while place >= 0:
        behind = allowed[place + len(url) :][:1]
        # Another address may begin with it: a query behind it is not its own.
        if not behind or behind.isspace() or behind in "<>\"'`)]}，。、；.,;:!?":
            return True
        place = allowed.find(url, place + 1)
    return False


def all_of(urls: Iterable[str]) -> str:
    """Addresses as `allowed` has them."""
    return "\n".join(urls)
