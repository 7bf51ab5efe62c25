"""The network guard where it counts: at the connection."""

import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import anyio
import httpcore2
import httpx2
import pytest

from tests.support.serving import Server, send
from turnkey.channels import Outgoing
from turnkey.errors import AddressRefused, ReplyRefused, ResponseTooLarge, SendFailed
from turnkey.network import client as guarded
from turnkey.network.sending import HttpSender


class Site(Server):
    """Answers as told, and counts."""

    def __init__(self) -> None:
        super().__init__()
        self.status, self.body, self.headers = 200, b"hello", dict[str, str]()
        self.seen: list[str] = []

    def handle(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        self.seen.append(request.path)
        send(request, self.status, self.body, self.headers)


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as server:
        yield server


def get(url: str, *, allow_private: bool = False) -> httpx2.Response:
    async def fetch() -> httpx2.Response:
        async with guarded.client(allow_private=allow_private, seconds=5) as http:
            return await http.get(url)

    return anyio.run(fetch)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0", "[::1]", "[::ffff:127.0.0.1]"],
)
def test_this_machine_is_refused_in_every_spelling(site: Site, host: str) -> None:
    with pytest.raises((AddressRefused, httpx2.ConnectError, httpx2.InvalidURL)):
        get(f"https://{host}:{site.port}/")
    assert site.seen == []


def resolver(monkeypatch: pytest.MonkeyPatch, *answers: str) -> list[str]:
    """Each look-up gives the next of these addresses; the list has the hosts that were asked for."""
    waiting, asked = iter(answers), list[str]()

    async def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(waiting), port))]

    monkeypatch.setattr(anyio, "getaddrinfo", getaddrinfo)
    return asked


def connections(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that are really connected to; none is reached."""
    reached: list[str] = []

    async def connect_tcp(_: Any, host: str, *__: Any) -> Any:
        reached.append(host)
        raise httpcore2.ConnectError("not reached, by the test")

    monkeypatch.setattr(httpcore2.AnyIOBackend, "connect_tcp", connect_tcp)
    return reached


def test_a_name_that_leads_inside_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    resolver(monkeypatch, "10.0.0.1")
    reached = connections(monkeypatch)
    with pytest.raises(AddressRefused, match=r"10\.0\.0\.1"):
        get("https://shop.example.com/")
    assert reached == []


def test_the_address_that_was_checked_is_the_one_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = resolver(monkeypatch, "93.184.216.34", "169.254.169.254")
    reached = connections(monkeypatch)
    with pytest.raises(httpx2.ConnectError):
        get("https://shop.example.com/")
    assert (asked, reached) == (["shop.example.com"], ["93.184.216.34"])


def test_a_second_answer_that_leads_inside_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    resolver(monkeypatch, "93.184.216.34", "169.254.169.254")
    reached = connections(monkeypatch)
    with pytest.raises(httpx2.ConnectError):
        get("https://shop.example.com/")
    with pytest.raises(AddressRefused, match=r"169\.254\.169\.254"):
        get("https://shop.example.com/")
    assert reached == ["93.184.216.34"]


def test_a_redirect_is_not_followed(site: Site) -> None:
    site.status, site.headers = 302, {"location": "http://169.254.169.254/latest/meta-data/"}
    assert get(site.url("/"), allow_private=True).status_code == 302
    assert site.seen == ["/"]


def test_an_answer_without_end_is_cut_off(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded, "MAX_RESPONSE_BYTES", 1000)
    site.body = b"x" * 2000
    with pytest.raises(ResponseTooLarge):
        get(site.url("/"), allow_private=True)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (200, None), (204, None), (409, None), (408, SendFailed), (425, SendFailed), (429, SendFailed),
        (500, SendFailed), (503, SendFailed), (301, ReplyRefused), (400, ReplyRefused), (401, ReplyRefused),
        (404, ReplyRefused), (410, ReplyRefused),
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


def test_an_address_that_is_none_is_not_tried_again() -> None:
    with pytest.raises(ReplyRefused, match="reply_url"):
        HttpSender(allow_private=True).send(Outgoing(url="http://0177.0.0.1/", headers={}, body="{}"))


def test_a_reply_never_goes_to_a_private_address(site: Site) -> None:
    outgoing = Outgoing(url=f"https://127.0.0.1:{site.port}/", headers={}, body="{}")
    with pytest.raises(AddressRefused):
        HttpSender(allow_private=False).send(outgoing)
    assert site.seen == []
