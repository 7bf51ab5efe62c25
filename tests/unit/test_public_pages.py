"""Which public pages are read: through the guard at every hop, where the site allows it, within bounds."""

import pytest

from tests.support import pdf
from tests.support.memory_web import Handler, Reply, Seen, Web
from turnkey.public.addresses import joined, may_read, plain, site, written_in
from turnkey.public.pages import MOST_BYTES, PageReader, PageText, Unread
from turnkey.public.robots import Robots

pytestmark = pytest.mark.long

HTML = (("content-type", "text/html; charset=utf-8"),)
PLAIN = (("content-type", "text/plain"),)
HOURS = "<p>The museum opens at nine in the morning and closes at five.</p>"


def site_of(pages: dict[str, Reply], robots: Reply | None = None) -> Handler:
    def answer(seen: Seen) -> Reply:
        if seen.path == "/robots.txt":
            return robots or Reply(404)
        return pages.get(seen.path, Reply(404))

    return answer


def html(body: str) -> Reply:
    return Reply(200, f"<html><head><title>T</title></head><body>{body}</body></html>".encode(), HTML)


def read(web: Web, url: str, *, allow_private: bool = False) -> PageText | Unread:
    kept: dict[str, Robots] = {}
    return PageReader(kept.get, kept.__setitem__, allow_private=allow_private, wires=web).read(url)


def test_a_page_is_read_after_its_robots_txt() -> None:
    web = Web()
    web.serve("museum.org", site_of({"/visit": html(HOURS)}))
    page = read(web, "https://museum.org/visit")
    assert isinstance(page, PageText)
    assert "opens at nine" in page.text.text
    assert web.requests_to("museum.org") == ["GET /robots.txt", "GET /visit"]
    assert all(seen.headers["user-agent"].startswith("Turnkey/") for seen in web.seen)


@pytest.mark.parametrize(
    ("rules", "allowed"),
    [
        ("User-agent: *\nDisallow: /visit", False),
        ("User-agent: Turnkey\nDisallow: /", False),
        ("User-agent: turnkey\nDisallow: /v*t$", False),
        ("User-agent: *\nDisallow: /\n\nUser-agent: Turnkey\nAllow: /visit\nDisallow: /", True),
        ("User-agent: Otherbot\nDisallow: /", True),
        ("User-agent: *\nDisallow: /private", True),
        ("User-agent: *\nDisallow:", True),
        ("", True),
        ("\x00\xff nonsense", True),
    ],
)
def test_robots_txt_decides(rules: str, allowed: bool) -> None:
    web = Web()
    web.serve("museum.org", site_of({"/visit": html(HOURS)}, Reply(200, rules.encode(), PLAIN)))
    page = read(web, "https://museum.org/visit")
    assert isinstance(page, PageText) == allowed
    assert ("GET /visit" in web.requests_to("museum.org")) == allowed


@pytest.mark.parametrize(
    ("status", "allowed"),
    [(404, True), (401, True), (403, True), (410, True), (429, False), (500, False), (503, False)],
)
def test_without_a_robots_txt_the_rfc_decides(status: int, allowed: bool) -> None:
    web = Web()
    web.serve("museum.org", site_of({"/visit": html(HOURS)}, Reply(status)))
    assert isinstance(read(web, "https://museum.org/visit"), PageText) == allowed


def test_robots_txt_is_asked_for_once_a_turn() -> None:
    web = Web()
    web.serve("museum.org", site_of({"/a": html(HOURS), "/b": html(HOURS)}))
    kept: dict[str, Robots] = {}
    reader = PageReader(kept.get, kept.__setitem__, allow_private=False, wires=web)
    reader.read("https://museum.org/a")
    reader.read("https://museum.org/b")
    assert web.requests_to("museum.org").count("GET /robots.txt") == 1


def to(url: str) -> Reply:
    return Reply(302, b"", (("location", url),))


def test_a_redirect_is_followed_and_its_site_asked_too() -> None:
    web = Web()
    web.serve("old.org", site_of({"/": to("https://new.org/visit")}))
    web.serve("new.org", site_of({"/visit": html(HOURS)}))
    page = read(web, "https://old.org/")
    assert isinstance(page, PageText)
    assert page.url == "https://new.org/visit"
    assert web.requests_to("new.org") == ["GET /robots.txt", "GET /visit"]


def test_a_redirect_to_where_robots_are_not_wanted_is_not_followed() -> None:
    web = Web()
    web.serve("old.org", site_of({"/": to("https://new.org/visit")}))
    web.serve("new.org", site_of({"/visit": html(HOURS)}, Reply(200, b"User-agent: *\nDisallow: /", PLAIN)))
    assert isinstance(read(web, "https://old.org/"), Unread)
    assert web.requests_to("new.org") == ["GET /robots.txt"]


@pytest.mark.parametrize(
    "target",
    ["http://169.254.169.254/latest/meta-data", "https://inside.org/", "http://museum.org/x", "file:///etc/passwd",
     "https://10.0.0.1/", "https://[::1]/", "//localhost/x", "https://user:pass@museum.org/"],
)  # fmt: skip
def test_a_redirect_out_of_the_open_internet_ends_there(target: str) -> None:
    web = Web()
    web.serve("museum.org", site_of({"/visit": to(target)}))
    web.name("inside.org", "10.1.2.3")
    assert isinstance(read(web, "https://museum.org/visit"), Unread)
    assert {seen.host for seen in web.seen} == {"museum.org"}


def test_redirects_in_a_circle_end() -> None:
    web = Web()
    web.serve("museum.org", site_of({"/a": to("/b"), "/b": to("/a")}))
    assert isinstance(read(web, "https://museum.org/a"), Unread)


@pytest.mark.parametrize("url", ["https://10.0.0.1/", "https://inside.org/", "https://localhost/", "ftp://museum.org/"])
def test_an_address_inside_a_network_is_never_asked(url: str) -> None:
    web = Web()
    web.name("inside.org", "192.168.1.1")
    assert isinstance(read(web, url), Unread)
    assert web.connected == []


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (Reply(404), "404"),
        (Reply(500), "500"),
        (Reply(200, b"x", (("content-type", "image/png"),)), "no page of text"),
        (Reply(200, b"x", (("content-type", "application/octet-stream"),)), "no page of text"),
        (Reply(200, b"x" * (MOST_BYTES + 1), HTML), "larger"),
        (Reply(200, b"", HTML), "no HTML"),
        (Reply(200, b"hello", (("content-type", "application/pdf"),)), "no PDF"),
    ],
)
def test_a_page_that_cannot_be_read_says_why(reply: Reply, why: str) -> None:
    web = Web()
    web.serve("museum.org", site_of({"/visit": reply}))
    page = read(web, "https://museum.org/visit")
    assert isinstance(page, Unread)
    assert why in page.why


def test_a_pdf_is_read() -> None:
    web = Web()
    document = Reply(200, pdf.lines("Open from 9:45 to 18:15"), (("content-type", "application/pdf"),))
    web.serve("museum.org", site_of({"/hours.pdf": document}))
    page = read(web, "https://museum.org/hours.pdf")
    assert isinstance(page, PageText)
    assert page.text.text == "Open from 9:45 to 18:15"


@pytest.mark.parametrize(
    ("url", "known", "allowed"),
    [
        ("https://a.org/x", "https://a.org/x", True),
        ("https://a.org/x#part", "https://a.org/x", True),
        ("https://A.org/x", "https://a.org/x", True),
        ("https://a.org", "https://a.org/", True),
        ("http://a.org/x", "https://a.org/x", True),
        ("https://a.org/x?q=ann%40shop.org", "https://a.org/x", False),
        ("https://a.org/x?q=1", "https://a.org/x?q=2", False),
        ("https://a.org/x/ann", "https://a.org/x", False),
        ("https://ann.a.org/x", "https://a.org/x", False),
        ("https://a.org:8443/x", "https://a.org/x", False),
        ("https://a.org/X", "https://a.org/x", False),
        ("https://a.org@evil.org/x", "https://a.org/x", False),
    ],
)
def test_only_an_address_that_was_shown_may_be_read(url: str, known: str, allowed: bool) -> None:
    assert may_read(url, (known,)) == allowed


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("See https://a.org/x?y=1.", ("https://a.org/x?y=1",)),
        ("(https://a.org/x)", ("https://a.org/x",)),
        ("请看https://a.org/路径，谢谢", ("https://a.org/路径",)),
        ("www.a.org/x を見て", ("https://www.a.org/x",)),
        ("mail ann@a.org", ()),
        ("javascript:alert(1) file:///etc/passwd", ()),
    ],
)
def test_addresses_in_a_customers_message_are_found(text: str, found: tuple[str, ...]) -> None:
    assert written_in(text) == found


def test_links_of_a_page_are_kept_whole_and_no_others() -> None:
    links = ("/b?x=1#top", "c", "mailto:a@b.org", "javascript:x", "https://other.org/", "http://[broken")
    assert joined("https://a.org/d/e", links) == ("https://a.org/b?x=1", "https://a.org/d/c", "https://other.org/")


def test_plain_http_becomes_https_unless_that_is_allowed() -> None:
    assert plain("HTTP://a.org/x#y", allow_private=False) == "https://a.org/x"
    assert plain("http://127.0.0.1:8/x", allow_private=True) == "http://127.0.0.1:8/x"
    assert site("https://www.a.org/x") == "a.org"
