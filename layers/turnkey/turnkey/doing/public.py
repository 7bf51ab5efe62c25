"""search_web and read_page: what the function browse does. Each call ends within 30 seconds."""

from turnkey.deliverables import Source, Sources
from turnkey.public import addresses, masking, wording
from turnkey.public.pages import PageReader, PageText, Unread
from turnkey.public.providers import QUERY_CHARACTERS, Found
from turnkey.public.searching import NotFound, search
from turnkey.store.pages import PageStore
from turnkey.store.secrets import SecretStore
from turnkey.telemetry import logger
from turnkey.tools import CallOutcome
from turnkey.turn.station import Done, Task

NOTHING_FOUND = "No public page was found for this. Do not guess: say so."
OFF = "This agent has no public sources any more. Go on without them."
NOT_SHOWN = (
    "Only addresses that a search has shown, that the customer wrote, or that a page which was read links to can be "
    "read, exactly as they stand there. Nothing was asked for."
)
MORE = "[The page goes on: only its beginning was read.]"
_LONGEST_URL = 2_000


class Browser:
    def __init__(self, secrets: SecretStore, pages: PageStore, *, allow_private: bool) -> None:
        self._secrets = secrets
        self._pages = pages
        self._allow_private = allow_private

    def search(self, task: Task) -> Done:
        sources = task.agent.public
        if sources is None:
            return _failed(OFF)
        query = masking.query(str(task.call.arguments["query"]), QUERY_CHARACTERS)
        if not query:
            return _failed("The query has no words to search for.")
        found = search(sources, query, task.record.language, self._secrets.get, allow_private=self._allow_private)
        if isinstance(found, NotFound):
            logger.warning("public search failed", trouble=found.trouble, remedy=found.operator)
            return Done(outcome=CallOutcome(status="error", text=found.told, error=found.trouble))
        return self._listed(task, query, found)

    def _listed(self, task: Task, query: str, found: tuple[Found, ...]) -> Done:
        shown = [one for one in found if _is_address(one.url)]
        if not shown:
            return Done(outcome=CallOutcome(status="ok", text=NOTHING_FOUND))
        urls = tuple(addresses.plain(one.url, allow_private=self._allow_private) for one in shown)
        self._pages.show(task.reference, f"search {query}", urls, task.now)
        entries = (_entry(number, url, one) for number, (url, one) in enumerate(zip(urls, shown, strict=True), start=1))
        text = "\n".join((wording.LIST_HEAD, *entries, wording.LIST_TAIL))
        sources = tuple(_source(url, one.title) for url, one in zip(urls, shown, strict=True))
        return Done(outcome=CallOutcome(status="ok", text=text), meaning={"deliverable": Sources(sources=sources)})

    def read(self, task: Task) -> Done:
        if task.agent.public is None:
            return _failed(OFF)
        url = self._allowed(task, str(task.call.arguments["url"]))
        if not url:
            return _failed(NOT_SHOWN)
        page = self._pages.page(task.reference, url, task.now) or self._fetch(task, url)
        if isinstance(page, Unread):
            return _failed(f"{page.why} Go on without this page.")
        text = page.text
        said = wording.page(page.url, text.title or text.site, text.published, text.text)
        outcome = CallOutcome(status="ok", text=f"{said}\n{MORE}" if text.cut else said)
        return Done(outcome=outcome, meaning={"deliverable": Sources(sources=(_source(page.url, text.title),))})

    def _allowed(self, task: Task, asked: str) -> str:
        """The address as it was shown; empty where it was not."""
        wanted = addresses.plain(asked, allow_private=self._allow_private)
        own = (message.text for message in task.record.messages if message.origin == "customer")
        said = [*own, *(exchange.question for exchange in task.record.history)]
        written = [url for text in said for url in addresses.written_in(text)]
        known = (*written, *self._pages.shown(task.reference, task.now))
        found = next((url for url in known if addresses.may_read(wanted, (url,))), "")
        return addresses.plain(found, allow_private=self._allow_private) if found else ""

    def _fetch(self, task: Task, url: str) -> PageText | Unread:
        reference, now = task.reference, task.now
        reader = PageReader(
            lambda place: self._pages.robots(reference, place, now),
            lambda place, rules: self._pages.keep_robots(reference, place, rules, now),
            allow_private=self._allow_private,
        )
        page = reader.read(url)
        if isinstance(page, PageText):
            self._pages.keep_page(reference, url, page, now)
            self._pages.show(reference, url, page.text.links, now)
        return page


def _failed(text: str) -> Done:
    return Done(outcome=CallOutcome(status="error", text=text))


def _is_address(url: str) -> bool:
    usable = url.lower().startswith(("http://", "https://")) and len(url) <= _LONGEST_URL
    return usable and url.isprintable() and " " not in url


def _entry(number: int, url: str, found: Found) -> str:
    title = wording.line(found.title, wording.TITLE_CHARACTERS) or addresses.site(url)
    dated = f" ({wording.line(found.published, 40)})" if found.published else ""
    snippet = wording.line(found.snippet, wording.SNIPPET_CHARACTERS)
    return wording.quoted(f"{number}. {title}{dated}\n{url}\n{snippet}")


def _source(url: str, title: str) -> Source:
    return Source(url=url, title=wording.line(title, wording.TITLE_CHARACTERS), site=addresses.site(url))
