"""Where the records of a web archive begin and end, to go on reading after a damage."""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import SEEK_END
from typing import Any, BinaryIO

from bonmun.errors import MissingExtra
from bonmun.inputs.streams import decompressed, peeked

_RECORD = b"WARC/"
_GZIP, _ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
_PLAIN = re.compile(rb"WARC/[01]\.\d+\r?\n[A-Za-z-]+:")
_SIZE = re.compile(rb"(?i)\nContent-Length:[ \t]*(\d{1,15})[ \t]*\r?\n")
_PIECE = 1024
"""Compressed bytes at a time; see `streams._Zstd`."""
_BLOCK = 1 << 20
_LONGEST_MATCH = 64
_MOST_HEAD = 65536
_MOST_AFTER = 4
"""The two line breaks after a record."""


@dataclass(frozen=True, slots=True)
class RecordPlaces:
    """The bytes of a web archive, plain or with each record compressed by itself."""

    _stream: BinaryIO
    _magic: bytes
    """How every compressed record begins; empty for an archive that is not compressed."""
    start: int = 0

    @classmethod
    def of(cls, stream: BinaryIO) -> "RecordPlaces | None":
        """Return the places of a stream's records; None if it cannot seek, or is compressed in another way."""
        if not stream.seekable():
            return None
        start = stream.tell()
        head = stream.read(len(_RECORD))
        magic = next((magic for magic in (_GZIP, _ZSTD) if head.startswith(magic)), b"")
        places = cls(stream, magic, start)
        apart = places._is_apart() if magic else head == _RECORD
        stream.seek(start)
        return places if apart else None

    def stream_at(self, place: int) -> BinaryIO:
        """Return the stream, moved to a place."""
        self._stream.seek(place)
        return self._stream

    def content(self, place: int) -> bytes | None:
        """Return the first bytes from a place on, decompressed; None if they are damaged."""
        try:
            head, stream = peeked(self.stream_at(place))
            return peeked(decompressed(head, stream, ""))[0]
        except Exception:
            return None

    def end_of_record(self, place: int) -> int | None:
        """Return the end of the record at a place; None if it is damaged or has another length than it says."""
        if not self._magic:
            return self._end_of_plain(place)
        whole, after, end = self._unpacked(place)
        return end if whole and not after.strip(b"\r\n") else None

    def next_record(self, place: int) -> int | None:
        """Return where the next readable record begins, at a place or after it; None if there is none."""
        pattern = re.compile(re.escape(self._magic)) if self._magic else _PLAIN
        while block := self.stream_at(place).read(_BLOCK):
            for match in pattern.finditer(block):
                if self._begins_record(place + match.start()):
                    return place + match.start()
            if len(block) < _BLOCK:
                break
            place += len(block) - _LONGEST_MATCH  # a match may lie across the end
        return None

    def _begins_record(self, place: int) -> bool:
        frame, plain = _decompressor(self._magic), b""
        try:
            for piece in self._pieces(place):
                plain += frame.decompress(piece)
                if len(plain) >= len(_RECORD) or frame.eof:
                    break
        except Exception:  # zlib.error, ZstdError
            return False
        return plain.startswith(_RECORD)

    def _is_apart(self) -> bool:
        """Whether no other record is compressed together with the first."""
        _, after, _ = self._unpacked(self.start)
        return not after.lstrip(b"\r\n").startswith(_RECORD)

    def _unpacked(self, place: int) -> tuple[bool, bytes, int | None]:
        """Whether a record is as long as it says, what is compressed after it, and the end of its compression."""
        frame, head, size, after = _decompressor(self._magic), b"", 0, b""
        says: int | None = None
        try:
            for piece in self._pieces(place):
                plain = frame.decompress(piece)
                size += len(plain)
                place += len(piece)
                if says is None and len(head) < _MOST_HEAD:
                    head += plain
                    says = _size_of_record(head)
                if says is not None and size > says:
                    after += plain[-(size - says) :]
                if frame.eof:
                    return says is not None and size >= says, after, place - len(frame.unused_data)
                if len(after) > _MOST_AFTER + len(_RECORD):
                    break
        except Exception:  # zlib.error, ZstdError
            pass
        return False, after, None

    def _end_of_plain(self, place: int) -> int | None:
        size = _size_of_record(self.stream_at(place).read(_MOST_HEAD))
        if size is None or place + size > self._stream.seek(0, SEEK_END):
            return None
        after = self.stream_at(place + size).read(_MOST_AFTER + len(_RECORD))
        if after.startswith(b"\r\n\r\n"):
            return place + size + _MOST_AFTER
        following = after.lstrip(b"\r\n")  # some writers leave the line breaks out
        return None if following and not following.startswith(_RECORD) else place + size + len(after) - len(following)

    def _pieces(self, place: int) -> Iterator[bytes]:
        self._stream.seek(place)
        while piece := self._stream.read(_PIECE):
            yield piece


def _size_of_record(head: bytes) -> int | None:
    """The size that a record says, with its header."""
    end = head.find(b"\r\n\r\n")
    size = _SIZE.search(head, 0, end + 2) if end >= 0 else None
    return end + 4 + int(size[1]) if size else None


class _AsItIs:
    """The decompressor of an archive that is not compressed."""

    eof = False

    def decompress(self, piece: bytes) -> bytes:
        return piece


def _decompressor(magic: bytes) -> Any:
    if not magic:
        return _AsItIs()
    if magic == _GZIP:
        return zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        import zstandard
    except ImportError:
        raise MissingExtra("files packed with zstd", "files") from None
    return zstandard.ZstdDecompressor().decompressobj()
