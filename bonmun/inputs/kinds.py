"""The kind of an input: by content first, then by the suffix of its name."""

import re
from enum import Enum
from pathlib import PurePath
from typing import Final

from bonmun.errors import NotAPage
from bonmun.read.sniff import binary_kind

HEAD: Final = 8192
"""The number of bytes that decide on the kind."""
PAGE_TYPES: Final = ("text/html", "application/xhtml+xml")
"""The media types of pages."""
PAGE_SUFFIXES: Final = frozenset({".html", ".htm", ".xhtml", ".xht", ".shtml"})
MHTML_SUFFIXES: Final = frozenset({".mht", ".mhtml"})
WEB_ARCHIVE_SUFFIXES: Final = frozenset({".warc", ".wacz"})
_DATA_SUFFIXES = frozenset({".jsonl", ".ndjson", ".parquet", ".zip", ".tar", ".tgz"})
CONTAINER_SUFFIXES: Final = WEB_ARCHIVE_SUFFIXES | _DATA_SUFFIXES
COMPRESSION_SUFFIXES: Final = frozenset({".gz", ".zst", ".br", ".bz2", ".xz"})
ZSTD_DICTIONARY: Final = b"\x5d\x2a\x4d\x18"
"""The frame at the beginning of a `.warc.zst` whose records are compressed with a dictionary."""

_MOST_CONTROL = 0.05
"""The share of control characters that makes an input binary: random bytes have 0.10, text below 0.01."""
_CONTROL = bytes({*range(9), *range(14, 27), *range(28, 32)})  # without ESC, which ISO-2022-JP uses
_UTF16 = (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")
_TAG = re.compile(rb"<\0?[A-Za-z!/?]|\0<\0[A-Za-z!/?]")
_MIME = re.compile(rb"\s*(?:[A-Za-z][A-Za-z0-9-]*:[^\n]*\n(?:[ \t][^\n]*\n)*)*?(?i:mime-version|content-type):[^\n]*")
_JSON_LINE = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{[ \t]*"')
_JSON = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\{\s*["}]|\[\s*[\[{"\d\]])')
_XML_ROOT = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?[^>]*>\s*|<!--.*?-->\s*)*<(rss|feed|rdf:RDF|urlset|sitemapindex)\b", re.S
)
_XML_KINDS = {b"rss": "RSS feed", b"feed": "Atom feed", b"rdf:RDF": "RDF document"}
_URL = re.compile(r"(?i)[a-z][a-z0-9+.-]*://")
_TAR = ((257, b"ustar\0"), (257, b"ustar  \0"))


class InputKind(Enum):
    """What an input holds after decompression."""

    PAGE = "page"
    MHTML = "MHTML"
    WARC = "WARC"
    ZIP = "ZIP"
    """An archive of pages, or of WARC files (WACZ)."""
    TAR = "tar"
    JSON_LINES = "JSON lines"
    PARQUET = "Parquet"

    @property
    def is_container(self) -> bool:
        """Whether it can hold more than one page."""
        return self not in (InputKind.PAGE, InputKind.MHTML)


def kind_of(head: bytes, name: str) -> InputKind:
    """Return the kind of an input by its first bytes and its name; raise `NotAPage` for any other.

    >>> kind_of(b"<p>Tea", "-"), kind_of(b"WARC/1.1\\r\\n", "-"), kind_of(b'{"html": "<p>Tea"}', "pages")
    (<InputKind.PAGE: 'page'>, <InputKind.WARC: 'WARC'>, <InputKind.JSON_LINES: 'JSON lines'>)
    >>> kind_of(b"Tea is made of leaves.", "notes.txt")
    Traceback (most recent call last):
    bonmun.errors.NotAPage: not a web page: text without any HTML tag
    """
    binary = binary_kind(head)
    if head.startswith((b"WARC/1.", b"WARC/0.")) or (head.startswith(ZSTD_DICTIONARY) and ".warc" in suffixes_of(name)):
        return InputKind.WARC
    if head.startswith(b"PAR1"):
        return InputKind.PARQUET
    if binary == "ZIP archive":
        return InputKind.ZIP
    if any(head.startswith(magic, offset) for offset, magic in _TAR):
        return InputKind.TAR
    if binary is not None:
        raise NotAPage(f"not a web page: {binary}")
    suffixes = suffixes_of(name)
    if _is_mime(head):
        return InputKind.MHTML
    if not suffixes & PAGE_SUFFIXES and _JSON_LINE.match(head):
        return InputKind.JSON_LINES
    return _page_kind(head, named_page=bool(suffixes & PAGE_SUFFIXES))


def suffixes_of(name: str) -> set[str]:
    """Return the suffix of a name, and the one before it if the last is that of a compression.

    >>> sorted(suffixes_of("pages/a.HTML.gz"))
    ['.gz', '.html']
    """
    *before, last = ["", *(suffix.lower() for suffix in PurePath(name).suffixes)]
    return {last, before[-1]} if last in COMPRESSION_SUFFIXES and before else {last}


def may_hold_several(name: str) -> bool:
    """Return whether the suffix is that of a container, or there is none to tell by."""
    return bool(suffixes_of(name) & CONTAINER_SUFFIXES) or name == "-"


def is_url(text: str) -> bool:
    """Return whether an argument is a URL and not a path.

    >>> is_url("s3://commoncrawl/crawl-data"), is_url("crawl-data")
    (True, False)
    """
    return _URL.match(text) is not None


def stem_of(name: str) -> str:
    """Return a file name without the suffixes of a known kind of input.

    >>> [stem_of(name) for name in ("a.html", "a.HTM.gz", "crawl.warc.gz", "v1.2", "a.php", "notes.gz")]
    ['a', 'a', 'crawl', 'v1.2', 'a.php', 'notes.gz']
    """
    known = PAGE_SUFFIXES | MHTML_SUFFIXES | CONTAINER_SUFFIXES
    stem, dot, suffix = name.rpartition(".")
    if f".{suffix.lower()}" in COMPRESSION_SUFFIXES and stem:
        stem, dot, suffix = stem.rpartition(".")
    return stem if stem and f"{dot}{suffix}".lower() in known else name


def _is_mime(head: bytes) -> bool:
    return _MIME.match(head) is not None and (b"multipart/" in head.lower() or b"text/html" in head.lower())


def _page_kind(head: bytes, *, named_page: bool) -> InputKind:
    """Return `PAGE` if the bytes may be HTML; a page suffix excuses the lack of tags, but not binary content."""
    if not head.startswith(_UTF16) and _control_share(head) > _MOST_CONTROL:
        raise NotAPage("not a web page: binary data")
    root = _XML_ROOT.match(head)
    if root:
        raise NotAPage(f"not a web page: {_XML_KINDS.get(root[1], 'sitemap')}")
    if named_page or not head.strip():
        return InputKind.PAGE
    if _JSON.match(head):
        raise NotAPage("not a web page: JSON, but not JSON lines with one object on each line")
    if not _TAG.search(head):
        raise NotAPage("not a web page: text without any HTML tag")
    return InputKind.PAGE


def _control_share(head: bytes) -> float:
    return 1 - len(head.translate(None, _CONTROL)) / len(head) if head else 0.0
