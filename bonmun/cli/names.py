"""Output names: unique for each source, inside the output directory, the same in every run."""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePath, PurePosixPath
from urllib.parse import unquote

from bonmun.cli.sources import STDIN, PageSource, SourceKind
from bonmun.inputs.kinds import stem_of

_LONGEST = 160
"""Bytes of one name before suffixes: file systems allow 255."""
_URL = re.compile(r"[^:]*:[/\\]*([^/\\?#]*)([^?#]*)(\?[^#]*)?")
_UNSAFE = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f-\x9f\ud800-\udfff]+')
_DEVICE = re.compile(r"(?i)(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)")


def output_names(sources: Sequence[PageSource], extension: str) -> list[PurePosixPath]:
    """Return a path for each source, relative to the output directory.

    Sources whose names collide, on any file system, all get a part of their hash as a suffix.

    >>> a, b = PageSource("x/a.html", SourceKind.FILE), PageSource("https://example.org/news/?page=2", SourceKind.URL)
    >>> [str(name) for name in output_names([a, b], ".txt")]
    ['a.txt', 'example.org/news_page=2.txt']
    """
    wanted = [_plain_name(source) for source in sources]
    claims = Counter(_key(name, extension) for name in wanted)
    folders = {_key(folder, "") for name in wanted for folder in name.parents}
    taken: set[str] = set()
    names = []
    for source, name in zip(sources, wanted, strict=True):
        key = _key(name, extension)
        if claims[key] > 1 or key in folders:
            name = next(
                other
                for other in _with_hash(name, source)
                if (key := _key(other, extension)) not in claims and key not in folders and key not in taken
            )
        taken.add(key)
        names.append(name.with_name(name.name + extension))
    return names


def name_in_container(container: PurePosixPath, page: PageSource, extension: str) -> PurePosixPath:
    """Return the path for a page of a container, in a directory with the container's name.

    The number makes it unique, without a record of the names before it: a container may have millions of pages.

    >>> page = PageSource("crawl.warc.gz: https://example.org/news/tea", SourceKind.FILE, number=7)
    >>> str(name_in_container(PurePosixPath("crawl.md"), page, ".md"))
    'crawl/000007-example.org_news_tea.md'
    """
    label = page.name.partition(": ")[2]
    parts = _url_parts(label) if "://" in label else (stem_of(label),) if label else ()
    name = f"{page.number:06}-{_safe('_'.join(parts))}" if parts else f"{page.number:06}"
    return container.with_name(container.name.removesuffix(extension)) / f"{name}{extension}"


def _plain_name(source: PageSource) -> PurePosixPath:
    parts: tuple[str, ...]
    if source.kind is SourceKind.URL:
        parts = _url_parts(source.name)
    elif source.name == STDIN:
        parts = ("stdin",)
    else:
        parts = (source.relative.parts if source.relative else ()) or (PurePath(source.name).name,)
    *folders, name = parts
    return PurePosixPath(*map(_safe, folders), _safe(stem_of(name)))


def _url_parts(url: str) -> tuple[str, str]:
    """Return a directory and a name for a URL: the host, and everything after it."""
    match = _URL.match(url)
    host, path, query = match.groups("") if match else (url, "", "")
    words = "_".join(word for word in re.split(r"[/\\]+", path) if word) or "index"
    return host.rpartition("@")[2].lower() or "url", unquote(words) + unquote(query)


def _safe(name: str) -> str:
    """Return a name that is valid on every file system.

    >>> [_safe(name) for name in ("..", "a/../b", "con.html", "본문 ", "")]
    ['_', 'a_.._b', '_con.html', '본문', '_']
    """
    safe = _UNSAFE.sub("_", name).strip(". ") or "_"
    if _DEVICE.match(safe):
        safe = f"_{safe}"
    encoded = safe.encode()
    if len(encoded) <= _LONGEST:
        return safe
    return f"{encoded[:_LONGEST].decode(errors='ignore')}-{_digest(name)[:16]}"


def _with_hash(name: PurePosixPath, source: PageSource) -> Iterator[PurePosixPath]:
    digest = _digest(source.name)
    return (name.with_name(f"{name.name}-{digest[:length]}") for length in range(8, len(digest) + 1))


def _key(name: PurePosixPath, extension: str) -> str:
    """Return the path case-folded and normalized: two paths with equal keys are one on some file systems."""
    return unicodedata.normalize("NFD", f"{name}{extension}").casefold()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()
