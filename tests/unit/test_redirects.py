"""When a redirect is followed, and what is said of one that is not."""

import pytest

from turnkey.errors import AddressRefused, RedirectRefused
from turnkey.network.redirects import target

HERE = "https://shop.example.com/mcp"


def follow(location: str, *, status: int = 307, method: str = "POST", url: str = HERE, elsewhere: bool = False) -> str:
    return target(method, url, status, location, allow_private=False, elsewhere=elsewhere)


@pytest.mark.parametrize("status", [307, 308])
@pytest.mark.parametrize(
    ("location", "leads_to"),
    [
        ("/mcp/", "https://shop.example.com/mcp/"),
        ("mcp/v2", "https://shop.example.com/mcp/v2"),
        ("?x=1", "https://shop.example.com/mcp?x=1"),
        ("https://shop.example.com/mcp/", "https://shop.example.com/mcp/"),
        ("https://SHOP.example.com:443/mcp/", "https://SHOP.example.com:443/mcp/"),
        ("//shop.example.com/x", "https://shop.example.com/x"),
        ("/mcp/#top", "https://shop.example.com/mcp/"),
    ],
)
def test_a_redirect_within_the_origin_is_followed_with_the_request_as_it_was(
    status: int, location: str, leads_to: str
) -> None:
    assert follow(location, status=status) == leads_to


@pytest.mark.parametrize("status", [301, 302, 303])
def test_a_page_that_moved_within_the_origin_is_followed(status: int) -> None:
    assert follow("/new", status=status, method="GET") == "https://shop.example.com/new"


@pytest.mark.parametrize("status", [301, 302, 303])
def test_a_request_that_may_have_been_carried_out_is_not_repeated(status: int) -> None:
    with pytest.raises(RedirectRefused, match=r"register 'https://shop.example.com/mcp/'"):
        follow("/mcp/", status=status)


@pytest.mark.parametrize("location", ["https://other.example.com/mcp", "https://shop.example.com:8443/mcp", "//a.co/x"])
def test_another_origin_is_refused_and_named(location: str) -> None:
    with pytest.raises(RedirectRefused, match="another server: register 'https://"):
        follow(location)


def test_a_downgrade_to_http_is_refused_and_the_https_address_suggested() -> None:
    with pytest.raises(RedirectRefused, match=r"plain http: register 'https://shop.example.com/mcp/' instead"):
        follow("http://shop.example.com/mcp/")


PRIVATE = [
    "http://169.254.169.254/latest/meta-data/", "https://169.254.169.254/", "https://127.0.0.1/", "https://2130706433/",
    "https://localhost/", "https://metadata.google.internal/", "file:///etc/passwd", "gopher://127.0.0.1/",
    "https://[::1]/", "https://u:p@shop.example.com/", "https://shop.example.com\\@127.0.0.1/", "//127.0.0.1/",
    "\thttps://127.0.0.1/", "https://127.0.\n0.1/", "https://[::1/", "javascript:alert(1)",
]  # fmt: skip


@pytest.mark.parametrize("elsewhere", [False, True])
@pytest.mark.parametrize("location", PRIVATE)
def test_a_redirect_inside_is_refused_and_never_suggested(location: str, elsewhere: bool) -> None:
    with pytest.raises(RedirectRefused) as refused:
        follow(location, method="GET", status=302, elsewhere=elsewhere)
    assert "register" not in str(refused.value)


def test_a_redirect_to_nowhere_is_refused() -> None:
    with pytest.raises(RedirectRefused, match="says not where"):
        follow("")


def test_a_page_may_lead_elsewhere_when_that_was_asked_for() -> None:
    assert follow("https://a.co/x", status=301, method="GET", elsewhere=True) == "https://a.co/x"
    with pytest.raises(RedirectRefused, match="plain http"):
        follow("http://a.co/x", status=301, method="GET", elsewhere=True)


def test_a_refused_redirect_repeats_no_query() -> None:
    with pytest.raises(RedirectRefused) as refused:
        follow("https://other.example.com/?token=hunter2", url=f"{HERE}?key=hunter2")
    assert "hunter2" not in str(refused.value)


def test_a_refused_redirect_is_a_refused_address() -> None:
    assert issubclass(RedirectRefused, AddressRefused)
