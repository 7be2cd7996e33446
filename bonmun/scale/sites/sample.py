"""Pages of a host as rows, and the choice of those that its templates are learned from."""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

import pyarrow as pa

from bonmun.errors import SourceError
from bonmun.scale.sites.settings import DEFAULT_SITES, SiteSettings
from bonmun.sites.site import host_of

SAMPLE_SCHEMA = pa.schema(
    [
        ("host", pa.string()),
        ("key", pa.binary(16)),
        ("url", pa.string()),
        ("charset", pa.string()),
        ("fetched", pa.string()),
        ("size", pa.int64()),
        ("html", pa.large_binary()),
    ]
)
"""Pages to learn from: `key` is the hash of the URL, then of the page."""


def sampled(batch: pa.RecordBatch, settings: SiteSettings = DEFAULT_SITES) -> pa.RecordBatch:
    """Return the pages of a batch that a site can be learned from: with a host, and of moderate size.

    >>> pages = {"url": ["https://www.example.org/tea", None], "html": ["<p>Tea", "<p>Tea"]}
    >>> sampled(pa.RecordBatch.from_pydict(pages)).column("host").to_pylist()
    ['example.org']
    """
    missing = [name for name in (settings.html, settings.url) if name not in batch.schema.names]
    if missing:
        raise SourceError(f"sites are learned from the columns html and url; there is no {missing[0]!r}")
    wanted = [settings.url, settings.html, settings.charset, settings.fetched]
    columns = [
        batch.column(name).to_pylist() if name in batch.schema.names else [None] * batch.num_rows for name in wanted
    ]
    rows = [_row(*page) for page in zip(*columns, strict=True)]
    return pa.RecordBatch.from_pylist(
        [row for row in rows if row["host"] and 0 < row["size"] <= settings.most_bytes], SAMPLE_SCHEMA
    )


def chosen(keys: Iterable[bytes], most: int) -> list[bytes]:
    """Return the keys of the pages to learn from: the smallest, one for each URL.

    >>> chosen([b"c" * 16, b"a" * 16, b"a" * 8 + b"b" * 8, b"b" * 16], 2)
    [b'aaaaaaaaaaaaaaaa', b'bbbbbbbbbbbbbbbb']
    """
    by_url: dict[bytes, bytes] = {}
    for key in sorted(set(keys)):
        by_url.setdefault(key[:8], key)
        if len(by_url) == most:
            break
    return list(by_url.values())


def _row(url: str | None, html: bytes | str | None, charset: str | None, fetched: object) -> dict[str, Any]:
    content = html.encode(errors="replace") if isinstance(html, str) else bytes(html or b"")
    return {
        "host": host_of(url),
        "key": _hash((url or "").encode(errors="replace")) + _hash(content),
        "url": url,
        "charset": charset if isinstance(charset, str) else None,
        "fetched": str(fetched) if fetched is not None else None,
        "size": len(content),
        "html": content,
    }


def _hash(content: bytes) -> bytes:
    return blake2b(content, digest_size=8).digest()
