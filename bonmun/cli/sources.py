"""SOURCE arguments: a file, a directory, a pattern, a URL, a list of these, or `-` for standard input."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path, PurePath

from bonmun.errors import BonmunError, SourceError
from bonmun.inputs.kinds import MHTML_SUFFIXES, PAGE_SUFFIXES, WEB_ARCHIVE_SUFFIXES, suffixes_of

STDIN = "-"
_SEARCHED = PAGE_SUFFIXES | MHTML_SUFFIXES | WEB_ARCHIVE_SUFFIXES
_LIST_SUFFIXES = frozenset({".txt", ".urls", ".list"})

_LONGEST_ENTRY = 4096
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
    """The content of a page that was already read: from a stream or a container."""
    url: str | None = None
    charset: str | None = None
    is_html: bool = False
    """Whether its container says that it is HTML; else the content has to look like it."""
    number: int | None = None
    """Its place in a container, from 1; None for a page that is a source itself."""
    error: BonmunError | None = None
    """The reason why there is no page to read."""

    @property
    def identity(self) -> str:
        """Equal for two spellings of one path (`a.html`, `./a.html`); a symbolic link differs from its target."""
        path = Path(self.name)
        return str(real(path.parent) / path.name) if self.kind is SourceKind.FILE else self.name


def expand(argument: str, excluded: Path | None = None, *, lists: bool = True) -> list[PageSource]:
    """Return the pages of an argument in a fixed order; raise `SourceError` if there are none.

    A directory is searched recursively for pages and web archives by suffix, without hidden names, links to
    directories and the directory `excluded` (the output directory). A pattern matches files of any suffix. A text file
    (.txt, .urls, .list) whose first entry is a URL or an existing file is a list of sources.

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
        return _local(argument, excluded, lists)
    except (OSError, ValueError) as error:
        raise unreadable(argument, error) from error


def listed(path: str, lines: Iterator[str]) -> list[PageSource]:
    """Return the sources of a list: one on each line, without empty lines and those that begin with #."""
    sources = []
    for number, line in enumerate(lines, 1):
        if entry := _entry(line):
            try:
                sources += expand(entry, lists=False)
            except SourceError as error:
                sources.append(PageSource(f"{path}, line {number}", SourceKind.FILE, error=error))
    return sources


def real(path: Path) -> Path:
    """Return the path without symbolic links; unlike `Path.resolve`, it does not raise for a loop of links."""
    return Path(os.path.realpath(path))


def unreadable(name: str, error: OSError | ValueError) -> SourceError:
    """Return the error for a file that cannot be opened or read."""
    if isinstance(error, FileNotFoundError):
        return SourceError(f"no such file: {name}")
    return SourceError(f"cannot read {name}: {getattr(error, 'strerror', None) or error}")


def _local(argument: str, excluded: Path | None, lists: bool) -> list[PageSource]:
    path = Path(argument)
    if path.is_dir():
        return _sources_in(
            path, _pages_below(path, excluded), f"no HTML file or web archive in the directory {argument}"
        )
    if lists and path.suffix.lower() in _LIST_SUFFIXES and path.is_file() and _is_list(path):
        with path.open(encoding="utf-8-sig", errors="replace") as lines:
            return listed(argument, lines)
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
            if _visible(name) and suffixes_of(name) & _SEARCHED and _is_file_or_broken_link(path):
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
        if (match_hidden or all(map(_visible, path.relative_to(folder).parts))) and _is_file_or_broken_link(path):
            yield path


def _is_file_or_broken_link(path: Path) -> bool:
    """Whether a path is a page, or a link that leads nowhere or in a circle: a source that fails, not one to skip."""
    return path.is_file() or (path.is_symlink() and not path.exists())


def _visible(name: str) -> bool:
    return not name.startswith(".")


def _is_list(path: Path) -> bool:
    with path.open(encoding="utf-8-sig", errors="replace") as lines:
        first = next((entry for line in lines if (entry := _entry(line[:_LONGEST_ENTRY]))), "")
    try:
        return bool(_URL.match(first)) or (first != "" and Path(first).exists())
    except (OSError, ValueError):  # Too long or invalid for a path.
        return False


def _entry(line: str) -> str:
    entry = line.strip()
    return "" if entry.startswith("#") else entry
