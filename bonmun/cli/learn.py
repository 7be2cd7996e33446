"""``bonmun learn``."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bonmun.cli.failure import Failure
from bonmun.cli.records import Record, records_of
from bonmun.errors import BonmunError
from bonmun.limits import Limits

if TYPE_CHECKING:
    from bonmun.model.page import Page
    from bonmun.sites.site import Site

_MOST_A_HOST = 500
"""Pages of one host that are held to learn from, where an archive has several hosts."""


@dataclass(slots=True)
class _Reading:
    """Pages as they come, and how many could not be read."""

    sources: tuple[str, ...]
    host: str | None
    allow_private: bool
    limits: Limits = field(default_factory=Limits)
    failed: int = 0
    hosts: dict[str, int] = field(default_factory=dict)

    def pages(self, advance: Callable[[], None]) -> Iterator["Page"]:
        for argument in self.sources:
            for record in self._records(argument):
                page = self._page(record)
                advance()
                if page is not None:
                    yield page

    def _records(self, argument: str) -> Iterator[Record]:
        try:
            yield from records_of(argument, self.limits.bytes, allow_private=self.allow_private)
        except (BonmunError, OSError, UnicodeDecodeError) as error:
            yield Record(argument, None, error)

    def _page(self, record: Record) -> "Page | None":
        from bonmun.read.page import read_page

        error = record.error
        if record.raw is not None:
            try:
                raw = record.raw
                page = read_page(raw.content, url=raw.url, charset=raw.content_type, limits=self.limits)
                return page if self._wanted(page) else None
            except BonmunError as problem:
                error = problem
        self.failed += 1
        click.echo(f"bonmun: {Failure.of(error or ValueError('no page')).line(record.name)}", err=True)
        return None

    def _wanted(self, page: "Page") -> bool:
        host = _host(page)
        self.hosts[host] = self.hosts.get(host, 0) + 1
        return self.host is None or not host or host == self.host


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("-o", "--output", required=True, metavar="PATH", help="The site's file; a directory for one file a host.")
@click.option("--host", metavar="NAME", help="Learn from this host's pages only.")
@click.option("--update", is_flag=True, help="Take the pages in as news of the site that the file holds.")
@click.option("--allow-private", is_flag=True, help="Fetch from private and loopback addresses too.")
def learn(sources: tuple[str, ...], output: str, host: str | None, update: bool, allow_private: bool) -> int:
    """Learn a site's templates from a handful of its pages, without labels.

    A SOURCE is a directory or file of HTML, a pattern, a URL, a web archive (.warc, .warc.gz), a list of URLs or files
    (.txt), or JSON lines with html and url (.jsonl, .jsonl.zst).

    The file is JSON to be read, edited and compared; what was learned is printed. bonmun extract --site PATH uses it.
    """
    reading = _Reading(sources, host, allow_private)
    try:
        learned = _into_folder(reading, Path(output)) if _is_folder(output) else _into_file(reading, output, update)
    except BonmunError as error:
        click.echo(f"bonmun: {Failure.of(error).line(output)}", err=True)
        return 1
    for site in learned:
        click.echo(site.explain())
    return 1 if reading.failed else 0


def _into_file(reading: _Reading, output: str, update: bool) -> "list[Site]":
    from bonmun.sites.site import Site

    site = Site.load(output) if update else None
    with _counting() as advance:
        pages: Iterable[Page] = reading.pages(advance)
        if site is not None:
            site.update(pages)
        else:
            site = Site.learn(pages, host=reading.host)
    if not site.host:
        site.host = max(reading.hosts, key=lambda host: reading.hosts[host], default="")
    others = sorted(host for host in reading.hosts if host and host != site.host)
    if others and reading.host is None:
        click.echo(f"bonmun: pages of several hosts in one site: {', '.join([site.host, *others][:5])}", err=True)
    site.save(output)
    return [site]


def _into_folder(reading: _Reading, folder: Path) -> "list[Site]":
    """A site for each host with enough pages."""
    from bonmun.errors import InputError
    from bonmun.sites.library import SiteLibrary
    from bonmun.sites.site import Site

    by_host: dict[str, list[Page]] = {}
    with _counting() as advance:
        for page in reading.pages(advance):
            held = by_host.setdefault(_host(page), [])
            if len(held) < _MOST_A_HOST:
                held.append(page)
    folder.mkdir(parents=True, exist_ok=True)
    library, learned = SiteLibrary(folder), []
    for host, pages in sorted(by_host.items()):
        try:
            site = Site.learn(pages, host=host)
            library.add(site)
            learned.append(site)
        except InputError as error:
            click.echo(f"bonmun: {host or 'pages without a host'}: {error}", err=True)
    return learned


def _is_folder(output: str) -> bool:
    return output.endswith(("/", "\\")) or Path(output).is_dir()


def _host(page: "Page") -> str:
    """The host of a page: of its address, or of what it calls its own."""
    from bonmun.sites.site import host_of

    if page.url:
        return host_of(page.url)
    from bonmun.read.metadata import read_metadata

    return host_of(read_metadata(page).canonical_url)


@contextmanager
def _counting() -> Iterator[Callable[[], None]]:
    """Count pages on a terminal; say nothing elsewhere."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("pages"), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("pages", total=None)
        yield lambda: bar.advance(task)
