"""The network guard where it counts: at the connection."""

import ssl
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from tests.support.serving import Server, send
from tests.support.tls import Authority
from tests.support.wires import PUBLIC, SHOP, TestWires, leading_to
from tests.unit.test_addresses import PRIVATE
from turnkey.channels import Outgoing
from turnkey.errors import AddressRefused, RedirectRefused, ReplyRefused, ResponseTooLarge, SendFailed
from turnkey.network import client as guarded
from turnkey.network.fetching import NoPage, Page, fetch
from turnkey.network.sending import HttpSender


class Site(Server):
    """Answers as told, and keeps what it was asked."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        super().__init__()
        if tls:
            self._http.socket = tls.wrap_socket(self._http.socket, server_side=True)
        self.status, self.body, self.headers = 200, b"hello", dict[str, str]()
        self.redirects: dict[str, tuple[int, str]] = {}
        """By path: status and location."""
        self.asked: list[tuple[str, str, dict[str, str], bytes]] = []

    @property
    def seen(self) -> list[str]:
        return [f"{method} {path}" for method, path, _, _ in self.asked]

    def handle(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.asked.append((request.command, request.path, headers, body))
        status, location = self.redirects.get(request.path, (self.status, ""))
        send(
            request,
            status,
            b"" if location else self.body,
            {**self.headers, **({"location": location} if location else {})},
        )


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as server:
        yield server


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(Path(tmp_path_factory.mktemp("certificates")))


@pytest.fixture
def shop_site(authority: Authority, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A server that proves to be the shop, and clients that believe the tests' authority."""
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.bundle))
    guarded._ssl_context.cache_clear()
    with Site(authority.server_context(SHOP)) as server:
        yield server
    guarded._ssl_context.cache_clear()


def ask(url: str, method: str = "GET", *, allow_private: bool = False, **options: Any) -> httpx2.Response:
    """One request through a client of its own; `content` and `per_request` headers go with the request."""
    sent = {"content": options.pop("content", None), "headers": options.pop("per_request", None)}

    async def exchange() -> httpx2.Response:
        async with guarded.client(allow_private=allow_private, seconds=5, **options) as http:
            return await http.request(method, url, **sent)

    return anyio.run(exchange)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0", "[::1]", "[::ffff:127.0.0.1]",
     "①②⑦.⓪.⓪.①", "127.0.0.1.", "LOCALHOST.", "%31%32%37.0.0.1", "u:p@127.0.0.1", "[::1%25lo]"],
)  # fmt: skip
def test_this_machine_is_refused_in_every_spelling_without_a_look_up(site: Site, host: str) -> None:
    wires = TestWires({}, site.port)
    with pytest.raises((AddressRefused, httpx2.InvalidURL)):
        ask(f"https://{host}:{site.port}/", wires=wires)
    assert (wires.asked, wires.reached, site.asked) == ([], [], [])


@pytest.mark.parametrize("address", [address for address in PRIVATE if "%" not in address])
def test_a_name_that_leads_inside_is_refused(address: str) -> None:
    wires = leading_to(address, port=9)
    with pytest.raises(AddressRefused, match="which is not a public address"):
        ask(f"https://{SHOP}/", wires=wires)
    assert wires.reached == []


@pytest.mark.parametrize(
    "addresses",
    [[PUBLIC, "10.0.0.1"], ["10.0.0.1", PUBLIC], [PUBLIC, "::1"], ["2606:4700::1", PUBLIC, "fd00::1"], [PUBLIC, "fe80::1%2"]],
)  # fmt: skip
def test_one_private_address_among_public_ones_refuses_the_name(addresses: list[str]) -> None:
    wires = leading_to(*addresses, port=9)
    with pytest.raises(AddressRefused):
        ask(f"https://{SHOP}/", wires=wires)
    assert wires.reached == []


def test_the_address_that_was_checked_is_the_one_connected_to() -> None:
    wires = TestWires({SHOP: [[PUBLIC], ["169.254.169.254"]]})
    with pytest.raises(httpx2.ConnectError):
        ask(f"https://{SHOP}/", wires=wires)
    assert (wires.asked, wires.reached) == ([SHOP], [(PUBLIC, 443)])


def test_a_second_answer_that_leads_inside_is_refused() -> None:
    wires = TestWires({SHOP: [[PUBLIC], ["169.254.169.254"]]})
    with pytest.raises(httpx2.ConnectError):
        ask(f"https://{SHOP}/", wires=wires)
    with pytest.raises(AddressRefused, match=r"169\.254\.169\.254"):
        ask(f"https://{SHOP}/", wires=wires)
    assert wires.reached == [(PUBLIC, 443)]


def test_a_name_with_many_addresses_is_not_tried_for_ever() -> None:
    wires = leading_to(*(f"93.184.216.{n}" for n in range(100)))
    with pytest.raises(httpx2.ConnectError):
        ask(f"https://{SHOP}/", wires=wires)
    assert len(wires.reached) <= 8


def test_a_public_host_is_allowed_and_its_certificate_checked_against_the_name(shop_site: Site) -> None:
    wires = leading_to(PUBLIC, port=shop_site.port)
    assert ask(f"https://{SHOP}/mcp", wires=wires).text == "hello"
    assert wires.reached == [(PUBLIC, 443)]
    assert shop_site.asked[0][2]["host"] == SHOP


def test_a_certificate_for_another_name_is_refused(shop_site: Site) -> None:
    wires = TestWires({"other.example.com": [[PUBLIC]]}, shop_site.port)
    with pytest.raises(httpx2.ConnectError, match=r"(?i)certificate|hostname"):
        ask("https://other.example.com/", wires=wires)
    assert shop_site.asked == []


def test_a_certificate_of_an_unknown_authority_is_refused(authority: Authority) -> None:
    guarded._ssl_context.cache_clear()
    with Site(authority.server_context(SHOP)) as server, pytest.raises(httpx2.ConnectError):
        ask(f"https://{SHOP}/", wires=leading_to(PUBLIC, port=server.port))


def test_a_redirect_within_the_origin_repeats_the_request_whole(shop_site: Site) -> None:
    shop_site.redirects = {"/mcp": (307, "/mcp/")}
    wires = leading_to(PUBLIC, port=shop_site.port)
    answer = ask(
        f"https://{SHOP}/mcp", "POST", wires=wires, headers={"authorization": "Bearer t"}, content=b'{"id": 1}'
    )
    assert answer.text == "hello"
    assert shop_site.seen == ["POST /mcp", "POST /mcp/"]
    assert {(headers.get("authorization"), body) for _, _, headers, body in shop_site.asked} == {
        ("Bearer t", b'{"id": 1}')
    }


def test_redirects_end_after_five(site: Site) -> None:
    site.redirects = {f"/{n}": (307, f"/{n + 1}") for n in range(20)}
    with pytest.raises(RedirectRefused, match="more than 5 times"):
        ask(site.url("/0"), allow_private=True)
    assert len(site.asked) == 6
    site.asked.clear()
    assert ask(site.url("/15"), allow_private=True).text == "hello"


@pytest.mark.parametrize(
    "location",
    ["https://other.example.com/", f"http://{SHOP}/", "https://169.254.169.254/", "http://169.254.169.254/latest/",
     f"https://{SHOP}:8443/", "file:///etc/passwd"],
)  # fmt: skip
def test_a_redirect_away_is_refused_and_nothing_more_is_sent(shop_site: Site, location: str) -> None:
    shop_site.redirects = {"/": (302, location)}
    wires = TestWires({SHOP: [[PUBLIC]], "other.example.com": [[PUBLIC]]}, shop_site.port)
    with pytest.raises(RedirectRefused):
        ask(f"https://{SHOP}/", wires=wires, headers={"authorization": "Bearer t"})
    assert (wires.asked, shop_site.seen) == ([SHOP], ["GET /"])


def test_a_page_elsewhere_gets_none_of_the_sender_s_headers(shop_site: Site, authority: Authority) -> None:
    with Site(authority.server_context("other.example.com")) as other:
        shop_site.redirects = {"/": (302, "https://other.example.com/page")}
        wires = TestWires({SHOP: [[PUBLIC]], "other.example.com": [["8.8.8.8"]]}, shop_site.port)
        connect = wires.connect

        async def connect_by_address(address: str, port: int, seconds: float | None) -> Any:
            wires._port = other.port if address == "8.8.8.8" else shop_site.port
            return await connect(address, port, seconds)

        wires.connect = connect_by_address
        secret = {"authorization": "Bearer t", "x-api-key": "k", "cookie": "c=1"}
        answer = ask(f"https://{SHOP}/", wires=wires, elsewhere=True, headers=secret, per_request={"x-more": "secret"})
    assert answer.text == "hello"
    assert secret.items() <= shop_site.asked[0][2].items()
    assert other.asked[0][2]["host"] == "other.example.com"
    assert not {"authorization", "x-api-key", "cookie", "x-more"} & other.asked[0][2].keys()


def test_each_hop_is_looked_up_and_checked(shop_site: Site) -> None:
    shop_site.redirects = {"/": (302, "https://other.example.com/")}
    wires = TestWires({SHOP: [[PUBLIC]], "other.example.com": [["10.0.0.1"]]}, shop_site.port)
    with pytest.raises(AddressRefused, match=r"10\.0\.0\.1"):
        ask(f"https://{SHOP}/", wires=wires, elsewhere=True)
    assert wires.reached == [(PUBLIC, 443)]


def test_a_client_s_headers_go_to_the_first_server_alone(site: Site) -> None:
    async def exchange() -> None:
        async with guarded.client(allow_private=True, seconds=5, headers={"Authorization": "Bearer t"}) as http:
            await http.get(site.url("/"))
            await http.get(site.url("/again"))
            await http.get(other.url("/"))

    with Site() as other:
        anyio.run(exchange)
    assert [headers.get("authorization") for _, _, headers, _ in site.asked] == ["Bearer t", "Bearer t"]
    assert "authorization" not in other.asked[0][2]


def test_the_host_header_is_the_address_s_own(site: Site) -> None:
    ask(site.url("/"), allow_private=True, headers={"Host": "internal.example.com"})
    assert site.asked[0][2]["host"] == f"127.0.0.1:{site.port}"


def test_no_cookie_is_kept(site: Site) -> None:
    site.headers = {"set-cookie": "session=1; Path=/"}

    async def exchange() -> None:
        async with guarded.client(allow_private=True, seconds=5) as http:
            for _ in range(2):
                assert "set-cookie" not in (await http.get(site.url("/"))).headers
            assert len(http.cookies) == 0

    anyio.run(exchange)
    assert not any("cookie" in headers for _, _, headers, _ in site.asked)


def test_no_proxy_and_no_password_of_the_environment_is_used(
    site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("default login u password p\n")
    monkeypatch.setenv("NETRC", str(netrc))
    with Site() as proxy:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url())
            monkeypatch.setenv(name.lower(), proxy.url())
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        assert ask(site.url("/"), allow_private=True).text == "hello"
        assert (proxy.asked, site.seen) == ([], ["GET /"])
    assert "authorization" not in site.asked[0][2]


@pytest.mark.parametrize(
    ("url", "redirect", "told"),
    [
        ("https://127.0.0.1/", None, AddressRefused),
        ("https://nowhere.example.com/", None, httpx2.ConnectError),
        (f"https://{SHOP}/", (308, "https://other.example.com/"), RedirectRefused),
        (f"https://{SHOP}/", (302, "https://other.example.com/"), None),
        (f"https://{SHOP}/", None, None),
    ],
)
def test_who_asked_is_told_when_a_request_was_certainly_not_carried_out(
    shop_site: Site, url: str, redirect: tuple[int, str] | None, told: type[Exception] | None
) -> None:
    unsent: list[Exception] = []
    shop_site.redirects = {"/": redirect} if redirect else {}
    with suppress(AddressRefused, httpx2.HTTPError):
        ask(url, "POST", wires=leading_to(PUBLIC, port=shop_site.port), on_unsent=unsent.append, content=b"{}")
    assert [type(error) for error in unsent] == ([told] if told else [])


def test_a_page_is_fetched(shop_site: Site) -> None:
    shop_site.redirects = {"/old": (301, "/new")}
    shop_site.body, shop_site.headers = b"<p>hi", {"content-type": 'text/html; charset="UTF-8"'}
    wires = leading_to(PUBLIC, port=shop_site.port)
    page = anyio.run(lambda: fetch(f"https://{SHOP}/old#part", allow_private=False, wires=wires))
    assert page == Page(url=f"https://{SHOP}/new", media_type="text/html", charset="utf-8", content=b"<p>hi")


@pytest.mark.parametrize(
    ("url", "answer", "reason"),
    [
        ("https://10.0.0.1/", (200, b"", {}), "refused"),
        ("https://exa\tmple.com/", (200, b"", {}), "refused"),
        (f"https://{SHOP}/", (302, b"", {"location": "https://a.co/"}), "redirected"),
        ("https://nowhere.example.com/", (200, b"", {}), "unreachable"),
        (f"https://{SHOP}/", (404, b"", {"content-type": "text/html"}), "status"),
        (f"https://{SHOP}/", (200, b"%PDF", {"content-type": "application/pdf"}), "media_type"),
        (f"https://{SHOP}/", (200, b"?", {}), "media_type"),
        (f"https://{SHOP}/", (200, b"x" * 2000, {"content-type": "text/html"}), "too_large"),
    ],
)
def test_a_page_that_cannot_be_had_is_an_outcome_with_its_reason(
    shop_site: Site, url: str, answer: tuple[int, bytes, dict[str, str]], reason: str
) -> None:
    shop_site.status, shop_site.body, shop_site.headers = answer
    wires = leading_to(PUBLIC, port=shop_site.port)
    outcome = anyio.run(lambda: fetch(url, allow_private=False, max_bytes=1000, wires=wires))
    assert isinstance(outcome, NoPage)
    assert outcome.reason == reason
    assert outcome.message


def test_an_answer_without_end_is_cut_off(site: Site) -> None:
    site.body = b"x" * 2000
    with pytest.raises(ResponseTooLarge, match="1,000 bytes"):
        ask(site.url("/"), allow_private=True, max_bytes=1000)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (200, None), (204, None), (409, None), (408, SendFailed), (425, SendFailed), (429, SendFailed),
        (500, SendFailed), (503, SendFailed), (304, ReplyRefused), (400, ReplyRefused), (401, ReplyRefused),
        (404, ReplyRefused), (410, ReplyRefused), (301, RedirectRefused),
    ],
)  # fmt: skip
def test_what_a_receiver_answers_decides_whether_it_is_asked_again(
    site: Site, status: int, error: type[Exception] | None
) -> None:
    site.status, site.body = status, b""
    outgoing = Outgoing(url=site.url("/replies"), headers={}, body="{}")
    if error is None:
        HttpSender(allow_private=True).send(outgoing)
    else:
        with pytest.raises(error):
            HttpSender(allow_private=True).send(outgoing)


@pytest.mark.parametrize(
    "url", ["http://0177.0.0.1/", "https://exa mple.com/", "https://[::1/", "reply", "http://a:b@127.0.0.1/"]
)
def test_an_address_that_is_none_is_not_tried_again(url: str) -> None:
    with pytest.raises(AddressRefused):
        HttpSender(allow_private=True).send(Outgoing(url=url, headers={}, body="{}"))


def test_a_reply_never_goes_to_a_private_address(site: Site) -> None:
    outgoing = Outgoing(url=f"https://127.0.0.1:{site.port}/", headers={}, body="{}")
    with pytest.raises(AddressRefused):
        HttpSender(allow_private=False).send(outgoing)
    assert site.seen == []
