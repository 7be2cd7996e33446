"""``bonmun extract``."""

import click

from bonmun.cli.delivery import Order, deliver
from bonmun.cli.options import abstaining, by_site, checked, leaning, shared
from bonmun.cli.request import Choice, Request


@click.command()
@click.option("--format", default="text", show_default=True, metavar="NAME", help="text, markdown, html, json or xml.")
@by_site
@leaning
@abstaining
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
    prefer: str,
    abstain_below: float,
) -> int:
    """Print what a reader came for on each page.

    A SOURCE is a file, a directory (searched for HTML files, below it too), a pattern in quotes such as
    'pages/**/*.html', a URL, or - for standard input.

    Several documents on standard output stand under a line with the name of their source; as JSON, each is one line.
    In a directory given by --output each is a file named after its source.
    """
    choice = Choice(checked(site), prefer, abstain_below)
    request = Request(method, format, url, charset, allow_private, choice=choice)
    return deliver(Order(sources, request, output, jobs))
