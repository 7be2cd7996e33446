"""``bonmun extract``."""

import click

from bonmun.cli.delivery import Order, deliver
from bonmun.cli.options import abstain_option, checked_site, prefer_option, shared_options, site_option
from bonmun.cli.request import MethodOptions, Request

_WITH_METADATA = ("text", "markdown")


@click.command()
@click.option("--format", default="text", show_default=True, metavar="NAME",
              help="Output format: text, markdown, html, json or xml.")  # fmt: skip
@click.option("--with-metadata", is_flag=True,
              help="Begin Markdown with YAML front matter and a title heading; begin text with the title.")  # fmt: skip
@site_option
@prefer_option
@abstain_option
@shared_options
def extract(
    sources: tuple[str, ...],
    output: str | None,
    jobs: int,
    format: str,
    method: str,
    url: str | None,
    charset: str | None,
    allow_private: bool,
    site: str | None,
    prefer: str,
    abstain_below: float,
    with_metadata: bool,
) -> int:
    """Print the main text of each page.

    A SOURCE is a file, a directory (searched recursively for HTML files), a pattern in quotes such as
    'pages/**/*.html', a URL, or - for standard input.

    On standard output, several documents have a line with the name of their source above each; as JSON, each is one
    line. With --output DIRECTORY, each is a file named after its source.
    """
    options = MethodOptions(checked_site(site), prefer, abstain_below)
    if with_metadata and format not in _WITH_METADATA:
        raise click.UsageError(
            f"--with-metadata needs --format {' or '.join(_WITH_METADATA)}; {format} has the metadata"
        )
    request = Request(method, format, url, charset, allow_private, options=options, with_metadata=with_metadata)
    return deliver(Order(sources, request, output, jobs))
