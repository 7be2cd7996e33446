"""Content codings, decompressed piece by piece within a limit: the guard against decompression bombs."""

import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from bonmun.errors import FetchError, LimitExceeded
from bonmun.middleware.hops import one_line

CORE = frozenset({"gzip", "deflate"})
"""Content codings that need no package."""
ALL = CORE | {"br", "zstd"}
# A zstd block has 128 KiB at most and can be coded in 4 bytes: 64 bytes give 2 MiB at most.
_ZSTD_STEP = 64
# RFC 9659: decoders of the content coding need support windows up to 8 MiB.
_ZSTD_WINDOW = 8 * 1024 * 1024
_BROTLI_STEP = 64 * 1024


class Decoder(Protocol):
    """One compressed stream."""

    finished: bool
    rest: bytes
    """Bytes after the stream's end."""

    def feed(self, data: bytes, room: int) -> Iterator[bytes]:
        """Decompress; stop soon after more than `room` bytes."""
        ...


def coding(header: str, known: frozenset[str]) -> str | None:
    """The one content coding of a Content-Encoding header, `None` for none; `FetchError` if it is not of `known`.

    >>> coding("identity, X-GZip", CORE)
    'gzip'
    """
    names = [name for name in map(str.strip, header.lower().split(",")) if name not in ("", "identity")]
    if not names:
        return None
    name = names[0].removeprefix("x-") if names[0] == "x-gzip" else names[0]
    if len(names) > 1 or name not in known:
        raise FetchError(f"unsupported content encoding {one_line(', '.join(names))!r}")
    return name


def decompressed(chunks: Iterable[bytes], name: str, max_bytes: int) -> Iterator[bytes]:
    """Decompress chunk by chunk, up to a little beyond the limit; trailing bytes after the end are ignored."""
    stream: Decoder | None = None
    members, room = 0, max_bytes
    for chunk in chunks:
        while chunk:
            if stream is None:
                if members and not _continues(name, chunk):
                    return
                stream, members = _DECODERS[name](chunk), members + 1
            for plain in stream.feed(chunk, room):
                room -= len(plain)
                yield plain if room >= 0 else plain[:room]
                if room < 0:
                    raise LimitExceeded("bytes", max_bytes - room, max_bytes)
            chunk, stream = stream.rest, None if stream.finished else stream
    if stream is not None:
        raise FetchError("the compressed response is truncated")


def _continues(name: str, chunk: bytes) -> bool:
    """Whether bytes after the end of a stream begin another one, which counts as part of the body."""
    return (name == "gzip" and chunk[0] == 0x1F) or (name == "zstd" and chunk[:1] in b"\x28\x50")


class _Zlib:
    finished, rest = False, b""

    def __init__(self, window: int) -> None:
        self._stream = zlib.decompressobj(window)

    def feed(self, data: bytes, room: int) -> Iterator[bytes]:
        yield self._stream.decompress(data, room + 1)
        self.finished, self.rest = self._stream.eof, self._stream.unused_data


def _window(start: bytes) -> int:
    """The `wbits` of a "deflate" stream: some servers send it with the zlib header (RFC 1950), others without."""
    has_header = start[0] & 0x0F == 8 and int.from_bytes(start[:2], "big") % 31 == 0
    return zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS


class _Brotli:
    finished, rest = False, b""

    def __init__(self) -> None:
        import brotli

        self._stream, self._damage = brotli.Decompressor(), brotli.error

    def feed(self, data: bytes, room: int) -> Iterator[bytes]:
        try:
            plain = self._stream.process(data, output_buffer_limit=_BROTLI_STEP)
            while plain or not self._stream.can_accept_more_data():
                yield plain
                if self._stream.is_finished():
                    break
                plain = self._stream.process(b"", output_buffer_limit=_BROTLI_STEP)
        except self._damage:
            raise FetchError("the compressed response is damaged") from None
        self.finished = self._stream.is_finished()


class _Zstandard:
    finished, rest = False, b""

    def __init__(self) -> None:
        import zstandard

        self._stream = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).decompressobj()
        self._damage = zstandard.ZstdError

    def feed(self, data: bytes, room: int) -> Iterator[bytes]:
        for start in range(0, len(data), _ZSTD_STEP):
            try:
                plain = self._stream.decompress(data[start : start + _ZSTD_STEP])
            except self._damage:
                raise FetchError("the compressed response is damaged") from None
            yield plain
            if self._stream.eof:
                self.finished = True
                self.rest = self._stream.unused_data + data[start + _ZSTD_STEP :]
                return


_DECODERS: dict[str, Callable[[bytes], Decoder]] = {
    "gzip": lambda start: _Zlib(16 + zlib.MAX_WBITS),
    "deflate": lambda start: _Zlib(_window(start)),
    "br": lambda start: _Brotli(),
    "zstd": lambda start: _Zstandard(),
}
