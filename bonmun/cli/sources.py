"""SOURCE arguments: a file, a directory, a pattern, a URL, a list of these, or `-` for standard input."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path, PurePath

from bonmun.errors import BonmunError, SourceError
from bonmun.inputs.kinds import MHTML_SUFFIXES, PAGE_SUFFIXES, WEB_ARCHIVE_SUFFIXES, is_url
from bonmun.inputs.paths import (
    entries,
    files_below,
    first_entry,
    is_pattern,
    matches,
    real,
    split_pattern,
    unreadable,
)

STDIN = "-"
_SEARCHED = PAGE_SUFFIXES | MHTML_SUFFIXES | WEB_ARCHIVE_SUFFIXES
_LIST_SUFFIXES = frozenset({".txt", ".urls", ".list"})


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
    if is_url(argument):
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
    for number, entry in entries(lines):
        try:
            sources += expand(entry, lists=False)
        except SourceError as error:
            sources.append(PageSource(f"{path}, line {number}", SourceKind.FILE, error=error))
    return sources


def _local(argument: str, excluded: Path | None, lists: bool) -> list[PageSource]:
    path = Path(argument)
    if path.is_dir():
        found = files_below(path, _SEARCHED, excluded)
        return _sources_in(path, found, f"no HTML file or web archive in the directory {argument}")
    if lists and path.suffix.lower() in _LIST_SUFFIXES and path.is_file() and _is_list(path):
        with path.open(encoding="utf-8-sig", errors="replace") as lines:
            return listed(argument, lines)
    if path.is_file() or not (path.exists() or is_pattern(argument)):
        return [PageSource(argument, SourceKind.FILE)]
    if path.exists():
        return [PageSource(argument, SourceKind.STREAM)]
    folder, pattern = split_pattern(path)
    return _sources_in(folder, matches(folder, pattern), f"no file matches {argument}")


def _sources_in(folder: Path, paths: Iterator[Path], error_if_none: str) -> list[PageSource]:
    sources = [PageSource(str(path), SourceKind.FILE, path.relative_to(folder)) for path in paths]
    if not sources:
        raise SourceError(error_if_none)
    return sources


def _is_list(path: Path) -> bool:
    with path.open(encoding="utf-8-sig", errors="replace") as lines:
        first = first_entry(lines)
    try:
        return is_url(first) or (first != "" and Path(first).exists())
    except (OSError, ValueError):  # Too long or invalid for a path.
        return False
