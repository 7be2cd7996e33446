"""Streams of bytes: decompression, and a look at the first bytes of a stream that cannot seek."""

import io
from collections.abc import Callable
from typing import BinaryIO, cast

from bonmun.errors import MissingExtra
from bonmun.inputs.kinds import HEAD, suffixes_of

_MAGIC = {b"\x1f\x8b\x08": ".gz", b"\x28\xb5\x2f\xfd": ".zst", b"BZh": ".bz2", b"\xfd7zXZ\0": ".xz"}
_CHUNK = 65536


def peeked(stream: BinaryIO) -> tuple[bytes, BinaryIO]:
    """Return the first bytes of a stream, and a stream that begins with them again.

    An error beyond the first bytes is raised when the stream gets there: the pages before it are good.
    """
    head, error = b"", None
    try:
        while len(head) < HEAD and (piece := _read_some(stream, HEAD - len(head))):
            head += piece
    except Exception as problem:
        if not head:
            raise
        error = problem
    return head, io.BufferedReader(_Rejoined(head, stream, error))


def decompressed(head: bytes, stream: BinaryIO, name: str) -> BinaryIO:
    """Return the stream decompressed if its first bytes say that it is compressed, else the stream itself.

    Brotli has no magic number: the suffix ``.br`` decides, unless the content begins like a page.
    """
    suffix = next((suffix for magic, suffix in _MAGIC.items() if head.startswith(magic)), None)
    if suffix is None and ".br" in suffixes_of(name) and not head.lstrip().startswith(b"<"):
        suffix = ".br"
    return _OPENERS[suffix](stream) if suffix else stream


class _Rejoined(io.RawIOBase):
    """The bytes of `head`, then those of `rest` or the error that it gave."""

    def __init__(self, head: bytes, rest: BinaryIO, error: Exception | None) -> None:
        self._head, self._rest, self._error = memoryview(head), rest, error

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if self._error and not self._head:
            raise self._error
        piece = self._head[: len(buffer)] if self._head else _read_some(self._rest, len(buffer))
        self._head = self._head[len(piece) :]
        buffer[: len(piece)] = piece
        return len(piece)


class Steady(io.RawIOBase):
    """A stream for native code that cannot handle exceptions: an error ends it and is kept; it knows its position."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._position = stream, 0
        self.error: Exception | None = None
        self.last_byte = b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Read into a buffer; return 0 at the end and after an error."""
        try:
            piece = b"" if self.error else _read_some(self._stream, len(buffer))
        except Exception as error:
            self.error = error
            return 0
        buffer[: len(piece)] = piece
        self._position += len(piece)
        self.last_byte = piece[-1:] or self.last_byte
        return len(piece)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Return the position; a move is not supported."""
        if (offset, whence) != (0, io.SEEK_CUR):
            raise io.UnsupportedOperation("seek")
        return self._position


class _Unpacked(io.RawIOBase):
    """A decompressed stream; `_more` returns the next piece, empty at the end."""

    _ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self._ready:
            self._ready = memoryview(self._more())
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        return size

    def _more(self) -> bytes:
        raise NotImplementedError


class _Brotli(_Unpacked):
    """A Brotli stream. Output beyond a chunk waits in the decompressor, so a bomb cannot fill the memory."""

    def __init__(self, stream: BinaryIO) -> None:
        try:
            import brotli
        except ImportError:
            raise MissingExtra("files packed with Brotli", "files") from None
        self._stream, self._decompressor = stream, brotli.Decompressor()

    def _more(self) -> bytes:
        output: bytes = self._decompressor.process(b"", output_buffer_limit=_CHUNK)  # what waits in it
        while not output and not self._decompressor.is_finished():
            piece = self._stream.read(_CHUNK)
            if not piece:
                raise EOFError("the Brotli stream is truncated")
            output = self._decompressor.process(piece, output_buffer_limit=_CHUNK)
        return output


class _Zstd(_Unpacked):
    """Frames of zstd. Unlike `zstandard.stream_reader`, it reports a truncated frame."""

    _PIECE = 1024
    """Bytes at a time. A block of 4 bytes can hold 128 KiB: pieces this small bound the output of a bomb to 32 MiB."""

    def __init__(self, stream: BinaryIO) -> None:
        try:
            import zstandard
        except ImportError:
            raise MissingExtra("files packed with zstd", "files") from None
        self._stream, self._new_frame = stream, zstandard.ZstdDecompressor().decompressobj
        self._frame, self._rest = self._new_frame(), b""
        self._inside = False

    def _more(self) -> bytes:
        output = b""
        while not output:
            piece = self._rest or self._stream.read(self._PIECE)
            self._rest = b""
            if not piece and self._inside:
                raise EOFError("the zstd stream is truncated")
            if not piece:
                break
            output = self._frame.decompress(piece)
            self._inside = not self._frame.eof
            if self._frame.eof:
                self._frame, self._rest = self._new_frame(), self._frame.unused_data
        return output


def zstd_stream(stream: BinaryIO) -> io.BufferedReader:
    """Return the decompressed content of a stream of zstd frames."""
    return io.BufferedReader(_Zstd(stream))


def brotli_stream(stream: BinaryIO) -> io.BufferedReader:
    """Return the decompressed content of a Brotli stream."""
    return io.BufferedReader(_Brotli(stream))


def _read_some(stream: BinaryIO, most: int) -> bytes:
    """Read what one call gives: `read` would lose the bytes before an error."""
    some: bytes = getattr(stream, "read1", stream.read)(most)
    return some


def _gzip(stream: BinaryIO) -> BinaryIO:
    import gzip

    return cast(BinaryIO, gzip.GzipFile(fileobj=stream, mode="rb"))


def _bz2(stream: BinaryIO) -> BinaryIO:
    import bz2

    return cast(BinaryIO, bz2.BZ2File(stream))


def _xz(stream: BinaryIO) -> BinaryIO:
    import lzma

    return cast(BinaryIO, lzma.LZMAFile(stream))


_OPENERS: dict[str, Callable[[BinaryIO], BinaryIO]] = {
    ".gz": _gzip,
    ".zst": zstd_stream,
    ".bz2": _bz2,
    ".xz": _xz,
    ".br": brotli_stream,
}
