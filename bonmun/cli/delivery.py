"""From arguments to outputs: the part that all extracting commands share."""

import os
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

import click

from bonmun.cli.fields import RECORD_FORMATS
from bonmun.cli.filters import Sieve
from bonmun.cli.manifest import Manifest, NoManifest
from bonmun.cli.messages import failure_line, one_line
from bonmun.cli.outputs import Output, OutputPlan, choose
from bonmun.cli.pages import pages_of
from bonmun.cli.progress import progress
from bonmun.cli.request import TABLE, Request, WrittenDocument
from bonmun.cli.sources import PageSource, SourceKind, expand, listed
from bonmun.cli.summary import Summary
from bonmun.errors import BonmunError, MissingBrowser, SourceError, UnknownName
from bonmun.inputs.kinds import may_hold_several
from bonmun.inputs.member import Columns, Reading
from bonmun.inputs.paths import real
from bonmun.workers.failure import Failure

_COLUMNS = Columns()
_LOOK_AHEAD = 4
"""Pages that wait for each worker: few, because pages of containers wait with their content."""


@dataclass(frozen=True, slots=True)
class Order:
    """The arguments and options of an extracting command."""

    arguments: Sequence[str]
    request: Request
    output: str | None = None
    jobs: int = 1
    columns: Columns = _COLUMNS
    urls: str | None = None
    """A file with one URL on each line, or `-`."""


@dataclass(slots=True)
class _Pages:
    """The pages of all sources as a stream; remembers those that are being extracted."""

    sources: Sequence[PageSource]
    reading: Reading
    first: PageSource | None = None
    _stream: Iterator[tuple[int, PageSource]] = field(init=False)
    _extracting: deque[tuple[int, PageSource]] = field(default_factory=deque)

    def __post_init__(self) -> None:
        stream = ((index, page) for index, source in enumerate(self.sources) for page in pages_of(source, self.reading))
        head = next(stream, None)
        self.first = head[1] if head else None
        self._stream = chain([head] if head else [], stream)

    def __iter__(self) -> Iterator[PageSource]:
        for index, page in self._stream:
            self._extracting.append((index, replace(page, content=None)))
            yield page

    def next_done(self) -> tuple[int, PageSource]:
        """Return the page of the next result, with the index of its source."""
        return self._extracting.popleft()


def deliver(order: Order) -> int:
    """Extract and write all pages; return the exit code: 1 if one failed, else 0."""
    started = time.monotonic()
    _check_names(order.request)
    if order.request.draws:
        from bonmun.rendering.chromium import check_browser

        check_browser()  # its error once, before any page is read
    sources = _gathered(order)
    pages = _Pages(sources, Reading(order.request.limits.bytes, order.columns))
    several = len(order.arguments) > 1 or len(sources) != 1 or _is_part(pages.first)
    if order.request.url and (several or sources[0].kind is SourceKind.URL):
        raise click.UsageError("--url needs exactly one source: a file or -")
    plan = OutputPlan(order.output, order.request.format, order.request.fields, several)
    order = replace(order, request=replace(order.request, with_title=plan.folder is not None))
    summary = Summary()
    with ExitStack() as stack:
        output = stack.enter_context(choose(plan, sources))
        stack.enter_context(manifest := _manifest(plan))
        _extract(order, pages, _Delivery(output, manifest, summary, _sieve(order.request)), hidden=not several)
    if several and summary.pages > 1 and sys.stderr and sys.stderr.isatty():
        click.echo(f"bonmun: {summary.line(time.monotonic() - started)}", err=True)
    return 1 if summary.failed else 0


@dataclass(slots=True)
class _Delivery:
    """Writes results: documents to the output, failures to standard error, both to the manifest."""

    output: Output
    manifest: Manifest | NoManifest
    summary: Summary
    sieve: Sieve | None

    def take(self, index: int, page: PageSource, result: WrittenDocument | Failure) -> None:
        """Write the result of a page."""
        if isinstance(result, WrittenDocument):
            if self.sieve and result.traits and (reason := self.sieve.reason(page.name, result.traits)):
                self.summary.filtered[reason.partition(":")[0]] += 1
                self.manifest.add(page.name, None, "filtered", title=result.title, reason=reason)
                return
            try:
                output = self.output.put(index, page, result.text)
            except BrokenPipeError:
                raise
            except OSError as error:
                result = Failure(type(error).__name__, error.strerror or str(error))
        if isinstance(result, Failure):
            self._fail(page, result)
            return
        if result.note:
            click.echo(f"bonmun: {one_line(page.name)}: {one_line(result.note)}", err=True)
        self.summary.documents[result.status] += 1
        self.manifest.add(page.name, output, result.status, title=result.title)

    def _fail(self, page: PageSource, failure: Failure) -> None:
        if os.environ.get("BONMUN_DEBUG"):
            click.echo(failure.traceback, err=True, nl=False)
        click.echo(f"bonmun: {failure_line(page.name, failure)}", err=True)
        self.summary.failed += 1
        self.output.fail(page, failure)
        self.manifest.add(page.name, None, "error", error={"type": failure.kind, "message": failure.message})


def _extract(order: Order, pages: _Pages, delivery: _Delivery, *, hidden: bool) -> None:
    """Extract every page in a worker process and deliver the results in order."""
    from bonmun.workers.pool import WorkerPool

    request = order.request
    to_terminal = order.output in (None, "-") and sys.stdout.isatty()
    total = None if any(may_hold_several(source.name) for source in pages.sources) else len(pages.sources)
    with (
        progress("pages", total, hidden=to_terminal or hidden) as advance,
        WorkerPool(request, jobs=order.jobs, seconds=request.seconds, queue=_LOOK_AHEAD * order.jobs) as pool,
    ):
        for result in pool.map(pages):
            if isinstance(result, Failure) and isinstance(result.error, MissingBrowser):
                raise result.error  # no other page would do better
            index, page = pages.next_done()
            delivery.take(index, page, result)
            advance()


def _check_names(request: Request) -> None:
    from bonmun import registry

    if request.method not in registry.METHODS:
        _check("method", request.method, registry.names("methods"))
    if request.format not in (*registry.FORMATS, *RECORD_FORMATS, TABLE):
        _check("format", request.format, [*registry.names("formats"), *RECORD_FORMATS])
    if request.charset is not None:
        from bonmun.read.encodings import encoding_of

        if encoding_of(request.charset) is None:
            raise click.UsageError(f"no charset named {request.charset!r}")


def _check(what: str, name: str, known: Sequence[str]) -> None:
    if name not in known:
        raise click.UsageError(str(UnknownName(what, name, known)))


def _gathered(order: Order) -> list[PageSource]:
    """Return all sources without duplicates; an argument that gives none is a source with its error."""
    excluded = real(Path(order.output)) if order.output else None
    sources: dict[str, PageSource] = {}
    for argument in order.arguments:
        try:
            expanded = expand(argument, excluded=excluded)
        except BonmunError as error:
            expanded = [PageSource(argument, SourceKind.FILE, error=error)]
        for source in expanded:
            sources.setdefault(source.identity, source)
    for source in _listed_urls(order.urls) if order.urls is not None else ():
        sources.setdefault(source.identity, source)
    return list(sources.values())


def _listed_urls(path: str) -> list[PageSource]:
    try:
        with click.open_file(path, encoding="utf-8-sig", errors="replace") as lines:
            sources = listed(path, lines)
    except OSError as error:
        raise click.UsageError(f"--urls {path}: {error.strerror}") from error
    return sources or [PageSource(path, SourceKind.FILE, error=SourceError("no URL in this list"))]


def _is_part(page: PageSource | None) -> bool:
    """Whether a page is one of several: of a directory, a pattern or a container."""
    return page is not None and (page.number is not None or page.relative is not None)


def _manifest(plan: OutputPlan) -> Manifest | NoManifest:
    if plan.folder is None:
        return NoManifest()
    try:
        return Manifest(plan.folder)
    except OSError as error:
        raise click.ClickException(f"cannot write to {plan.folder}: {error.strerror}") from error


def _sieve(request: Request) -> Sieve | None:
    return Sieve(request.filters) if request.filters else None
