"""``bonmun batch``."""

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from bonmun import registry
from bonmun.cli.batch_progress import batch_progress
from bonmun.cli.messages import one_line
from bonmun.cli.options import (
    abstain_option,
    checked_site,
    columns_options,
    filter_options,
    jobs_option,
    method_option,
    prefer_option,
    site_option,
    switch_options,
    with_options,
)
from bonmun.cli.quantities import size
from bonmun.errors import MissingExtra, OutputDiffers, UnknownName
from bonmun.limits import DEFAULT_LIMITS, Limits

if TYPE_CHECKING:
    from bonmun.scale.run.settings import RunSettings

_NEEDED = frozenset({"pyarrow", "zstandard", "rensa"})
_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_SWITCHES = ("links", "images", "captions", "tables", "references", "comments")
_FILTERS = ("languages", "min_chars", "max_chars", "min_confidence", "unique", "near_duplicates")


def _texts(_: click.Context, __: click.Parameter, names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))


def _part(_: click.Context, __: click.Parameter, part: str | None) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", part or "1/1")
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise click.BadParameter("use K/N with K from 1 to N, such as 3/10")
    return int(match[1]), int(match[2])


_columns = with_options(
    (
        click.option("--format", default="parquet", show_default=True,
                     type=click.Choice(("parquet", "jsonl", "jsonl.zst", "wet")),
                     help="Format of the parts; wet has the texts alone, as WARC conversion records."),
        click.option("--texts", default="text", show_default=True, callback=_texts, metavar="NAMES",
                     help="Columns with the main text: text,markdown,html."),
        click.option("--blocks", is_flag=True, help="Add the kept blocks as a nested column."),
        click.option("--timings", is_flag=True, help="Add the seconds that each page took; runs then differ."),
    )
)  # fmt: skip
_limits = with_options(
    (
        click.option("--seconds", type=click.FloatRange(min=0.1), default=DEFAULT_LIMITS.seconds, show_default=True,
                     metavar="N", help="Time for a page."),
        click.option("--max-bytes", default=str(DEFAULT_LIMITS.bytes), show_default=True, callback=size,
                     metavar="SIZE", help="Largest page, such as 20MB."),
    )
)  # fmt: skip
_course = with_options(
    (
        click.option("--learn-sites", is_flag=True,
                     help="Learn the templates of every host with enough pages in a first pass, and extract by them."),
        click.option("--part", callback=_part, metavar="K/N",
                     help="Only every N-th shard, from the K-th on: for job arrays that share a folder."),
        click.option("--restart", is_flag=True, help="Remove the results of an earlier batch in the folder first."),
    )
)  # fmt: skip


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--output", required=True, metavar="DIR", type=click.Path(file_okay=False, path_type=Path),
              help="Folder for the parts, one for each shard.")  # fmt: skip
@_columns
@jobs_option(default=0)
@method_option
@site_option
@prefer_option
@abstain_option
@switch_options
@filter_options
@click.option("--min-confidence", type=click.FloatRange(0, 1), metavar="CONFIDENCE",
              help="Drop documents with a lower confidence.")  # fmt: skip
@columns_options
@_limits
@_course
def batch(sources: tuple[str, ...], output: Path, **given: Any) -> int:
    """Extract large collections: shards in, parts out, on all cores.

    A SOURCE is a web archive (WARC, WACZ), a Parquet file, JSON lines, a directory, a pattern in quotes, or @LIST, a
    file with one of these on each line. Each file is a shard and becomes a part; a page that fails is a row with its
    error.

    A finished shard has a marker: the same command goes on where an interrupted one ended, and gives the same files.
    The last line is the account: pages in = ok + empty + abstained + failed + filtered. The exit code is 1 if a page
    failed or something could not be read.
    """
    try:
        from bonmun.scale.run.process import run_batch
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _NEEDED:
            raise
        raise MissingExtra("batches", "scale") from error
    settings = _settings(**given)
    if registry.needs_layout(settings.batch.method):
        from bonmun.rendering.chromium import check_browser

        check_browser()  # its error once, before any page is read
    try:
        with _ended_by_signals(), batch_progress() as progress:
            account = run_batch(sources, output, settings, progress=progress)
    except OutputDiffers as error:
        click.echo(f"bonmun: OutputDiffers: {one_line(str(error))} with --restart", err=True)
        return 1
    except _Ended as ended:
        click.echo(f"bonmun: {ended}: finished shards stay; the same command goes on with the rest", err=True)
        return 128 + ended.number
    click.echo(f"bonmun: {one_line(account.line())}", err=True)
    return 0 if account.is_clean else 1


def _settings(
    *,
    texts: tuple[str, ...],
    method: str,
    site: str | None,
    seconds: float,
    max_bytes: int,
    html_field: str,
    url_field: str,
    **given: Any,
) -> "RunSettings":
    """Return the settings of the options; wrong ones are wrong usage."""
    from bonmun.cli.known_sites import known_sites
    from bonmun.inputs.member import Columns
    from bonmun.model.output import Output
    from bonmun.scale.run.settings import RunSettings
    from bonmun.scale.settings import BatchSettings
    from bonmun.scale.sieve.filters import Filters

    if method not in registry.names("methods"):
        raise click.UsageError(str(UnknownName("method", method, registry.names("methods"))))
    output = Output(**{name: given.pop(name) for name in _SWITCHES})
    names = ("blocks", "timings", "prefer", "abstain_below")
    sites = known_sites(checked_site(site) or "") if site else None
    try:
        batch = BatchSettings(
            texts, method=method, sites=sites, output=output, limits=Limits(bytes=max_bytes, seconds=seconds),
            **{name: given.pop(name) for name in names},
        )  # fmt: skip
        filters = Filters(**{name: given.pop(name) for name in _FILTERS})
        return RunSettings(batch, filters=filters, columns=Columns(html_field, url_field), **given)
    except (ValueError, UnknownName) as error:
        raise click.UsageError(str(error).replace("RunSettings.", "--")) from error


class _Ended(BaseException):
    """A signal asked for the end: no error that anything should handle."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__("interrupted" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}")


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Raise `_Ended` at SIGINT, SIGTERM and SIGHUP, unless they are ignored, as under nohup."""

    def handle(number: int, _: FrameType | None) -> None:
        raise _Ended(number)

    before = {}
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            before[number] = signal.signal(number, handle)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
