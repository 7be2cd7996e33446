"""``bonmun extract``."""

from typing import Any

import click

from bonmun.cli.delivery import Order, deliver
from bonmun.cli.fields import CHUNKS, checked_fields
from bonmun.cli.filters import Filters
from bonmun.cli.options import (
    abstain_option,
    checked_model,
    checked_site,
    columns_options,
    filter_options,
    model_option,
    output_options,
    prefer_option,
    render_options,
    site_option,
    sources_or_urls,
)
from bonmun.cli.request import MethodOptions, Request
from bonmun.inputs.member import Columns
from bonmun.model.output import Output
from bonmun.rendering.settings import RenderSettings

_WITH_METADATA = ("text", "markdown", "html")
_SWITCHES = ("links", "images", "captions", "tables", "references", "comments", "reasons")
_ALIASES = {"md": "markdown", "txt": "text"}


@click.command()
@click.option("--format", default="text", show_default=True, metavar="NAME",
              help="Output format: text, markdown (md), html, json, xml or tei for each document; "
                   "jsonl, csv or parquet for all in one file; chunks for one JSON line per chunk.")  # fmt: skip
@click.option("--fields", metavar="NAMES",
              help="Fields of compact records, such as title,date,text (json, jsonl, csv, parquet).")  # fmt: skip
@click.option("--max-tokens", type=click.IntRange(min=1), metavar="N",
              help="Limit of a chunk; without it, each section is one (chunks).")  # fmt: skip
@output_options
@site_option
@model_option
@prefer_option
@abstain_option
@render_options
@filter_options
@columns_options
@sources_or_urls
def extract(
    sources: tuple[str, ...],
    urls: str | None,
    output: str | None,
    jobs: int,
    format: str,
    method: str,
    url: str | None,
    charset: str | None,
    allow_private: bool,
    site: str | None,
    model: str | None,
    prefer: str,
    abstain_below: float,
    render: RenderSettings | None,
    html_field: str,
    url_field: str,
    fields: str | None,
    with_metadata: bool,
    max_tokens: int | None,
    **others: Any,
) -> int:
    """Print the main text of each page.

    A SOURCE is a file, a directory (searched recursively), a pattern in quotes such as 'pages/**/*.html', a URL, or -
    for standard input.

    A file is a page (HTML, MHTML, or what SingleFile saves), or a container of pages: a web archive (WARC, WACZ), a ZIP
    or tar archive, JSON lines, or a Parquet file. All may be compressed (.gz, .zst, .br, .bz2, .xz). The content
    decides, not the suffix; anything else is refused.

    On standard output, several documents have a line with the name of their source above each; as JSON, each is one
    line. With --output DIRECTORY, each is a file named after its source, and manifest.jsonl lists them.
    """
    if not sources and urls is None:
        raise click.UsageError("Missing argument 'SOURCE...'.")
    format = _ALIASES.get(format, format)
    if with_metadata and format not in _WITH_METADATA:
        raise click.UsageError(f"--with-metadata needs --format {' or '.join(_WITH_METADATA)}, not {format}")
    if max_tokens and format != CHUNKS:
        raise click.UsageError(f"--max-tokens needs --format {CHUNKS}, not {format}")
    switches = {name: others.pop(name) for name in _SWITCHES}
    wanted = Filters(**others)
    request = Request(
        method,
        format,
        url,
        charset,
        allow_private,
        options=MethodOptions(checked_site(site), prefer, abstain_below, checked_model(model, method)),
        output=Output(**switches, title=with_metadata, front_matter=with_metadata),
        fields=checked_fields(fields, format),
        filters=wanted if wanted != Filters() else None,
        max_tokens=max_tokens,
        render=render,
    )
    return deliver(Order(sources, request, output, jobs, Columns(html_field, url_field), urls))
