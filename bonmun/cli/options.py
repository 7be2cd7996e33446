"""Arguments and options that commands share."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, TypeVar, cast

import click

from bonmun import registry
from bonmun.cli.given_model import given_model
from bonmun.cli.known_sites import known_sites
from bonmun.errors import BonmunError
from bonmun.rendering.settings import RenderSettings

DecoratedCommand = TypeVar("DecoratedCommand", bound=Callable[..., Any])


def _or_all_cores(_: click.Context, __: click.Parameter, jobs: int) -> int:
    if jobs:
        return jobs
    from bonmun.workers.pool import cores

    return cores()


def _codes(_: click.Context, __: click.Parameter, codes: str | None) -> tuple[str, ...]:
    return tuple(code.strip().lower() for code in (codes or "").split(",") if code.strip())


def _viewport(_: click.Context, __: click.Parameter, size: str | None) -> tuple[int, int] | None:
    if size is None:
        return None
    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", size.strip().lower())
    if match is None:
        raise click.BadParameter("use a width and a height such as 1366x768")
    return int(match[1]), int(match[2])


def jobs_option(*, default: int) -> Callable[[DecoratedCommand], DecoratedCommand]:
    """Return the option --jobs."""
    return click.option(
        "--jobs",
        type=click.IntRange(min=0),
        default=default,
        show_default=True,
        callback=_or_all_cores,
        metavar="N",
        help="Pages at a time, each in a worker process; 0 for one on each core.",
    )


method_option = click.option("--method", default="auto", show_default=True, metavar="NAME", help="Extraction method.")
allow_private_option = click.option("--allow-private", is_flag=True, help="Allow private and loopback addresses.")
site_option = click.option(
    "--site",
    metavar="PATH",
    help="Use templates of a learned site (see bonmun learn): a site file, or a directory with one for each host.",
)
model_option = click.option(
    "--model", metavar="FILE", help="Model of the method auto, instead of the shipped one (see bonmun train)."
)
prefer_option = click.option(
    "--prefer",
    default="balance",
    show_default=True,
    type=click.Choice(("precision", "balance", "recall")),
    help="Prefer precision or recall; not all methods support it.",
)
abstain_option = click.option(
    "--abstain-below",
    type=click.FloatRange(0, 1),
    default=0.0,
    metavar="CONFIDENCE",
    help="Return nothing if the confidence is below this threshold.",
)
_SOURCES = click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
_OPTIONAL_SOURCES = click.argument("sources", nargs=-1, metavar="SOURCE...")
_URLS = click.option(
    "--urls", metavar="FILE", help="Also fetch the URLs in this file, one on each line; - for standard input."
)
_SHARED = (
    method_option,
    click.option("--output", metavar="PATH", help="Output file; a directory for several sources."),
    jobs_option(default=1),
    click.option("--url", metavar="URL", help="URL of a file or of standard input: makes links absolute."),
    click.option("--charset", metavar="NAME", help="Charset from the HTTP header; for a URL, overrides the server's."),
    allow_private_option,
)


def corpus_option(*, required: bool) -> Callable[[DecoratedCommand], DecoratedCommand]:
    """Return the option --corpus."""
    return click.option(
        "--corpus",
        multiple=True,
        required=required,
        metavar="PATH",
        help="Pages with gold texts: .jsonl, .jsonl.zst or a folder (WCXB, CleanEval, golden). Repeatable.",
    )


def with_options(options: Sequence[Callable[[Any], Any]]) -> Callable[[DecoratedCommand], DecoratedCommand]:
    """Return a decorator that adds several options, shown in this order."""

    def decorate(command: DecoratedCommand) -> DecoratedCommand:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


columns_options = with_options(
    (
        click.option("--html-field", default="html", show_default=True, metavar="NAME",
                     help="Field of JSON lines, or column of a Parquet file, with the HTML."),
        click.option("--url-field", default="url", show_default=True, metavar="NAME",
                     help="Field or column with the URL; it may be missing."),
    )
)  # fmt: skip
_COMMENTS = click.option("--with-comments", "comments", is_flag=True, help="Add the readers' comments after the text.")
_LEFT_OUT = (
    click.option("--no-links", "links", is_flag=True, flag_value=False, default=True,
                 help="Write the text of links without their addresses."),
    click.option("--no-images", "images", is_flag=True, flag_value=False, default=True,
                 help="Leave out pictures."),
    click.option("--no-captions", "captions", is_flag=True, flag_value=False, default=True,
                 help="Leave out captions of pictures and tables."),
    click.option("--no-tables", "tables", is_flag=True, flag_value=False, default=True,
                 help="Leave out data tables."),
    click.option("--no-references", "references", is_flag=True, flag_value=False, default=True,
                 help="Leave out reference lists and footnotes."),
)  # fmt: skip
switch_options = with_options((_COMMENTS, *_LEFT_OUT))
"""The parts of a document that all outputs have."""
output_options = with_options(
    (
        click.option("--with-metadata", is_flag=True,
                     help="Begin Markdown with YAML front matter and a title heading, text and HTML with the title."),
        _COMMENTS,
        click.option("--reasons", is_flag=True, help="Add to each block why it was kept (json, jsonl, xml)."),
        *_LEFT_OUT,
    )
)  # fmt: skip
filter_options = with_options(
    (
        click.option("--language", "languages", callback=_codes, metavar="CODES",
                     help="Keep only documents in these languages, such as ko,en."),
        click.option("--min-chars", type=click.IntRange(min=0), metavar="N",
                     help="Drop documents with a shorter text."),
        click.option("--max-chars", type=click.IntRange(min=0), metavar="N",
                     help="Drop documents with a longer text."),
        click.option("--unique", is_flag=True,
                     help="Drop documents with the same text as one before."),
        click.option("--near-duplicates", type=click.FloatRange(0, 1, min_open=True), metavar="SIMILARITY",
                     help="Drop documents at least this similar to one before, by MinHash; 0.9 is a good start."),
    )
)  # fmt: skip
_RENDERING = (
    click.option("--render", is_flag=True,
                 help="Draw the page in a browser first and extract what its scripts made of it. "
                      "Needs Chromium and pip install 'bonmun[visual]'."),
    click.option("--online", is_flag=True, default=None,
                 help="Let the page load its scripts, style sheets and pictures, from public addresses only. "
                      "Without it nothing is requested, for a URL neither."),
    click.option("--javascript/--no-javascript", default=None,
                 help="Run the page's scripts; the default with --render."),
    click.option("--viewport", callback=_viewport, metavar="WxH",
                 help="Size of the browser's window in pixels.  [default: 1366x768]"),
    click.option("--wait", type=click.Choice(("domcontentloaded", "load", "networkidle")),
                 help="When the page counts as loaded.  [default: load; networkidle with --online]"),
    click.option("--render-seconds", "seconds", type=click.FloatRange(1, 3600), metavar="N",
                 help="Time for loading and drawing a page.  [default: 20]"),
)  # fmt: skip


def render_options(command: DecoratedCommand) -> DecoratedCommand:
    """Add the options of the browser; the command gets them as `render`, a `RenderSettings` or None."""

    @wraps(command)
    def gathered(*, render: bool, method: str, **given: Any) -> Any:
        asked = {name: given.pop(name) for name in ("online", "javascript", "viewport", "wait", "seconds")}
        asked["screenshot"] = given.get("rendered") or None  # of `explain`
        try:
            settings = _settings(render, method, asked)
        except ValueError as error:  # RenderSettings.viewport must be …
            raise click.UsageError(str(error).replace("RenderSettings.", "--")) from error
        if settings is not None:
            settings = replace(settings, allow_private=given["allow_private"])
        return command(render=settings, method=method, **given)

    return with_options(_RENDERING)(cast(DecoratedCommand, gathered))


def _settings(render: bool, method: str, asked: dict[str, Any]) -> RenderSettings | None:
    """Return how pages are drawn; None if they are not, or as a method that needs their layout draws them anyway."""
    asked = {name: value for name, value in asked.items() if value is not None}
    if render:
        wait = "networkidle" if asked.get("online") else "load"
        return RenderSettings(**{"javascript": True, "wait": wait, **asked})
    if not asked:
        return None
    if "screenshot" not in asked and not registry.needs_layout(method):
        option = next(iter(asked)).replace("seconds", "render-seconds")
        raise click.UsageError(f"--{option} needs --render, or a method that needs the layout of a page")
    return RenderSettings(**asked)


sources_or_urls = with_options((_OPTIONAL_SOURCES, _URLS, *_SHARED))
"""The options of all extracting commands, and --urls in place of sources."""
shared_options = with_options((_SOURCES, *_SHARED))
"""Sources, method and output: the options of all extracting commands."""


def checked_model(path: str | None, method: str) -> str | None:
    """Return the path of --model after loading it: errors in a model file are reported before any page is read."""
    if path is not None:
        if method != "auto":
            raise click.UsageError(f"--model needs --method auto, not {method}")
        try:
            given_model(path)
        except BonmunError as error:
            raise click.UsageError(str(error)) from error
    return path


def checked_site(path: str | None) -> str | None:
    """Return the path of --site after loading it: errors in a site file are reported before any page is read."""
    if path is not None:
        try:
            known_sites(path)
        except BonmunError as error:
            raise click.UsageError(str(error)) from error
    return path
