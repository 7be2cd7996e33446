"""From arguments to outputs: the part that all extracting commands share."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from bonmun.cli.messages import failure_line, one_line
from bonmun.cli.outputs import Output, choose
from bonmun.cli.progress import progress
from bonmun.cli.request import TABLE, Request, WrittenDocument
from bonmun.cli.sources import PageSource, SourceKind, drained, expand, real
from bonmun.errors import UnknownName
from bonmun.workers.failure import Failure


@dataclass(frozen=True, slots=True)
class Order:
    """The arguments and options of an extracting command."""

    arguments: Sequence[str]
    request: Request
    output: str | None = None
    jobs: int = 1


def deliver(order: Order) -> int:
    """Extract and write all sources; return the exit code: 1 if a source failed, else 0."""
    _check_names(order.request)
    sources, failed = _gathered(order)
    several = len(order.arguments) > 1 or any(source.relative for source in sources)
    if order.request.url and (several or any(source.kind is SourceKind.URL for source in sources)):
        raise click.UsageError("--url needs exactly one source: a file or -")
    if sources:
        output = choose(order.output, sources, order.request.format, several=several)
        failed += _extracted(order, sources, output)
    return 1 if failed else 0


def _check_names(request: Request) -> None:
    from bonmun import registry

    if request.method not in registry.METHODS:
        _check("method", request.method, registry.names("methods"))
    if request.format not in (*registry.FORMATS, TABLE):
        _check("format", request.format, registry.names("formats"))
    if request.charset is not None:
        from bonmun.read.encodings import encoding_of

        if encoding_of(request.charset) is None:
            raise click.UsageError(f"no charset named {request.charset!r}")


def _check(what: str, name: str, known: Sequence[str]) -> None:
    if name not in known:
        raise click.UsageError(str(UnknownName(what, name, known)))


def _gathered(order: Order) -> tuple[list[PageSource], int]:
    """Return all sources without duplicates, and the number of arguments that gave none."""
    sources: dict[str, PageSource] = {}
    failed = 0
    for argument in order.arguments:
        try:
            for source in expand(argument, excluded=real(Path(order.output)) if order.output else None):
                sources.setdefault(source.identity, source)
        except Exception as error:
            _report(argument, Failure.of(error))
            failed += 1
    return list(sources.values()), failed


def _extracted(order: Order, sources: Sequence[PageSource], output: Output) -> int:
    """Extract and write every source; return how many failed."""
    from bonmun.workers.pool import WorkerPool

    request = order.request
    items = (drained(source, request.limits.bytes) for source in sources)
    to_terminal = order.output in (None, "-") and sys.stdout.isatty()
    failed = 0
    with (
        progress("pages", len(sources), hidden=to_terminal or len(sources) < 2) as advance,
        WorkerPool(request, jobs=order.jobs, seconds=request.seconds) as pool,
    ):
        for index, result in enumerate(pool.map(items)):
            failed += not _put(output, index, sources[index].name, result)
            advance()
    return failed


def _put(output: Output, index: int, name: str, result: WrittenDocument | Failure) -> bool:
    """Write a document; return whether that succeeded."""
    if isinstance(result, WrittenDocument):
        try:
            output.put(index, result.text)
        except BrokenPipeError:
            raise
        except OSError as error:
            result = Failure(type(error).__name__, error.strerror or str(error))
    if isinstance(result, Failure):
        _report(name, result)
        return False
    if result.note:
        click.echo(f"bonmun: {one_line(name)}: {one_line(result.note)}", err=True)
    return True


def _report(source: str, failure: Failure) -> None:
    if os.environ.get("BONMUN_DEBUG"):
        click.echo(failure.traceback, err=True, nl=False)
    click.echo(f"bonmun: {failure_line(source, failure)}", err=True)
