"""An HTTP response as a crawler recorded it: status, type and charset, and the body without its encodings.

fastwarc parses and decodes responses too, but after a chunked and compressed body it loses the next record, an encoding
that it does not know ends the archive, and a head with bare line feeds swallows the body.
"""

import re
import zlib
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from bonmun.errors import SourceError
from bonmun.inputs.streams import brotli_stream, zstd_stream

MOST_HEAD: Final = 65536
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_STATUS = re.compile(rb"(?i)\s*(?:HTTP|ICY)(?:/\d(?:\.\d)?)?\s+(\d{3})")
_CHARSET = re.compile(r"(?i)charset\s*=\s*[\"']?([^\s;,\"']+)")
_CHUNK = re.compile(rb"\s*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")
_PIECE = 65536
_MEMBERS = 16
"""Members of a gzip body that are read; servers send one."""


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a response."""

    status: int
    media_type: str
    """The media type without parameters, in lower case; empty if there is none."""
    fields: dict[str, str]
    """Header fields by their names in lower case; of a repeated one, the first."""
    size: int
    """Bytes of the head, with the empty line."""

    @property
    def charset(self) -> str | None:
        """The charset of the media type."""
        return charset_of(self.fields.get("content-type", ""))


def charset_of(content_type: str) -> str | None:
    """Return the charset that a Content-Type names.

    >>> charset_of('text/html; Charset="EUC-KR"')
    'EUC-KR'
    """
    match = _CHARSET.search(content_type)
    return match[1] if match else None


def head_of(start: bytes) -> Head | None:
    """Return the head of a response by its first bytes; None if they are no HTTP response.

    >>> head = head_of(b"HTTP/2 200\\r\\nContent-Type: Text/HTML; charset=utf-8\\r\\n\\r\\n<p>Tea")
    >>> head.status, head.media_type, head.charset, head.size
    (200, 'text/html', 'utf-8', 54)
    """
    status = _STATUS.match(start)
    end = _HEAD_END.search(start, 0, MOST_HEAD)
    if status is None or end is None:
        return None
    fields: dict[str, str] = {}
    for line in start[: end.start()].decode("latin-1").splitlines()[1:]:
        name, colon, value = line.partition(":")
        if colon:
            fields.setdefault(name.strip().lower(), value.strip())
    kind = fields.get("content-type", "").partition(";")[0].partition(",")[0]
    return Head(int(status[1]), kind.strip().lower(), fields, end.end())


def body_of(head: Head, sent: bytes, most: int, *, partial: bool = False) -> bytes:
    """Return a body without its encodings, at most one byte beyond `most`; raise `SourceError` where it is damaged.

    A body that does not begin as its header says was decoded by the crawler, which kept the header. `partial`: the
    crawler cut the body, and what there is of it is returned.
    """
    if head.fields.get("transfer-encoding", "").lower().endswith("chunked"):
        sent = _joined(sent, partial)
    for name in reversed(head.fields.get("content-encoding", "").lower().split(",")):
        sent = _decoded(name.strip().removeprefix("x-"), sent, most, partial)
    return sent


def _joined(sent: bytes, partial: bool) -> bytes:
    """Join the chunks of a body."""
    pieces: list[bytes] = []
    place = 0
    while True:
        size = _CHUNK.match(sent, place)
        if size is None:
            if not pieces:
                return sent  # not chunked
            if not partial:
                raise SourceError("the chunked response is damaged")
            break
        length, place = int(size[1], 16), size.end()
        pieces.append(sent[place : place + length])
        place += length
        if not length or place > len(sent):
            break
    if place > len(sent) and not partial:
        raise SourceError("the chunked response is truncated")
    return b"".join(pieces)


def _decoded(coding: str, sent: bytes, most: int, partial: bool) -> bytes:
    if coding in ("", "identity", "none") or not _begins(coding, sent):
        return sent
    try:
        if coding in ("gzip", "deflate"):
            plain, whole = _inflated(coding, sent, most)
        else:
            plain, whole = _unpacked(coding, sent, most)
    except SourceError:
        raise
    except Exception as error:  # zlib.error, ZstdError, brotli.error
        raise SourceError(f"the response is damaged: {coding}: {error}") from None
    if not whole and not partial:
        raise SourceError(f"the response is damaged: {coding}: it is truncated")
    return plain


def _begins(coding: str, sent: bytes) -> bool:
    """Whether a body begins like one of this coding. Brotli has no magic number."""
    if coding == "gzip":
        return sent.startswith(b"\x1f\x8b")
    if coding == "zstd":
        return sent.startswith((b"\x28\xb5\x2f\xfd", b"\x50\x2a\x4d\x18"))
    return bool(sent) and not sent[:_PIECE].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def _inflated(coding: str, sent: bytes, most: int) -> tuple[bytes, bool]:
    """The body, and whether it is whole or beyond the limit; bytes after its end are ignored."""
    zlib_head = sent[0] & 0x0F == 8 and int.from_bytes(sent[:2], "big") % 31 == 0
    window = 16 + zlib.MAX_WBITS if coding == "gzip" else zlib.MAX_WBITS if zlib_head else -zlib.MAX_WBITS
    plain = b""
    for _ in range(_MEMBERS):
        stream = zlib.decompressobj(window)
        plain += stream.decompress(sent, most + 1 - len(plain))
        if len(plain) > most or not stream.eof:
            return plain, len(plain) > most
        sent = stream.unused_data
        if coding != "gzip" or not _begins(coding, sent):
            return plain, True
    raise SourceError(f"the response is damaged: more than {_MEMBERS} gzip members")


def _unpacked(coding: str, sent: bytes, most: int) -> tuple[bytes, bool]:
    openers = {"br": brotli_stream, "zstd": zstd_stream}
    if coding not in openers:
        raise SourceError(f"unsupported content encoding {coding[:40]!r}")
    stream, plain = openers[coding](BytesIO(sent)), bytearray()
    try:
        while len(plain) <= most and (piece := stream.read1(_PIECE)):
            plain += piece
    except EOFError:
        return bytes(plain), False
    return bytes(plain[: most + 1]), True
