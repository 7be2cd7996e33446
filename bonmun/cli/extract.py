"""``bonmun extract``."""

import click

from bonmun.cli.delivery import Order, deliver
from bonmun.cli.known_sites import checked
from bonmun.cli.options import by_site, shared
from bonmun.cli.request import Request


@click.command()
@click.option("--format", default="text", show_default=True, metavar="NAME", help="text, markdown, html, json or xml.")
@by_site
@shared
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
) -> int:
    """Print what a reader came for on each page.

    A SOURCE is a file, a directory (searched for HTML files, below it too), a pattern in quotes such as
    'pages/**/*.html', a URL, or - for standard input.

    Several documents on standard output stand under a line with the name of their source; as JSON, each is one line.
    In a directory given by --output each is a file named after its source.
    """
    request = Request(method, format, url, charset, allow_private, site=checked(site))
    return deliver(Order(sources, request, output, jobs))
