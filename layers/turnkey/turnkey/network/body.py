"""A response's body as it is read: bounded in bytes and in time, whatever its coding and pace."""

import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import anyio
import httpx2

from turnkey.errors import ResponseTooLarge

_PIECE = 64 * 1024
_EITHER = zlib.MAX_WBITS | 32
"""gzip or zlib, by what the data begins with."""


class Body(httpx2.AsyncByteStream):
    """`coding` is the response's content coding. Raises ResponseTooLarge past `max_bytes` (after decoding), ReadTimeout
    past `deadline` (of anyio's clock), DecodingError for a body that does not hold what its coding says."""

    def __init__(self, stream: Any, coding: str, *, max_bytes: int, deadline: float) -> None:
        self._stream = stream
        self._inflating = _Inflating() if coding else None
        self._max_bytes = max_bytes
        self._deadline = deadline

    async def __aiter__(self) -> AsyncIterator[bytes]:
        seen = 0
        async for chunk in self._chunks():
            for piece in self._inflating.pieces(chunk) if self._inflating else (chunk,):
                seen += len(piece)
                if seen > self._max_bytes:
                    raise too_large(self._max_bytes)
                yield piece
        if self._inflating and not self._inflating.is_whole:
            raise httpx2.DecodingError("the answer's compressed body breaks off")

    async def _chunks(self) -> AsyncIterator[bytes]:
        iterator = aiter(self._stream)
        while True:
            try:
                with anyio.fail_after(max(0.0, self._deadline - anyio.current_time())):
                    chunk: bytes = await anext(iterator)
            except StopAsyncIteration:
                return
            except TimeoutError as error:
                raise httpx2.ReadTimeout("the answer did not end in time") from error
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


class _Inflating:
    """Takes compressed chunks, gives what is in them in pieces of bounded size: a small body can hold a huge one."""

    def __init__(self) -> None:
        self._inflater = zlib.decompressobj(_EITHER)
        self._begun = False

    @property
    def is_whole(self) -> bool:
        """Whether what began has ended."""
        return self._inflater.eof or not self._begun

    def pieces(self, chunk: bytes) -> Iterator[bytes]:
        waiting = chunk
        self._begun = self._begun or bool(chunk)
        while waiting:
            if self._inflater.eof:
                # A gzip body may have several members.
                self._inflater = zlib.decompressobj(_EITHER)
            try:
                piece = self._inflater.decompress(waiting, _PIECE)
            except zlib.error as error:
                raise httpx2.DecodingError("the answer is not compressed as it says") from error
            waiting = self._inflater.unconsumed_tail or self._inflater.unused_data
            if piece:
                yield piece


def coding_of(headers: httpx2.Headers) -> str:
    """The content coding; empty for none. Raises DecodingError for one that was not asked for and is not read."""
    named = headers.get("content-encoding", "").strip().lower()
    if named in ("", "identity"):
        return ""
    if named in ("gzip", "x-gzip", "deflate"):
        return named
    raise httpx2.DecodingError(f"the answer comes in coding {named[:40]!r}, though none was asked for")


def too_large(max_bytes: int) -> ResponseTooLarge:
    return ResponseTooLarge(f"the answer is larger than {max_bytes:,} bytes")
