"""Outputs: standard output, one file, or a file for each page."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Protocol

import click

from bonmun.atomic_file import AtomicFile, write_atomically
from bonmun.cli.fields import CHUNKS, RECORD_FORMATS
from bonmun.cli.messages import one_line
from bonmun.cli.names import name_in_container, output_names
from bonmun.cli.record_outputs import ChunkLines, CsvOutput, JsonLines, ParquetOutput
from bonmun.cli.request import TABLE
from bonmun.cli.sources import PageSource, SourceKind
from bonmun.workers.failure import Failure

_EXTENSIONS = {"text": ".txt", "markdown": ".md", "explain": ".html", "rendered": ".html"}
_TITLED = ("text", "markdown", TABLE)
_RECORDS = "documents"
"""The name of the file with all records in an output directory."""


@dataclass(frozen=True, slots=True)
class OutputPlan:
    """What --output, --format and --fields ask for."""

    where: str | None
    format: str
    fields: tuple[str, ...] = ()
    several: bool = False
    """Whether there may be more than one document."""

    @property
    def extension(self) -> str:
        """The suffix of output files."""
        return _EXTENSIONS.get(self.format, f".{self.format}")

    @property
    def to_stdout(self) -> bool:
        """Whether documents go to standard output."""
        return self.where in (None, "-")

    @property
    def folder(self) -> Path | None:
        """The output directory; None for standard output and for a single file."""
        if self.where is None or self.where == "-":
            return None
        named = Path(self.where).is_dir() or self.where.endswith(("/", os.sep))
        return Path(self.where) if named or (self.several and self.format not in RECORD_FORMATS) else None


class Output(Protocol):
    """Receives the documents in the order of their pages; a context manager that finishes the files."""

    def put(self, index: int, page: PageSource, text: str) -> str | None:
        """Write the document of a page, and return the path of its file; `index` is that of the page's source."""

    def fail(self, page: PageSource, failure: Failure) -> None:
        """Record a page that failed."""

    def __enter__(self) -> "Output": ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None, /
    ) -> None: ...


def choose(plan: OutputPlan, sources: Sequence[PageSource]) -> Output:
    """Return the output for a plan; raise `click.UsageError` if it cannot hold these documents."""
    if plan.format in RECORD_FORMATS:
        return _records(plan, sources)
    if plan.to_stdout:
        _check_stdout()
        return JsonLines(sys.stdout.buffer) if plan.several and plan.format == "json" else _Stream(_layout(plan))
    path, folder = Path(plan.where or ""), plan.folder
    if folder and path.exists() and not path.is_dir():
        raise click.UsageError(f"--output {plan.where} is a file; several sources need a directory")
    if (
        folder == path
        and path.suffix.lower() == plan.extension
        and not (path.is_dir() or str(plan.where).endswith("/"))
    ):
        raise click.UsageError(f"--output {plan.where} looks like a file; several sources need a directory: {path}/")
    names = output_names(sources, plan.extension)
    _protect_sources([folder / name for name in names] if folder else [path], sources)
    return _Files(folder, names, plan.extension) if folder else _File(path)


def _records(plan: OutputPlan, sources: Sequence[PageSource]) -> Output:
    """Return the output of a format that holds all documents in one file."""
    columns = ("source", *plan.fields)
    lines = ChunkLines if plan.format == CHUNKS else JsonLines
    if plan.to_stdout:
        _check_stdout()
        if plan.format == "parquet":
            raise click.UsageError("--format parquet needs --output FILE")
        return CsvOutput(sys.stdout.buffer, columns) if plan.format == "csv" else lines(sys.stdout.buffer)
    path = Path(plan.where or "")
    if plan.folder:
        path = path / (f"{CHUNKS}.jsonl" if plan.format == CHUNKS else f"{_RECORDS}.{plan.format}")
    _protect_sources([path], sources)
    if plan.format == "parquet":
        return ParquetOutput(AtomicFile(path), columns)
    return CsvOutput(AtomicFile(path), columns) if plan.format == "csv" else lines(AtomicFile(path))


class _PageOutput:
    """An output without records of failures, and without anything to finish."""

    def put(self, index: int, page: PageSource, text: str) -> str | None:
        raise NotImplementedError

    def fail(self, page: PageSource, failure: Failure) -> None:
        pass

    def __enter__(self) -> "_PageOutput":
        return self

    def __exit__(self, *_: object) -> None:
        pass


class _Stream(_PageOutput):
    """Standard output, in UTF-8 whatever the locale."""

    def __init__(self, layout: Callable[[PageSource, str], str]) -> None:
        self._layout = layout
        self._out = sys.stdout.buffer
        self._gap = ""

    def put(self, index: int, page: PageSource, text: str) -> None:
        self._out.write(_encoded(self._gap + self._layout(page, text)))
        self._out.flush()
        self._gap = "\n"


class _File(_PageOutput):
    """One file for one page."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def put(self, index: int, page: PageSource, text: str) -> str:
        _write(self._path, text)
        return str(self._path)


class _Files(_PageOutput):
    """One file for each page."""

    def __init__(self, folder: Path, names: Sequence[PurePosixPath], extension: str) -> None:
        self._folder, self._names, self._extension = folder, names, extension

    def put(self, index: int, page: PageSource, text: str) -> str:
        name = self._names[index]
        if page.number is not None:
            name = name_in_container(name, page, self._extension)
        _write(self._folder / name, text)
        return str(name)


def _layout(plan: OutputPlan) -> Callable[[PageSource, str], str]:
    """Return the function that formats a document for a stream."""
    if not plan.several:
        return lambda _, text: text
    if plan.format not in _TITLED:
        raise click.UsageError(f"{plan.format} cannot hold several documents in one output: use --output DIRECTORY")
    return lambda page, text: f"==> {one_line(page.name)} <==\n{text}"


def _check_stdout() -> None:
    if sys.stdout is None:
        raise click.ClickException("standard output is closed")


def _encoded(text: str) -> bytes:
    return f"{text.rstrip(chr(10))}\n".encode(errors="replace")


def _write(path: Path, text: str) -> None:
    try:
        write_atomically(path, _encoded(text))
    except OSError as error:
        raise OSError(error.errno, f"cannot write {path}: {error.strerror}") from error


def _protect_sources(paths: Sequence[Path], sources: Sequence[PageSource]) -> None:
    written = {inode for inode in map(_inode, paths) if inode}
    for source in sources:
        if written and source.kind is SourceKind.FILE and _inode(Path(source.name)) in written:
            raise click.UsageError(f"--output would overwrite the source {one_line(source.name)}")


def _inode(path: Path) -> tuple[int, int] | None:
    try:
        status = path.lstat()
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino
