"""Files of the local disk: those below a folder, those that match a pattern, those of a list."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from bonmun.errors import SourceError
from bonmun.inputs.kinds import suffixes_of

_WILDCARD = re.compile(r"[*?[]")
_LONGEST_ENTRY = 4096


def files_below(top: Path, suffixes: frozenset[str], excluded: Path | None = None) -> Iterator[Path]:
    """Yield the files below a folder with one of these suffixes, in a fixed order.

    Hidden names, links to folders and the folder `excluded` are not searched. Unreadable folders come last, to be
    reported like the files.
    """
    unreadable: list[Path] = []
    for folder, folders, files in os.walk(top, onerror=lambda error: unreadable.append(Path(error.filename))):
        here = Path(folder)
        folders[:] = sorted(name for name in folders if _visible(name) and real(here / name) != excluded)
        for name in sorted(files):
            path = here / name
            if _visible(name) and suffixes_of(name) & suffixes and _is_file_or_broken_link(path):
                yield path
    yield from unreadable


def is_pattern(text: str) -> bool:
    """Return whether a path has wildcards.

    >>> is_pattern("pages/*.html")
    True
    """
    return _WILDCARD.search(text) is not None


def split_pattern(path: Path) -> tuple[Path, str]:
    """Split a pattern before its first wildcard.

    >>> folder, pattern = split_pattern(Path("a/b/*/c.html"))
    >>> folder.as_posix(), pattern
    ('a/b', '*/c.html')
    """
    first = next(index for index, part in enumerate(path.parts) if _WILDCARD.search(part))
    tail = list(path.parts[first:])
    if tail[-1] == "**":
        tail.append("*")
    return Path(*path.parts[:first]), "/".join(tail)


def matches(folder: Path, pattern: str) -> Iterator[Path]:
    """Yield the files below a folder that match a pattern, in order; hidden ones if the pattern names one."""
    match_hidden = any(not _visible(part) for part in pattern.split("/"))
    for path in sorted(set(folder.glob(pattern))):
        if (match_hidden or all(map(_visible, path.relative_to(folder).parts))) and _is_file_or_broken_link(path):
            yield path


def entries(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the entries of a list with their line numbers, without empty lines and those that begin with #.

    >>> list(entries(["# pages", "", " a.html "]))
    [(3, 'a.html')]
    """
    for number, line in enumerate(lines, 1):
        entry = line.strip()
        if entry and not entry.startswith("#"):
            yield number, entry


def first_entry(lines: Iterable[str]) -> str:
    """Return the beginning of the first entry of a list, empty if there is none."""
    return next((entry for _, entry in entries(line[:_LONGEST_ENTRY] for line in lines)), "")


def real(path: Path) -> Path:
    """Return the path without symbolic links; unlike `Path.resolve`, it does not raise for a loop of links."""
    return Path(os.path.realpath(path))


def unreadable(name: str, error: OSError | ValueError) -> SourceError:
    """Return the error for a file that cannot be opened or read."""
    if isinstance(error, FileNotFoundError):
        return SourceError(f"no such file: {name}")
    return SourceError(f"cannot read {name}: {getattr(error, 'strerror', None) or error}")


def _is_file_or_broken_link(path: Path) -> bool:
    """Whether a path is a page, or a link that leads nowhere or in a circle: a source that fails, not one to skip."""
    return path.is_file() or (path.is_symlink() and not path.exists())


def _visible(name: str) -> bool:
    return not name.startswith(".")
