"""Web archives made of the development sets: pages repeated under other hosts, a gzip member for each record."""

import base64
import hashlib
import re
import zlib
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

from bench.corpus import pages as corpus_pages

CORPORA = (
    *("wcxb_dev", "news_dev", "cjk_dev", "daniel_dev", "forums_dev", "boards_dev"),
    *("recipes_dev", "styled_dev", "visual_dev", "chinese_dev"),
)
_OTHER_CHARSETS = ("windows-1252", "euc-kr", "shift_jis")
_EVERY = 5
"""Every fifth page is sent in another charset than UTF-8, if one has all of its characters."""


def write_archives(folder: Path, pages: int, archives: int) -> int:
    """Write so many pages into so many files; return the bytes of the pages."""
    written, found = 0, enumerate(_copies())
    for number in range(archives):
        share = (number + 1) * pages // archives - number * pages // archives
        with (folder / f"crawl-{number:05}.warc.gz").open("wb") as file:
            for place, (url, html) in islice(found, share):
                body, charset = _encoded(html, other=place % _EVERY == 0)
                file.write(_packed(_record(url, body, charset)))
                written += len(body)
    return written


def _copies() -> Iterator[tuple[str, str]]:
    """URLs and pages of all sets, again and again, each time under other hosts."""
    for copy in count():
        for url, html in _in_turn():
            yield _moved(url, copy), html


def _in_turn() -> Iterator[tuple[str, str]]:
    """A page of each set in turn, so that the first few are a sample of all."""
    sets = {name: corpus_pages(name) for name in CORPORA}
    while sets:
        for name, records in list(sets.items()):
            record = next(records, None)
            if record is None:
                del sets[name]
            else:
                yield record.get("url") or f"https://{name}.example/{record['id']}", record["html"]


def _moved(url: str, copy: int) -> str:
    """The URL on another host."""
    return re.sub(r"^(https?://)", rf"\1copy-{copy}.", url)


def _encoded(html: str, *, other: bool) -> tuple[bytes, str]:
    for charset in _OTHER_CHARSETS if other else ():
        try:
            return html.encode(charset), charset
        except UnicodeEncodeError:
            continue
    return html.encode("utf-8", "replace"), "utf-8"


def _record(url: str, body: bytes, charset: str) -> bytes:
    digest = base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()
    http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset={charset}\r\nContent-Length: {len(body)}\r\n\r\n"
    block = http.encode() + body
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2026-11-16T12:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:{_identity(url)}>\r\nWARC-Target-URI: {url}\r\n"
        f"WARC-Payload-Digest: sha1:{digest}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode("utf-8", "replace") + block + b"\r\n\r\n"


def _identity(url: str) -> str:
    digits = hashlib.sha256(url.encode("utf-8", "replace")).hexdigest()
    return "-".join(digits[slice(*part)] for part in ((0, 8), (8, 12), (12, 16), (16, 20), (20, 32)))


def _packed(record: bytes) -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return packer.compress(record) + packer.flush()
