"""Outputs: standard output, one file, or a file for each source."""

import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import click

from bonmun.cli.messages import one_line
from bonmun.cli.names import output_names
from bonmun.cli.request import TABLE
from bonmun.cli.sources import PageSource, SourceKind

_EXTENSIONS = {"text": ".txt", "markdown": ".md", "explain": ".html"}
_TITLED = ("text", "markdown", TABLE)


class Output(Protocol):
    """Receives the documents in the order of their sources."""

    def put(self, index: int, text: str) -> None:
        """Write the document of the source at that index."""


def choose(where: str | None, sources: Sequence[PageSource], format: str, *, several: bool) -> Output:
    """Return the output for --output; raise `click.UsageError` if it cannot hold these documents."""
    extension = _EXTENSIONS.get(format, f".{format}")
    if where is None or where == "-":
        if sys.stdout is None:
            raise click.ClickException("standard output is closed")
        return _Stream(_layout(format, sources) if several else _unchanged)
    path = Path(where)
    to_folder = several or path.is_dir() or where.endswith(("/", os.sep))
    if to_folder and path.exists() and not path.is_dir():
        raise click.UsageError(f"--output {where} is a file; several sources need a directory")
    if several and path.suffix.lower() == extension and not path.is_dir() and not where.endswith(("/", os.sep)):
        raise click.UsageError(f"--output {where} looks like a file; several sources need a directory: {where}/")
    paths = [path / name for name in output_names(sources, extension)] if to_folder else [path]
    _protect_sources(paths, sources)
    return _Files(paths)


class _Stream:
    """Standard output, in UTF-8 whatever the locale."""

    def __init__(self, layout: Callable[[int, str], str]) -> None:
        self._layout = layout
        self._out = sys.stdout.buffer

    def put(self, index: int, text: str) -> None:
        self._out.write(_encoded(self._layout(index, text)))
        self._out.flush()


class _Files:
    """One file for each source."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths

    def put(self, index: int, text: str) -> None:
        path = self._paths[index]
        try:
            _write(path, _encoded(text))
        except OSError as error:
            raise OSError(error.errno, f"cannot write {path}: {error.strerror}") from error


def _layout(format: str, sources: Sequence[PageSource]) -> Callable[[int, str], str]:
    """Return the function that formats one of several documents for a stream."""
    if format == "json":
        return lambda _, text: json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":"))
    if format not in _TITLED:
        raise click.UsageError(f"{format} cannot hold several documents in one output: use --output DIRECTORY")
    return lambda index, text: f"{'' if index == 0 else chr(10)}==> {one_line(sources[index].name)} <==\n{text}"


def _unchanged(_: int, text: str) -> str:
    return text


def _encoded(text: str) -> bytes:
    return f"{text.rstrip(chr(10))}\n".encode(errors="replace")


def _protect_sources(paths: Sequence[Path], sources: Sequence[PageSource]) -> None:
    written = {inode for inode in map(_inode, paths) if inode}
    for source in sources:
        if written and source.kind is SourceKind.FILE and _inode(Path(source.name)) in written:
            raise click.UsageError(f"--output would overwrite the source {one_line(source.name)}")


def _inode(path: Path) -> tuple[int, int] | None:
    try:
        status = path.lstat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _write(path: Path, content: bytes) -> None:
    """Write a file atomically: a reader sees the old content or the new, never a part."""
    if path.exists() and not path.is_file():
        path.write_bytes(content)  # A device or a pipe cannot be replaced.
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".bonmun-{os.urandom(8).hex()}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
