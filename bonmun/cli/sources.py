"""SOURCE arguments: a file, a directory, a pattern, a URL or `-` for standard input."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from enum import Enum
from io import BytesIO
from pathlib import Path, PurePath
from typing import BinaryIO

from bonmun.errors import LimitExceeded, SourceError

STDIN = "-"
PAGE_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".xht", ".shtml"})

_URL = re.compile(r"(?i)[a-z][a-z0-9+.-]*://")
_WILDCARD = re.compile(r"[*?[]")


class SourceKind(Enum):
    """How a source is read."""

    FILE = "file"
    STREAM = "stream"
    """Standard input, a pipe or a device: only the parent process can read it, and only once."""
    URL = "url"


@dataclass(frozen=True, slots=True)
class PageSource:
    """One page to read."""

    name: str
    """A path, a URL or `-`, as the user gave it."""
    kind: SourceKind
    relative: PurePath | None = None
    """Its path relative to the directory or pattern argument; None if it is an argument itself."""
    content: bytes | None = None
    """The content of a stream."""

    @property
    def identity(self) -> str:
        """Equal for two spellings of one path (`a.html`, `./a.html`); a symbolic link differs from its target."""
        path = Path(self.name)
        return str(real(path.parent) / path.name) if self.kind is SourceKind.FILE else self.name


@dataclass(frozen=True, slots=True)
class Raw:
    """A page before decoding."""

    content: bytes
    url: str | None = None
    content_type: str | None = None


def expand(argument: str, excluded: Path | None = None) -> list[PageSource]:
    """Return the pages of an argument in a fixed order; raise `SourceError` if there are none.

    A directory is searched recursively for pages by suffix, without hidden names, links to directories and the
    directory `excluded` (the output directory). A pattern matches files of any suffix.

    >>> expand("https://example.org/")[0].kind
    <SourceKind.URL: 'url'>
    """
    if argument == STDIN:
        return [PageSource(argument, SourceKind.STREAM)]
    if _URL.match(argument):
        return [PageSource(argument, SourceKind.URL)]
    if not argument:
        raise SourceError("no such file: the name is empty")
    try:
        return _local(argument, excluded)
    except (OSError, ValueError) as error:
        raise _unreadable(argument, error) from error


def read(source: PageSource, most: int, *, allow_private: bool = False) -> Raw:
    """Read a page, at most one byte beyond `most`: enough to detect that it is too large."""
    if source.content is not None:
        return Raw(source.content)
    if source.kind is SourceKind.URL:
        from bonmun.middleware.network import FetchPolicy, fetch

        fetched = fetch(source.name, FetchPolicy(max_bytes=most, allow_private=allow_private))
        return Raw(fetched.content, fetched.url, fetched.content_type)
    try:
        with Path(source.name).open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > most:
                raise LimitExceeded("bytes", size, most)
            return Raw(file.read(most + 1))
    except (OSError, ValueError) as error:
        raise _unreadable(source.name, error) from error


def drained(source: PageSource, most: int) -> PageSource:
    """Return a stream with its content, at most one byte beyond `most`: a worker process could not read it.

    An unreadable stream is returned unchanged: the worker meets the same error and reports it.
    """
    if source.kind is not SourceKind.STREAM:
        return source
    try:
        with _stdin() if source.name == STDIN else Path(source.name).open("rb") as stream:
            return replace(source, content=stream.read(most + 1))
    except OSError:
        return source


def real(path: Path) -> Path:
    """Return the path without symbolic links; unlike `Path.resolve`, it does not raise for a loop of links."""
    return Path(os.path.realpath(path))


def _stdin() -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdin.buffer) if sys.stdin else BytesIO()


def _unreadable(name: str, error: OSError | ValueError) -> SourceError:
    if isinstance(error, FileNotFoundError):
        return SourceError(f"no such file: {name}")
    return SourceError(f"cannot read {name}: {getattr(error, 'strerror', None) or error}")


def _local(argument: str, excluded: Path | None) -> list[PageSource]:
    path = Path(argument)
    if path.is_dir():
        return _sources_in(path, _pages_below(path, excluded), f"no HTML file in the directory {argument}")
    if path.is_file() or not (path.exists() or _WILDCARD.search(argument)):
        return [PageSource(argument, SourceKind.FILE)]
    if path.exists():
        return [PageSource(argument, SourceKind.STREAM)]
    folder, pattern = _split_pattern(path)
    return _sources_in(folder, _matches(folder, pattern), f"no file matches {argument}")


def _sources_in(folder: Path, paths: Iterator[Path], error_if_none: str) -> list[PageSource]:
    sources = [PageSource(str(path), SourceKind.FILE, path.relative_to(folder)) for path in paths]
    if not sources:
        raise SourceError(error_if_none)
    return sources


def _pages_below(top: Path, excluded: Path | None) -> Iterator[Path]:
    # An unreadable directory becomes a source that fails: it is reported like the others, and the search goes on.
    unreadable: list[Path] = []
    for folder, folders, files in os.walk(top, onerror=lambda error: unreadable.append(Path(error.filename))):
        here = Path(folder)
        folders[:] = sorted(name for name in folders if _visible(name) and real(here / name) != excluded)
        for name in sorted(files):
            path = here / name
            if _visible(name) and path.suffix.lower() in PAGE_SUFFIXES and path.is_file():
                yield path
    yield from unreadable


def _split_pattern(path: Path) -> tuple[Path, str]:
    """Split a pattern before its first wildcard: `a/b/*/c.html` is `*/c.html` in `a/b`."""
    first = next(index for index, part in enumerate(path.parts) if _WILDCARD.search(part))
    tail = list(path.parts[first:])
    if tail[-1] == "**":
        tail.append("*")
    return Path(*path.parts[:first]), "/".join(tail)


def _matches(folder: Path, pattern: str) -> Iterator[Path]:
    match_hidden = any(not _visible(part) for part in pattern.split("/"))
    for path in sorted(set(folder.glob(pattern))):
        if (match_hidden or all(map(_visible, path.relative_to(folder).parts))) and path.is_file():
            yield path


def _visible(name: str) -> bool:
    return not name.startswith(".")
