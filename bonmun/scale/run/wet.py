"""The texts of a shard as a WET file: WARC conversion records, as Common Crawl publishes them."""

import gzip
import hashlib
import re
import uuid
from base64 import b32encode
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import pyarrow as pa

from bonmun import __version__
from bonmun.scale.run.durable import DurableFile

_NAMES = uuid.uuid5(uuid.NAMESPACE_URL, "urn:bonmun:wet")
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029]")
"""Characters that would end a header, or that an address cannot have."""
_LEVEL = 6


class WetPart:
    """A record for every page with a text; others have none. Identifiers are digests: equal pages give equal bytes."""

    def __init__(self, file: DurableFile, shard: str, modified: int) -> None:
        self._file, self._shard = file, shard.encode("utf-8", "replace").decode()
        self._date = datetime.fromtimestamp(modified // 10**9, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        self._count = 0
        about = (
            f"software: bonmun {__version__}\r\nformat: WARC File Format 1.0\r\nisPartOf: {_header(self._shard)}\r\n"
        )
        fields = [("WARC-Type", "warcinfo"), ("WARC-Date", self._date), ("WARC-Record-ID", _identifier(self._shard))]
        self._add([*fields, ("Content-Type", "application/warc-fields")], about.encode())

    def write(self, rows: pa.RecordBatch) -> None:
        """Write the texts of rows."""
        for row in rows.to_pylist():
            if row["status"] == "ok":
                self._add(self._fields(row), row["text"].encode())
                self._count += 1

    def finish(self) -> int:
        """Return the number of texts."""
        return self._count

    def _fields(self, row: dict[str, Any]) -> Iterable[tuple[str, str]]:
        source, url = row.get("source") or "", row["url"]
        # Two rows of a shard may have one address, and even one source: their order tells them apart.
        identifier = _identifier(f"{self._shard}\n{self._count}\n{source}\n{url}")
        yield "WARC-Type", "conversion"
        yield "WARC-Target-URI", _header(url) if url else f"file:{quote(source)}"
        yield "WARC-Date", _header(row.get("fetched") or self._date)
        yield "WARC-Record-ID", identifier
        if row.get("digest"):
            yield "Bonmun-Source-Payload-Digest", _header(row["digest"])
        if row["language"]:
            yield "WARC-Identified-Content-Language", _header(row["language"])
        yield "Content-Type", "text/plain; charset=utf-8"

    def _add(self, fields: Iterable[tuple[str, str]], content: bytes) -> None:
        digest = b32encode(hashlib.sha1(content, usedforsecurity=False).digest()).decode()
        lines = [*fields, ("WARC-Block-Digest", f"sha1:{digest}"), ("Content-Length", str(len(content)))]
        head = "WARC/1.0\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines) + "\r\n"
        self._file.write(gzip.compress(head.encode() + content + b"\r\n\r\n", _LEVEL, mtime=0))


def _identifier(name: str) -> str:
    return f"<urn:uuid:{uuid.uuid5(_NAMES, name)}>"


def _header(value: str) -> str:
    r"""A value that stays one header, whatever an address has in it.

    >>> _header("https://example.org/a b\r\nWARC-Type: x")
    'https://example.org/a%20b%0D%0AWARC-Type:%20x'
    """
    return _UNSAFE.sub(lambda match: quote(match[0]), value)
