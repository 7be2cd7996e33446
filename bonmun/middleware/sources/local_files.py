"""Files of the local disk: which ones a path means, and how they are opened safely."""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from bonmun.errors import SourceError

_WILDCARD: Final = re.compile(r"[*?[]")


def opened(path: Path) -> BinaryIO:
    """Open a regular file; raise `SourceError` for anything else, such as a pipe, which could block for ever."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:
        raise SourceError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise SourceError(f"cannot read {path}: not a regular file")
    return os.fdopen(descriptor, "rb")


def files_at(text: str, suffixes: frozenset[str]) -> Iterator[Path]:
    """Yield the file of a path, the files below a folder with one of these suffixes, or those that match a pattern.

    A search takes no hidden files and follows no links, which could lead out of the folder or in a circle.
    Raise `SourceError` if there is no such file.
    """
    path = Path(text)
    if path.is_dir():
        found = files_below(path, suffixes)
    elif path.exists() or path.is_symlink() or not _WILDCARD.search(text):
        found = iter([path])
    else:
        found = _matching(path)
    first = next(found, None)
    if first is None:
        raise SourceError(f"{text}: no file with one of the suffixes {' '.join(sorted(suffixes))}")
    yield first
    yield from found


def file_url(path: Path) -> str:
    """Return the `file:` URL of a path.

    >>> file_url(Path("/pages/차.html"))
    'file:///pages/%EC%B0%A8.html'
    """
    return path.absolute().as_uri()


def suffixes_match(name: str, suffixes: frozenset[str]) -> bool:
    """Tell whether a name ends with one of these suffixes.

    >>> suffixes_match("a.WARC.gz", frozenset({".warc.gz"}))
    True
    """
    return name.lower().endswith(tuple(suffixes))


def files_below(top: Path, suffixes: frozenset[str]) -> Iterator[Path]:
    """Yield the regular files below a folder with one of these suffixes, by name, without hidden ones and links."""
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = Path(folder, name)
            if not name.startswith(".") and suffixes_match(name, suffixes) and not path.is_symlink() and path.is_file():
                yield path


def _matching(pattern: Path) -> Iterator[Path]:
    first = next(index for index, part in enumerate(pattern.parts) if _WILDCARD.search(part))
    folder, below = Path(*pattern.parts[:first]), "/".join(pattern.parts[first:])
    for path in sorted(folder.glob(below)):
        parts = path.relative_to(folder).parts
        hidden = any(part.startswith(".") for part in parts)
        linked = any(folder.joinpath(*parts[:count]).is_symlink() for count in range(1, len(parts) + 1))
        if not hidden and not linked and path.is_file():
            yield path
