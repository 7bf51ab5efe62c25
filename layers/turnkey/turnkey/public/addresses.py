"""Which addresses a turn may read: those that a search found, that the customer wrote, or that a page it read links to.

A page's words must not make the platform carry anything away: an address that a model has made up, or has added
something to, is none of these.
"""

import re
from collections.abc import Iterable
from urllib.parse import urldefrag, urljoin, urlsplit

MOST_LINKS = 150
"""Kept of one page."""
_LONGEST = 2_000
_URL = re.compile(r"https?://[^\s<>\"'`{}|\\^\[\]（）「」『』【】《》，。、；：！？]+", re.IGNORECASE)
_BARE = re.compile(r"(?<![\w@./-])(?:www\.)[\w.-]+\.[a-z]{2,}(?:/[^\s<>\"'，。、]*)?", re.IGNORECASE)
_BEHIND = ".,;:!?)]}'\""


def plain(url: str, *, allow_private: bool) -> str:
    """The address as it is asked for: without a fragment; https where nothing else is allowed anyway."""
    bare = urldefrag(url.strip()).url
    scheme, found, rest = bare.partition("://")
    if not found:
        return f"https://{bare}" if bare else ""
    plain_http = scheme.lower() == "http" and not allow_private
    return f"{'https' if plain_http else scheme.lower()}://{rest}"


def same(url: str) -> str:
    """What two spellings of one address have in common."""
    parts = urlsplit(url)
    return f"{parts.netloc.lower()}{parts.path or '/'}{'?' + parts.query if parts.query else ''}"


def may_read(url: str, known: Iterable[str]) -> bool:
    """Whether the address is one of those, letter by letter but for its fragment and for http or https."""
    wanted = same(urldefrag(url).url)
    return any(same(urldefrag(one).url) == wanted for one in known)


def written_in(text: str) -> tuple[str, ...]:
    """The addresses that stand in a customer's message."""
    found = [match.rstrip(_BEHIND) for match in _URL.findall(text)]
    found += [f"https://{match.rstrip(_BEHIND)}" for match in _BARE.findall(text)]
    return tuple(url for url in dict.fromkeys(found) if len(url) <= _LONGEST)


def joined(base: str, links: Iterable[str]) -> tuple[str, ...]:
    """Where a page's links lead."""
    found: dict[str, None] = {}
    for link in links:
        try:
            url = urldefrag(urljoin(base, link.strip())).url
        except ValueError:
            continue
        if url.lower().startswith(("http://", "https://")) and len(url) <= _LONGEST:
            found[url] = None
        if len(found) >= MOST_LINKS:
            break
    return tuple(found)


def site(url: str) -> str:
    """The host as people know it."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.")
