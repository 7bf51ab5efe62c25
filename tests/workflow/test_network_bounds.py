"""Whatever a server sends, and however slowly: bounded in memory and in time."""

import gzip
import os
import socket
import time
import tracemalloc
import zlib
from collections.abc import Callable
from typing import Any

import anyio
import httpx2
import pytest

from tests.support.raw_server import RawServer
from turnkey.errors import ResponseTooLarge
from turnkey.network.client import client
from turnkey.network.fetching import NoPage, fetch

pytestmark = pytest.mark.long

Play = Callable[[socket.socket], None]


def ask(play: Play, *, seconds: float = 5, **options: Any) -> bytes:
    async def exchange(url: str) -> bytes:
        async with client(allow_private=True, seconds=seconds, **options) as http:
            return (await http.get(url)).content

    with RawServer(play) as server:
        return anyio.run(exchange, server.url)


def whole(body: bytes, *headers: str) -> Play:
    lines = ["HTTP/1.1 200 OK", f"content-length: {len(body)}", *headers, "", ""]
    return lambda connection: connection.sendall("\r\n".join(lines).encode() + body)


def repeated(start: bytes, piece: bytes, pause: float = 0) -> Play:
    """`piece` without end."""

    def play(connection: socket.socket) -> None:
        connection.sendall(start)
        while True:
            connection.sendall(piece)
            time.sleep(pause)

    return play


@pytest.mark.parametrize(
    ("coding", "packed"),
    [
        ("gzip", gzip.compress(b"hello", mtime=0)),
        ("x-gzip", gzip.compress(b"hello", mtime=0)),
        ("GZIP", gzip.compress(b"hel", mtime=0) + gzip.compress(b"lo", mtime=0)),
        ("deflate", zlib.compress(b"hello")),
        ("identity", b"hello"),
    ],
)
def test_an_answer_that_is_compressed_all_the_same_is_read(coding: str, packed: bytes) -> None:
    assert ask(whole(packed, f"content-encoding: {coding}")) == b"hello"


@pytest.mark.parametrize("coding", ["br", "zstd", "compress", "gzip, gzip", "gzip, identity", "x"])
def test_a_coding_that_cannot_be_bounded_is_not_read(coding: str) -> None:
    with pytest.raises(httpx2.DecodingError, match="coding"):
        ask(whole(b"...", f"content-encoding: {coding}"))


@pytest.mark.parametrize("packed", [b"no gzip at all", gzip.compress(b"hello" * 100, mtime=0)[:20] + b"garbage" * 9])
def test_a_body_that_is_not_what_it_says_is_an_error(packed: bytes) -> None:
    with pytest.raises(httpx2.DecodingError):
        ask(whole(packed, "content-encoding: gzip"))


def test_a_small_body_that_holds_a_huge_one_never_unfolds() -> None:
    bomb = gzip.compress(b"\0" * 200_000_000, 9, mtime=0)
    assert len(bomb) < 250_000
    tracemalloc.start()
    with pytest.raises(ResponseTooLarge, match="1,000,000 bytes"):
        ask(whole(bomb, "content-encoding: gzip"), max_bytes=1_000_000)
    assert tracemalloc.get_traced_memory()[1] < 8_000_000
    tracemalloc.stop()


HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"transfer-encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("play", "error"),
    [
        (repeated(HEAD + b"content-length: 9999999999\r\n\r\n", b"x" * 65536), ResponseTooLarge),
        (repeated(HEAD + b"\r\n", b"x" * 65536), ResponseTooLarge),
        (repeated(CHUNKED, b"1000\r\n" + b"x" * 4096 + b"\r\n"), ResponseTooLarge),
        (repeated(CHUNKED, b"1;" + b"e" * 50_000 + b"\r\nx\r\n"), ResponseTooLarge),
        (repeated(HEAD, b"x: " + b"y" * 8000 + b"\r\n"), httpx2.RemoteProtocolError),
        (repeated(HEAD + b"x: ", b"y" * 65536), httpx2.RemoteProtocolError),
        (repeated(b"", b"HTTP/1.1 103 Early Hints\r\nlink: " + b"x" * 1000 + b"\r\n\r\n"), httpx2.RemoteProtocolError),
        (repeated(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), httpx2.RemoteProtocolError),
        (repeated(b"", os.urandom(1000)), httpx2.RemoteProtocolError),
    ],
    ids=["length", "no length", "chunks", "chunk extensions", "headers", "one header", "hints", "continue", "noise"],
)  # fmt: skip
def test_an_answer_without_end_is_cut_off(play: Play, error: type[Exception]) -> None:
    with pytest.raises(error):
        ask(play, max_bytes=100_000)


@pytest.mark.parametrize(
    ("start", "piece"),
    [
        (HEAD + b"content-length: 100000\r\n\r\n", b"x"),
        (CHUNKED, b"1\r\nx\r\n"),
        (HEAD + b"content-type: text/event-stream\r\n\r\n", b": ping\n\n"),
        (HEAD, b"x: y\r\n"),
        (b"", b"HTTP/1.1 102 Processing\r\n\r\n"),
    ],
    ids=["body", "chunks", "events", "head", "interim"],
)
def test_a_server_that_drips_is_given_up_when_the_whole_time_is_over(start: bytes, piece: bytes) -> None:
    started = time.monotonic()
    with pytest.raises(httpx2.ReadTimeout):
        ask(repeated(start, piece, pause=0.05), seconds=60, whole_seconds=0.5)
    assert time.monotonic() - started < 20


def test_a_head_that_drips_is_given_up_within_the_limits_of_its_steps() -> None:
    with pytest.raises(httpx2.ReadTimeout):
        ask(repeated(HEAD, b"x: y\r\n", pause=0.05), seconds=0.2)


def test_a_page_that_drips_is_given_up() -> None:
    with RawServer(repeated(HEAD + b"content-type: text/html\r\n\r\n", b"x", pause=0.05)) as server:
        outcome = anyio.run(lambda: fetch(server.url, allow_private=True, seconds=0.5))
    assert isinstance(outcome, NoPage)
    assert outcome.reason == "timed_out"


def test_a_connection_is_used_again_for_the_next_request() -> None:
    """The bounds are of one exchange, not of a connection's life."""

    def play(connection: socket.socket) -> None:
        for _ in range(5):
            whole(b"x" * 60_000)(connection)
            connection.recv(65536)

    async def exchange(url: str) -> int:
        async with client(allow_private=True, seconds=5, max_bytes=70_000) as http:
            return sum([len((await http.get(url)).content) for _ in range(5)])

    with RawServer(play) as server:
        assert anyio.run(exchange, server.url) == 300_000
