"""``bonmun store``."""

import json
import re
import sys
from collections.abc import Iterable
from dataclasses import asdict
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bonmun.cli.options import with_options
from bonmun.cli.timings import timings

if TYPE_CHECKING:
    from bonmun.store.store import Store

_AGE = re.compile(r"(\d{1,6})\s*([hdwy])")
_HOURS = {"h": 1, "d": 24, "w": 7 * 24, "y": 365 * 24}


def _age(_: click.Context, __: click.Parameter, value: str | None) -> timedelta | None:
    if value is None:
        return None
    if not (match := _AGE.fullmatch(value.strip())):
        raise click.BadParameter("use a number and h, d, w or y, such as 90d")
    return timedelta(hours=int(match[1]) * _HOURS[match[2]])


def _day(_: click.Context, __: click.Parameter, value: datetime | None) -> date | None:
    return value.date() if value else None


_STORE = click.argument("address", metavar="STORE")
_PAGE = click.argument("page", metavar="PAGE")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_FILTERS = (
    click.option("--language", metavar="TAG", help="Only documents in this language: ko, zh, ja, en, …"),
    click.option("--source", metavar="NAME", help="Only documents of this source."),
    click.option("--host", metavar="NAME", help="Only documents of this host and its subdomains."),
    click.option("--since", type=click.DateTime(["%Y-%m-%d"]), callback=_day, metavar="YYYY-MM-DD",
                 help="Only documents published since, or first seen if they have no date."),
)  # fmt: skip


@click.group(invoke_without_command=True)
@click.pass_context
def store(context: click.Context) -> None:
    """Search and maintain a database of documents.

    STORE is a file of SQLite such as news.db, or postgresql://user@host/database. PAGE is the URL of a page, or the
    number that search prints with --json.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
        context.exit(2)


@store.command()
@_STORE
@click.argument("query", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="Number of results.")
@click.option("--offset", type=click.IntRange(min=0), default=0, help="Results to skip.")
@with_options(_FILTERS)
@_JSON
def search(address: str, query: tuple[str, ...], as_json: bool, offset: int, **options: Any) -> int:
    """Find documents by words, ranked by BM25.

    All words have to occur; "a phrase" in order; -word must not: bonmun store search news.db 'bank -"interest rates"'.
    """
    from bonmun.cli.store_screens import hits_lines, print_lines

    with _opened(address) as opened:
        hits = opened.search(" ".join(query), offset=offset, **options)
    if as_json:
        _print_json(asdict(hits))
    else:
        print_lines(hits_lines(hits, offset))
    return 0


@store.command()
@_STORE
@_PAGE
@click.option("--version", type=click.IntRange(min=1), metavar="N", help="An older version of the page.")
@click.option("--format", type=click.Choice(["screen", "text", "markdown", "json"]), default="screen",
              show_default=True, help="What to print.")  # fmt: skip
def show(address: str, page: str, version: int | None, format: str) -> int:
    """Show a stored page with all that is known of it."""
    from bonmun.cli.store_screens import document_lines, print_lines

    with _opened(address) as opened:
        shown = opened.show(_page(page), version)
        versions = opened.versions(_page(page))
    if format == "json":
        _print_json(asdict(shown) | {"history": [asdict(one) for one in versions]})
    elif format == "screen":
        print_lines(document_lines(shown, versions))
    else:
        click.echo(getattr(shown, format))
    return 0


@store.command()
@_STORE
@_PAGE
@click.option("--old", type=click.IntRange(min=1), metavar="N", help="Older version; the last but one by default.")
@click.option("--new", type=click.IntRange(min=1), metavar="N", help="Newer version; the last by default.")
@_JSON
def diff(address: str, page: str, old: int | None, new: int | None, as_json: bool) -> int:
    """Show what changed between two versions of a page."""
    from bonmun.cli.store_screens import diff_lines, print_lines

    with _opened(address) as opened:
        compared = opened.diff(_page(page), old, new)
    if as_json:
        _print_json(asdict(compared))
    else:
        print_lines(diff_lines(compared))
    return 0


@store.command()
@_STORE
@click.option("-o", "--output", required=True, metavar="PATH", help="File, or folder for Markdown; - for stdout.")
@click.option("--format", type=click.Choice(["jsonl", "markdown", "parquet"]), help="By the name of PATH if not given.")
@with_options(_FILTERS)
def export(address: str, output: str, format: str | None, **filters: Any) -> int:
    """Write documents as JSON lines (.jsonl), Parquet (.parquet) or a folder of Markdown files."""
    with _opened(address) as opened:
        if output == "-":
            if format not in (None, "jsonl"):
                raise click.UsageError(f"{format} cannot be written to standard output")
            from bonmun.store.export import json_lines

            return _write_lines(json_lines(opened.documents(**filters)))
        count = opened.export(Path(output), format, **filters)
    click.echo(f"bonmun: {count:,} documents written to {output}", err=True)
    return 0


def _write_lines(lines: Iterable[str]) -> int:
    out = sys.stdout.buffer
    for line in lines:
        out.write(line.encode())
    out.flush()
    return 0


@store.command()
@_STORE
@click.option("-o", "--output", required=True, metavar="PATH", help="A file .jsonl or .jsonl.zst; - for stdout.")
def labels(address: str, output: str) -> int:
    """Write the pages that were labelled in the browser as a corpus for bonmun train and bonmun bench."""
    with _opened(address) as opened:
        if output == "-":
            return _write_lines(opened.label_lines())
        count = opened.export_labels(output)
    click.echo(f"bonmun: {count:,} labelled pages written to {output}", err=True)
    return 0


@store.command()
@_STORE
@_JSON
def stats(address: str, as_json: bool) -> int:
    """Count documents, versions, languages, sources, hosts, failures and the queue."""
    from bonmun.cli.store_screens import print_lines, stats_lines

    with _opened(address) as opened:
        counted = opened.stats()
    if as_json:
        _print_json(asdict(counted))
    else:
        print_lines(stats_lines(counted))
    return 0


@store.command()
@_STORE
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Number of failures.")
@_JSON
def failures(address: str, limit: int, as_json: bool) -> int:
    """List the pages that failed, the latest first."""
    from bonmun.cli.store_screens import failure_lines, print_lines

    with _opened(address) as opened:
        found = opened.failures(limit)
    if as_json:
        _print_json([asdict(one) for one in found])
    else:
        print_lines(failure_lines(found))
    return 0


@store.command()
@_STORE
@click.option("--keep-versions", type=click.IntRange(min=1), metavar="N", help="Keep the last N versions of each page.")
@click.option("--unseen-for", callback=_age, metavar="AGE", help="Remove pages not seen for 90d, 12w, 1y, …")
@click.option("--failures", callback=_age, metavar="AGE", help="Remove failures older than this.")
@click.option("--compact", is_flag=True, help="Give the space back to the file system; takes a while.")
def prune(
    address: str, keep_versions: int | None, unseen_for: timedelta | None, failures: timedelta | None, compact: bool
) -> int:
    """Remove old versions, pages that have gone, and old failures."""
    if keep_versions is None and unseen_for is None and failures is None and not compact:
        raise click.UsageError("nothing to do: use --keep-versions, --unseen-for, --failures or --compact")
    with _opened(address) as opened:
        removed = opened.prune(
            keep_versions=keep_versions, unseen_for=unseen_for, failures_older_than=failures, compact=compact
        )
    click.echo(f"removed {removed.documents:,} documents, {removed.versions:,} versions, {removed.failures:,} failures")
    return 0


store.add_command(timings)


def _opened(address: str) -> "Store":
    """Open an existing store: a typing error must not make a file."""
    from bonmun.store import open_store

    return open_store(address, create=False)


def _page(page: str) -> str | int:
    return int(page) if page.isascii() and page.isdigit() and len(page) < 19 else page


def _print_json(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=_plain))


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
