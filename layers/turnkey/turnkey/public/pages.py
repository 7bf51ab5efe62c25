"""Reading one public page: the guard, the site's robots.txt and the limits hold at every hop."""

import time
from collections.abc import Callable
from functools import partial

import anyio

from turnkey.network.fetching import NoPage, Page, fetch
from turnkey.network.redirects import MAX_REDIRECTS
from turnkey.network.wires import Wires
from turnkey.public import addresses, bounded, extracting, robots
from turnkey.public.extracting import HTML_TYPES, PDF_TYPE, TEXT_TYPES, Text
from turnkey.public.robots import USER_AGENT, Robots
from turnkey.values import Value

MOST_BYTES = 3 * 1024 * 1024
FETCH_SECONDS = 9.0
"""For all hops together, robots.txt left out: they have time of their own, each."""
WHOLE_SECONDS = 12.0
"""For everything but the reading of what came."""
READ_SECONDS = 4.0
SIMPLE_SECONDS = 2.0
TYPES = (*HTML_TYPES, *TEXT_TYPES, PDF_TYPE)
_ROBOTS_TYPES = ("text/plain",)

FindRobots = Callable[[str], Robots | None]
KeepRobots = Callable[[str, Robots], None]


class PageText(Value):
    """A page that was read. `url` is where it stood in the end."""

    url: str
    text: Text


class Unread(Value):
    """Why a page could not be read, in words for the model."""

    why: str


class PageReader:
    """`find` and `keep` remember robots.txt for the turn, by its address. One page after the other: a site is never
    asked for two at the same time."""

    def __init__(self, find: FindRobots, keep: KeepRobots, *, allow_private: bool, wires: Wires | None = None) -> None:
        self._find = find
        self._keep = keep
        self._allow_private = allow_private
        self._wires = wires

    def read(self, url: str) -> PageText | Unread:
        """The page's text. Every failure is an outcome, none is raised."""
        deadline = time.monotonic() + WHOLE_SECONDS
        for _ in range(MAX_REDIRECTS + 1):
            refused = self._refused(url)
            if refused:
                return refused
            got = self._fetch(url, min(FETCH_SECONDS, deadline - time.monotonic()))
            if isinstance(got, Page):
                return _text(got)
            if not got.to:
                return Unread(why=_why(got))
            url = got.to
        return Unread(why="The page sends its reader from one address to the next without an end.")

    def _refused(self, url: str) -> Unread | None:
        place = robots.place(url)
        rules = self._find(place)
        if rules is None:
            rules = self._robots(place)
            self._keep(place, rules)
        if rules.allow(url):
            return None
        if rules.verdict == "none":
            return Unread(why="The site cannot be asked whether it may be read (its robots.txt), so it is not.")
        return Unread(why="The site does not want to be read by programs (its robots.txt says so).")

    def _robots(self, place: str) -> Robots:
        got = self._get(place, robots.SECONDS, _ROBOTS_TYPES, robots.MOST_BYTES, follow=True)
        if isinstance(got, NoPage):
            return robots.without_file(got.reason, got.status)
        return Robots(text=got.content.decode("utf-8", "replace"))

    def _fetch(self, url: str, seconds: float) -> Page | NoPage:
        if seconds <= 0:
            return NoPage(reason="timed_out", message="no time is left")
        return self._get(url, seconds, TYPES, MOST_BYTES, follow=False)

    def _get(
        self, url: str, seconds: float, media_types: tuple[str, ...], max_bytes: int, *, follow: bool
    ) -> Page | NoPage:
        return anyio.run(
            partial(
                fetch,
                url,
                allow_private=self._allow_private,
                media_types=media_types,
                max_bytes=max_bytes,
                seconds=seconds,
                elsewhere=True,
                follow=follow,
                headers={"user-agent": USER_AGENT},
                wires=self._wires,
            )
        )


def _text(page: Page) -> PageText | Unread:
    work = partial(extracting.extract, page.url, page.media_type, page.charset, page.content)
    # Imported here, or each process of its own would import them again.
    _import(page.media_type)
    try:
        try:
            found = bounded.run(Text, work, READ_SECONDS)
        except bounded.Overrun:
            if page.media_type == PDF_TYPE:
                raise
            found = bounded.run(Text, partial(work, simply=True), SIMPLE_SECONDS)
    except (bounded.Overrun, ValueError) as error:
        return Unread(why=f"The page {error}.")
    return PageText(url=page.url, text=found)


def _import(media_type: str) -> None:
    if media_type == PDF_TYPE:
        import pypdf  # noqa: F401  # pyright: ignore[reportUnusedImport]
    else:
        import trafilatura  # noqa: F401  # pyright: ignore[reportUnusedImport]


def _why(got: NoPage) -> str:
    match got.reason:
        case "status":
            return f"The page is not to be had: its server answers with status {got.status}."
        case "media_type":
            return "What is there is no page of text: it is a picture, a program or the like."
        case "too_large":
            return f"The page is larger than {MOST_BYTES // 1024 // 1024} MB."
        case "timed_out":
            return "The page's server did not answer in time."
        case "refused" | "redirected":
            return "The page has an address that must not be used, or leads to one."
        case "unreachable":
            return "The page's server could not be reached."


def readable(url: str, *, allow_private: bool) -> str:
    """The address as it is asked for."""
    return addresses.plain(url, allow_private=allow_private)
