"""What a SOURCE argument means: a file, a directory, a pattern, a URL or `-` for standard input."""

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


class Kind(Enum):
    """How a source is read."""

    FILE = "file"
    STREAM = "stream"
    """Standard input, a pipe or a device: only the first process can read it, and only once."""
    URL = "url"


@dataclass(frozen=True, slots=True)
class Source:
    """One page to read."""

    name: str
    """What the user knows it by: a path, a URL or `-`."""
    kind: Kind
    relative: PurePath | None = None
    """Its path below the directory or the pattern that it was found by; None where it is an argument itself."""
    content: bytes | None = None
    """What a stream held."""

    @property
    def identity(self) -> str:
        """The same for two names of one file (`a.html`, `./a.html`); a link is another file than its target."""
        path = Path(self.name)
        return str(real(path.parent) / path.name) if self.kind is Kind.FILE else self.name


@dataclass(frozen=True, slots=True)
class Raw:
    """A page as it came."""

    content: bytes
    url: str | None = None
    content_type: str | None = None


def expand(argument: str, unless: Path | None = None) -> list[Source]:
    """Return the pages an argument stands for, in a fixed order; `SourceError` where there are none.

    A directory is searched for pages by suffix, below it too; hidden names, links to directories and the directory
    `unless` (where the output goes) are passed over. A pattern takes files whatever their suffix.

    >>> expand("https://example.org/")[0].kind
    <Kind.URL: 'url'>
    """
    if argument == STDIN:
        return [Source(argument, Kind.STREAM)]
    if _URL.match(argument):
        return [Source(argument, Kind.URL)]
    if not argument:
        raise SourceError("no such file: the name is empty")
    try:
        return _local(argument, unless)
    except (OSError, ValueError) as error:
        raise _unreadable(argument, error) from error


def read(source: Source, most: int, *, allow_private: bool = False) -> Raw:
    """Read a page: at most one byte more than `most`, which is enough to see that it is too large."""
    if source.content is not None:
        return Raw(source.content)
    if source.kind is Kind.URL:
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


def drained(source: Source, most: int) -> Source:
    """Return a stream with its content, at most one byte more than `most`: a worker process could not read it.

    One that cannot be read stays as it is: the worker meets the same error and says so.
    """
    if source.kind is not Kind.STREAM:
        return source
    try:
        with _stdin() if source.name == STDIN else Path(source.name).open("rb") as stream:
            return replace(source, content=stream.read(most + 1))
    except OSError:
        return source


def real(path: Path) -> Path:
    """Return the path without links; `Path.resolve` raises where links go in a circle."""
    return Path(os.path.realpath(path))


def _stdin() -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdin.buffer) if sys.stdin else BytesIO()


def _unreadable(name: str, error: OSError | ValueError) -> SourceError:
    if isinstance(error, FileNotFoundError):
        return SourceError(f"no such file: {name}")
    return SourceError(f"cannot read {name}: {getattr(error, 'strerror', None) or error}")


def _local(argument: str, unless: Path | None) -> list[Source]:
    path = Path(argument)
    if path.is_dir():
        return _found(path, _pages_below(path, unless), f"no HTML file in the directory {argument}")
    if path.is_file() or not (path.exists() or _WILDCARD.search(argument)):
        return [Source(argument, Kind.FILE)]
    if path.exists():
        return [Source(argument, Kind.STREAM)]
    folder, pattern = _split_pattern(path)
    return _found(folder, _matches(folder, pattern), f"no file matches {argument}")


def _found(folder: Path, paths: Iterator[Path], otherwise: str) -> list[Source]:
    sources = [Source(str(path), Kind.FILE, path.relative_to(folder)) for path in paths]
    if not sources:
        raise SourceError(otherwise)
    return sources


def _pages_below(top: Path, unless: Path | None) -> Iterator[Path]:
    # A directory that cannot be searched is a source that will fail: said like the rest, and the search goes on.
    unreadable: list[Path] = []
    for folder, folders, files in os.walk(top, onerror=lambda error: unreadable.append(Path(error.filename))):
        here = Path(folder)
        folders[:] = sorted(name for name in folders if _visible(name) and not (unless and real(here / name) == unless))
        for name in sorted(files):
            path = here / name
            if _visible(name) and path.suffix.lower() in PAGE_SUFFIXES and path.is_file():
                yield path
    yield from unreadable


def _split_pattern(path: Path) -> tuple[Path, str]:
    """Split a pattern before its first wildcard: `a/b/*/c.html` is `*/c.html` in `a/b`."""
    first = next(at for at, part in enumerate(path.parts) if _WILDCARD.search(part))
    tail = list(path.parts[first:])
    if tail[-1] == "**":
        tail.append("*")
    return Path(*path.parts[:first]), "/".join(tail)


def _matches(folder: Path, pattern: str) -> Iterator[Path]:
    hidden_wanted = any(not _visible(part) for part in pattern.split("/"))
    for path in sorted(set(folder.glob(pattern))):
        if (hidden_wanted or all(map(_visible, path.relative_to(folder).parts))) and path.is_file():
            yield path


def _visible(name: str) -> bool:
    return not name.startswith(".")
