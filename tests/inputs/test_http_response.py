"""HTTP responses as crawlers record them, with every encoding that servers send."""

import gzip
import zlib

import pytest

from bonmun.errors import SourceError
from bonmun.inputs.http_response import Head, body_of, head_of

BODY = b"<p>Tea is made of leaves.</p>" * 50
MOST = 100_000


def chunked(content: bytes, size: int = 100) -> bytes:
    pieces = [content[start : start + size] for start in range(0, len(content), size)]
    return b"".join(b"%X;x=1\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\nTrailer: x\r\n\r\n"


def raw_deflate(content: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(content) + packer.flush()


def brotli(content: bytes) -> bytes:
    return pytest.importorskip("brotli", reason="brotli is not installed").compress(content)


def zstd(content: bytes) -> bytes:
    return pytest.importorskip("zstandard", reason="zstandard is not installed").compress(content)


CODINGS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "Deflate": raw_deflate,
    "br": brotli,
    "zstd": zstd,
    "gzip, br": lambda content: brotli(gzip.compress(content)),
}


def head(coding: str = "", transfer: str = "") -> Head:
    return Head(200, "text/html", {"content-encoding": coding, "transfer-encoding": transfer}, 0)


def body(sent: bytes, coding: str = "", transfer: str = "", **options: bool) -> bytes:
    return body_of(head(coding, transfer), sent, MOST, **options)


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("transfer", ["", "chunked"])
def test_a_body_is_decoded(coding, transfer):
    sent = CODINGS[coding](BODY)
    assert body(chunked(sent) if transfer else sent, coding, transfer) == BODY


@pytest.mark.parametrize("coding", ["", "identity", "none"])
def test_a_body_without_an_encoding_is_itself(coding):
    assert body(BODY, coding) == BODY


@pytest.mark.parametrize("coding", CODINGS)
def test_a_body_that_the_crawler_decoded_is_taken_as_it_is(coding):
    assert body(BODY, coding, "chunked") == BODY


@pytest.mark.parametrize("coding", CODINGS)
def test_a_truncated_body_is_an_error_unless_the_crawler_cut_it(coding):
    page = b"".join(b"<p>%d</p>" % number for number in range(9000))
    cut = CODINGS[coding](page)[:-900]
    with pytest.raises(SourceError, match=r"damaged|truncated"):
        body(cut, coding)
    assert page.startswith(body(cut, coding, partial=True))


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_a_damaged_body_is_an_error(coding):
    sent = bytearray(CODINGS[coding](BODY))
    sent[6:30] = b"\xff" * 24
    with pytest.raises(SourceError, match=f"the response is damaged: {coding}"):
        body(bytes(sent), coding)


@pytest.mark.parametrize("sent", [chunked(BODY)[:700], chunked(BODY)[:200] + b"zz\r\n" + chunked(BODY)[200:]])
def test_damaged_chunks_are_an_error_unless_the_crawler_cut_them(sent):
    with pytest.raises(SourceError, match="the chunked response is"):
        body(sent, "", "chunked")
    assert BODY.startswith(body(sent, "", "chunked", partial=True)[:50])


def test_an_unknown_encoding_is_an_error_that_names_it():
    with pytest.raises(SourceError, match="unsupported content encoding 'tea'"):
        body(b"\0" + BODY, "tea")


@pytest.mark.parametrize("coding", ["gzip", "deflate", "Deflate", "br", "zstd"])
def test_a_bomb_is_unpacked_just_beyond_the_limit(coding):
    assert len(body(CODINGS[coding](b" " * 5_000_000), coding)) == MOST + 1


def test_several_gzip_members_are_one_body_and_what_follows_is_ignored():
    packed = gzip.compress(BODY)
    assert body(packed + packed + b"\0\0junk", "gzip") == BODY + BODY
    with pytest.raises(SourceError, match="more than 16 gzip members"):
        body(gzip.compress(b"") * 1000, "gzip")


@pytest.mark.parametrize(
    ("start", "status", "kind", "charset"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n", 200, "text/html", "utf-8"),
        (b"HTTP/2 204\r\n\r\n", 204, "", None),
        (b"HTTP/2.0 200 \r\ncontent-type:TEXT/HTML;Charset='EUC-KR'\r\n\r\n", 200, "text/html", "EUC-KR"),
        (b"http/1.0 404 gone\nContent-Type: text/html, text/html\n\n", 404, "text/html", None),
        (b"ICY 200 OK\r\nContent-Type: audio/mpeg\r\n\r\n", 200, "audio/mpeg", None),
        (b"HTTP/1.1 200 OK\r\nno colon\r\n folded: x\r\nContent-Type: text/html\r\n\r\n", 200, "text/html", None),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Type: image/png\r\n\r\n", 200, "text/html", None),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=\xff\xfe\r\n\r\n", 200, "text/html", "ÿþ"),
    ],
)
def test_heads_of_every_kind_are_read(start, status, kind, charset):
    found = head_of(start + BODY)
    assert (found.status, found.media_type, found.charset) == (status, kind, charset)
    assert found.size == len(start)


@pytest.mark.parametrize("start", [b"", b"garbage\r\n\r\n", b"200 OK\r\n\r\n", BODY, b"HTTP/1.1 abc\r\n\r\n"])
def test_anything_else_is_no_head(start):
    assert head_of(start) is None


def test_an_endless_head_is_no_head():
    assert head_of(b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100_000 + b"\r\n\r\n") is None
