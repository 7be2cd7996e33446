"""Names for outputs: one for each source, never two alike, never outside the output directory, the same every run."""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePath, PurePosixPath
from urllib.parse import unquote

from bonmun.cli.sources import PAGE_SUFFIXES, STDIN, Kind, Source

_LONGEST = 160
"""Bytes of one name before suffixes: file systems allow 255."""
_URL = re.compile(r"[^:]*:[/\\]*([^/\\?#]*)([^?#]*)(\?[^#]*)?")
_UNSAFE = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f-\x9f\ud800-\udfff]+')
_DEVICE = re.compile(r"(?i)(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)")


def output_names(sources: Sequence[Source], extension: str) -> list[PurePosixPath]:
    """Return a path for each source, relative to the output directory.

    Sources that want the same name, on any file system, all get a part of their hash behind it.

    >>> a, b = Source("x/a.html", Kind.FILE), Source("https://example.org/news/?page=2", Kind.URL)
    >>> [str(name) for name in output_names([a, b], ".txt")]
    ['a.txt', 'example.org/news_page=2.txt']
    """
    wanted = [_wanted(source) for source in sources]
    claims = Counter(_key(name, extension) for name in wanted)
    folders = {_key(folder, "") for name in wanted for folder in name.parents}
    taken: set[str] = set()
    names = []
    for source, name in zip(sources, wanted, strict=True):
        key = _key(name, extension)
        if claims[key] > 1 or key in folders:
            name = next(
                other
                for other in _marked(name, source)
                if (key := _key(other, extension)) not in claims and key not in folders and key not in taken
            )
        taken.add(key)
        names.append(name.with_name(name.name + extension))
    return names


def _wanted(source: Source) -> PurePosixPath:
    parts: tuple[str, ...]
    if source.kind is Kind.URL:
        parts = _url_parts(source.name)
    elif source.name == STDIN:
        parts = ("stdin",)
    else:
        parts = (source.relative.parts if source.relative else ()) or (PurePath(source.name).name,)
    *folders, name = parts
    stem, dot, suffix = name.rpartition(".")
    name = stem if f"{dot}{suffix}".lower() in PAGE_SUFFIXES else name
    return PurePosixPath(*map(_safe, folders), _safe(name))


def _url_parts(url: str) -> tuple[str, str]:
    """Return a directory and a name for a URL: the host, and all that follows it."""
    found = _URL.match(url)
    host, path, query = found.groups("") if found else (url, "", "")
    words = "_".join(word for word in re.split(r"[/\\]+", path) if word) or "index"
    return host.rpartition("@")[2].lower() or "url", unquote(words) + unquote(query)


def _safe(name: str) -> str:
    """Return a file name that every system takes.

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


def _marked(name: PurePosixPath, source: Source) -> Iterator[PurePosixPath]:
    digest = _digest(source.name)
    return (name.with_name(f"{name.name}-{digest[:length]}") for length in range(8, len(digest) + 1))


def _key(name: PurePosixPath, extension: str) -> str:
    """Return what two paths share that some file system takes for one: case and composition of letters."""
    return unicodedata.normalize("NFD", f"{name}{extension}").casefold()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()
