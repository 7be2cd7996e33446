"""Records of web archives, written byte by byte so that any of them can be wrong."""

import gzip
from collections.abc import Callable

Pack = Callable[[bytes], bytes]
DATE = "2026-11-16T12:00:00Z"
HTTP = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"


def zstd(content: bytes) -> bytes:
    """One zstd frame with a checksum, as crawlers write a record."""
    import zstandard

    return zstandard.ZstdCompressor(write_checksum=True).compress(content)


PACKS: dict[str, Pack] = {"plain": bytes, "gzip": gzip.compress, "zstd": zstd}


def record(block: bytes, kind: str = "response", *, length: int | None = None, **headers: str) -> bytes:
    """A record with a block; `length` is what it says instead of its size."""
    fields = {
        "WARC-Type": kind,
        "WARC-Record-ID": "<urn:uuid:00000000-0000-0000-0000-000000000000>",
        "WARC-Date": DATE,
        "Content-Type": "application/http; msgtype=response",
        "Content-Length": str(len(block) if length is None else length),
    }
    fields |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return b"WARC/1.1\r\n" + head.encode() + b"\r\n" + block + b"\r\n\r\n"


def response(url: str, body: bytes, http: str = HTTP, *, length: int | None = None, **headers: str) -> bytes:
    """A response of a URL; `http` is its head without the empty line."""
    return record(f"{http}\r\n".encode() + body, length=length, WARC_Target_URI=url, **headers)
