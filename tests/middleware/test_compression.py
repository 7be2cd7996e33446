"""Compressed answers are unpacked, and refused where they are damaged."""

import gzip
import zlib

import pytest

from bonmun.errors import FetchError
from bonmun.middleware.network import fetch
from tests.middleware.local_server import HOME, PAGE, Server, answer, failure


def deflated(body: bytes, wbits: int) -> bytes:
    stream = zlib.compressobj(wbits=wbits)
    return stream.compress(body) + stream.flush()


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(PAGE)),
        ("X-GZip", gzip.compress(PAGE)),
        ("identity, gzip", gzip.compress(PAGE)),
        ("gzip", gzip.compress(PAGE[:4]) + gzip.compress(b"") + gzip.compress(PAGE[4:])),
        ("gzip", gzip.compress(PAGE) + b"\0" * 512),
        ("deflate", deflated(PAGE, 15)),
        ("deflate", deflated(PAGE, -15)),
        ("deflate", deflated(PAGE, 15) + b"stray"),
        ("identity", PAGE),
        ("", PAGE),
    ],
)
def test_a_compressed_page_is_unpacked(server: Server, encoding: str, packed: bytes) -> None:
    assert fetch(server.serve(answer(packed, Content_Encoding=encoding)), HOME).content == PAGE


def test_members_and_pieces_of_any_size_fit_together(server: Server) -> None:
    body = bytes(range(256)) * 1000
    packed = b"".join(gzip.compress(body[start : start + 997], 0) for start in range(0, len(body), 997))
    assert fetch(server.serve(answer(packed, Content_Encoding="gzip")), HOME).content == body


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(PAGE)[:-6]),
        ("gzip", gzip.compress(PAGE)[:5]),
        ("gzip", gzip.compress(PAGE)[:-8] + b"\0" * 8),
        ("gzip", PAGE),
        ("deflate", deflated(PAGE, 15)[:-3]),
        ("deflate", b"\xff" * 40),
        ("br", b"\x0b\x02\x80abc\x03"),
        ("zstd", PAGE),
        ("gzip, gzip", gzip.compress(gzip.compress(PAGE))),
        ("gzip, deflate", gzip.compress(deflated(PAGE, 15))),
    ],
)
def test_damaged_and_unsupported_compression_is_a_fetch_error(server: Server, encoding: str, packed: bytes) -> None:
    assert isinstance(failure(server.serve(answer(packed, Content_Encoding=encoding))), FetchError)
