"""Shards: what a batch reads as one piece, and resumes as one piece."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from io import TextIOWrapper
from pathlib import Path
from typing import Final

from bonmun.errors import BonmunError, SourceError
from bonmun.inputs.kinds import (
    CONTAINER_SUFFIXES,
    MHTML_SUFFIXES,
    PAGE_SUFFIXES,
    is_url,
    may_hold_several,
    suffixes_of,
)
from bonmun.inputs.opening import opened
from bonmun.inputs.paths import entries, files_below, first_entry, is_pattern, matches, real, split_pattern, unreadable
from bonmun.inputs.streams import decompressed, peeked

PAGES_IN_SHARD: Final = 1000
"""Files of single pages that are one shard."""
_PAGES = PAGE_SUFFIXES | MHTML_SUFFIXES
_LISTS = frozenset({".txt", ".list", ".paths"})
_TEXT_ARCHIVES = {".wet": "text", ".wat": "metadata"}


class ShardKind(Enum):
    """What a shard is made of."""

    CONTAINER = "container"
    """One file: WARC, WACZ, Parquet, JSON lines, ZIP, tar."""
    PAGES = "pages"
    """Files of single pages."""


@dataclass(frozen=True, slots=True)
class Shard:
    """A container, or a number of files with single pages.

    >>> Shard("crawl.warc.gz", Path("crawl.warc.gz"), 1024, 0).kind
    <ShardKind.CONTAINER: 'container'>
    """

    name: str
    """Its path as given; of several pages, the first and their number."""
    path: Path
    size: int
    """Bytes on disk, of several pages together; 0 if it cannot be read."""
    modified: int
    """The time of the last change in nanoseconds, of several pages the latest; 0 if it cannot be read."""
    kind: ShardKind = ShardKind.CONTAINER
    pages: tuple[Path, ...] = ()
    """The files of a shard of pages."""


def gather(sources: Sequence[str], *, excluded: Path | None = None, in_shard: int = PAGES_IN_SHARD) -> list[Shard]:
    """Return the shards of files, folders, patterns and lists: containers, then single pages `in_shard` at a time.

    The order is that of the sources, and of names below a folder. A file that is named twice is read once; the folder
    `excluded` (the output) is left out. A list is a text file with one source on each line (`.paths`, `.txt`, `.list`,
    also with `.gz`; any file as `@FILE`). Raise `SourceError` for a source that gives no file.

    >>> gather(["no-such-folder/*.warc.gz"])
    Traceback (most recent call last):
    bonmun.errors.SourceError: no file matches no-such-folder/*.warc.gz
    """
    out = real(excluded) if excluded is not None else None
    files: dict[Path, Path] = {}
    for source in sources:
        for path in _files(source, out):
            place = real(path)
            if out is None or not place.is_relative_to(out):
                files.setdefault(place, path)
    containers: list[Path] = []
    pages: list[Path] = []
    for path in files.values():
        (containers if _is_container(path) else pages).append(path)
    groups = [tuple(pages[start : start + in_shard]) for start in range(0, len(pages), in_shard)]
    return [*map(_container, containers), *map(_group, groups)]


def _files(source: str, excluded: Path | None) -> Iterator[Path]:
    """Yield the files of a source; raise `SourceError` if there are none."""
    try:
        if source.startswith("@"):
            return iter(_listed(Path(source[1:])))
        path = Path(source)
        if path.is_file() and suffixes_of(path.name) & _LISTS and _is_list(path):
            return iter(_listed(path))
        return iter(_local(source, excluded))
    except (OSError, ValueError) as error:
        raise unreadable(source.removeprefix("@"), error) from error


def _local(source: str, excluded: Path | None) -> list[Path]:
    if source == "-" or is_url(source):
        raise SourceError(f"{source}: a batch reads files, so that it can be resumed; save the pages in files first")
    if not source:
        raise SourceError("no such file: the name is empty")
    path = Path(source)
    if path.is_dir():
        found = list(files_below(path, _PAGES | CONTAINER_SUFFIXES, excluded))
        missing = f"no page and no container in the folder {source}"
    elif path.is_file() or path.is_symlink():
        found, missing = [path], ""
    elif is_pattern(source):
        found, missing = list(matches(*split_pattern(path))), f"no file matches {source}"
    else:
        found, missing = [], f"no such file: {source}" if not path.exists() else f"{source}: not a regular file"
    if not found:
        raise SourceError(missing)
    for path in found:
        _refuse_text_archive(path)
    return found


def _refuse_text_archive(path: Path) -> None:
    for suffix in suffixes_of(path.name) & _TEXT_ARCHIVES.keys():
        what = f"a {suffix[1:].upper()} file has {_TEXT_ARCHIVES[suffix]} and no HTML"
        raise SourceError(f"{path}: {what}; give the WARC file that it was made of")


def _listed(path: Path) -> list[Path]:
    """Return the files of a list; entries are relative to the working directory, or else to the list's folder."""
    files: list[Path] = []
    there = False
    with _text(path) as lines:
        for number, entry in entries(lines):
            below = path.parent / entry
            if not Path(entry).exists() and not is_url(entry) and below.exists():
                entry = str(below)
            try:
                files += _local(entry, None)
                there = True
            except SourceError as error:
                if is_url(entry) or is_pattern(entry) or Path(entry).exists():
                    raise SourceError(f"{path}, line {number}: {error}") from error
                files.append(Path(entry))  # a missing one of many is reported when its turn comes
    if not there:
        first = f"; the first is {files[0]}" if files else ""
        raise SourceError(f"{path}: none of the {len(files)} entries of this list is a file here{first}")
    return files


def _is_list(path: Path) -> bool:
    if ".paths" in suffixes_of(path.name):
        return True
    with _text(path) as lines:
        first = first_entry(lines)
    try:
        return is_url(first) or (first != "" and (Path(first).exists() or (path.parent / first).exists()))
    except (OSError, ValueError):  # Too long or invalid for a path.
        return False


@contextmanager
def _text(path: Path) -> Iterator[Iterator[str]]:
    """Open the lines of a text file, compressed or not."""
    with path.open("rb") as raw:
        head, stream = peeked(raw)
        yield TextIOWrapper(decompressed(head, stream, path.name), encoding="utf-8-sig", errors="replace")


def _is_container(path: Path) -> bool:
    """Whether a file holds pages, by its suffix or else by its content; one that cannot be read is one of its own."""
    if suffixes_of(path.name) & _PAGES:
        return False
    if may_hold_several(path.name):
        return True
    try:
        with path.open("rb") as raw:
            return opened(raw, path.name).kind.is_container
    except BonmunError:
        return False
    except Exception:
        return True


def _container(path: Path) -> Shard:
    size, modified = _stamp(path)
    return Shard(str(path), path, size, modified)


def _group(paths: tuple[Path, ...]) -> Shard:
    sizes, times = zip(*map(_stamp, paths), strict=True)
    name = str(paths[0]) if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1:,} more"
    return Shard(name, paths[0].parent, sum(sizes), max(times), ShardKind.PAGES, paths)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns
