"""From arguments to outputs: what the commands that extract have in common."""

import os
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import click

from bonmun.cli.failure import Failure, one_line
from bonmun.cli.outputs import Output, choose
from bonmun.cli.progress import progress
from bonmun.cli.request import TABLE, Answer, Request
from bonmun.cli.sources import Kind, Source, drained, expand, real
from bonmun.errors import UnknownName


@dataclass(frozen=True, slots=True)
class Order:
    """What was asked for on the command line."""

    arguments: Sequence[str]
    request: Request
    output: str | None = None
    jobs: int = 1


def deliver(order: Order) -> int:
    """Carry out an order and return the exit code: 0 when all is well, 1 when a source failed."""
    _check_names(order.request)
    sources, failed = _gathered(order)
    several = len(order.arguments) > 1 or any(source.relative for source in sources)
    if order.request.url and (several or any(source.kind is Kind.URL for source in sources)):
        raise click.UsageError("--url goes with one file or with -")
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


def _gathered(order: Order) -> tuple[list[Source], int]:
    """Return all sources, each once, and how many arguments gave none."""
    found: dict[str, Source] = {}
    failed = 0
    for argument in order.arguments:
        try:
            for source in expand(argument, unless=real(Path(order.output)) if order.output else None):
                found.setdefault(source.identity, source)
        except Exception as error:
            _report(argument, Failure.of(error))
            failed += 1
    return list(found.values()), failed


def _extracted(order: Order, sources: Sequence[Source], output: Output) -> int:
    """Extract and write every source; return how many failed."""
    from bonmun.cli.jobs import run

    request = order.request
    items = [drained(source, request.limits.bytes) for source in sources]
    failed = 0
    quiet = order.output in (None, "-") and sys.stdout.isatty()
    with (
        progress(len(items), quiet=quiet) as advance,
        closing(run(request, items, jobs=order.jobs, seconds=request.seconds)) as answers,
    ):
        for index, answer in enumerate(answers):
            failed += not _put(output, index, items[index].name, answer)
            advance()
    return failed


def _put(output: Output, index: int, name: str, answer: Answer | Failure) -> bool:
    """Write an answer; return whether that went well."""
    if isinstance(answer, Answer):
        try:
            output.put(index, answer.text)
        except BrokenPipeError:
            raise
        except OSError as error:
            answer = Failure(type(error).__name__, error.strerror or str(error))
    if isinstance(answer, Failure):
        _report(name, answer)
        return False
    if answer.note:
        click.echo(f"bonmun: {one_line(name)}: {one_line(answer.note)}", err=True)
    return True


def _report(source: str, failure: Failure) -> None:
    if os.environ.get("BONMUN_DEBUG"):
        click.echo(failure.trace, err=True, nl=False)
    click.echo(f"bonmun: {failure.line(source)}", err=True)
