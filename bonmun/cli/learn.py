"""``bonmun learn``."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bonmun.cli.messages import failure_line
from bonmun.cli.options import allow_private_option, columns_options
from bonmun.cli.progress import progress
from bonmun.cli.records import Record, records_of
from bonmun.errors import BonmunError, SourceError
from bonmun.inputs.member import Columns, Reading
from bonmun.limits import Limits
from bonmun.workers.failure import Failure

if TYPE_CHECKING:
    from bonmun.evaluate.stage import Advance
    from bonmun.model.page import Page
    from bonmun.sites.site import Site

_MOST_PER_HOST = 500
"""The most pages of one host that are kept in memory, if an archive has several hosts."""


@dataclass(slots=True)
class _Reading:
    """Iterates over pages and counts those that could not be read."""

    sources: tuple[str, ...]
    host: str | None
    allow_private: bool
    columns: Columns
    limits: Limits = field(default_factory=Limits)
    failed: int = 0
    hosts: dict[str, int] = field(default_factory=dict)

    def pages(self, advance: "Advance") -> Iterator["Page"]:
        for argument in self.sources:
            for record in self._records(argument):
                page = self._page(record)
                advance()
                if page is not None:
                    yield page

    def _records(self, argument: str) -> Iterator[Record]:
        reading = Reading(self.limits.bytes, self.columns)
        try:
            yield from records_of(argument, reading, allow_private=self.allow_private)
        except (BonmunError, OSError) as error:
            yield Record(argument, None, error)

    def _page(self, record: Record) -> "Page | None":
        from bonmun.read.page import read_page

        error = record.error
        if record.raw is not None:
            try:
                raw = record.raw
                page = read_page(raw.content, url=raw.url, charset=raw.content_type, limits=self.limits)
                return page if self._is_wanted(page) else None
            except BonmunError as problem:
                error = problem
        self.failed += 1
        click.echo(f"bonmun: {failure_line(record.name, Failure.of(error or ValueError('no page')))}", err=True)
        return None

    def _is_wanted(self, page: "Page") -> bool:
        host = _host(page)
        self.hosts[host] = self.hosts.get(host, 0) + 1
        return self.host is None or not host or host == self.host


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "-o", "--output", required=True, metavar="PATH", help="Site file to write; a directory for one file per host."
)
@click.option("--host", metavar="NAME", help="Use only pages of this host.")
@click.option("--update", is_flag=True, help="Update an existing site file with these pages.")
@columns_options
@allow_private_option
def learn(
    sources: tuple[str, ...],
    output: str,
    host: str | None,
    update: bool,
    html_field: str,
    url_field: str,
    allow_private: bool,
) -> int:
    """Learn the templates of a site from some of its pages.

    A SOURCE is anything that bonmun extract takes: an HTML file or a directory of such, a pattern, a URL, a web
    archive, an archive of pages, JSON lines, a Parquet file, or a list of URLs or files (.txt).

    Writes a JSON file that can be read and edited, and prints the templates. Use it with bonmun extract --site PATH.
    """
    reading = _Reading(sources, host, allow_private, Columns(html_field, url_field))
    try:
        _check_writable(Path(output))
        learned = _into_folder(reading, Path(output)) if _is_folder(output) else _into_file(reading, output, update)
    except BonmunError as error:
        click.echo(f"bonmun: {failure_line(output, Failure.of(error))}", err=True)
        return 1
    for site in learned:
        click.echo(site.explain())
    return 1 if reading.failed else 0


def _check_writable(output: Path) -> None:
    """Refuse an output that cannot be written, before the work and not after it."""
    existing = next(path for path in (output, *output.parents, Path()) if path.exists())
    if existing != output and not existing.is_dir():
        raise SourceError(f"cannot write: {existing} is not a directory")
    if not os.access(existing, os.W_OK):
        raise SourceError(f"cannot write: no permission for {existing}")


def _into_file(reading: _Reading, output: str, update: bool) -> "list[Site]":
    from bonmun.sites.site import Site

    site = Site.load(output) if update else None
    with progress("pages") as advance:
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
    """Learn a site for each host with enough pages."""
    from bonmun.errors import InputError
    from bonmun.sites.library import SiteLibrary
    from bonmun.sites.site import Site

    by_host: dict[str, list[Page]] = {}
    with progress("pages") as advance:
        for page in reading.pages(advance):
            of_host = by_host.setdefault(_host(page), [])
            if len(of_host) < _MOST_PER_HOST:
                of_host.append(page)
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
    """Return the host of a page's URL, else of its canonical URL."""
    from bonmun.sites.site import host_of

    if page.url:
        return host_of(page.url)
    from bonmun.read.metadata import read_metadata

    return host_of(read_metadata(page).canonical_url)
