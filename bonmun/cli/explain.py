"""``bonmun explain``."""

import shutil
import sys

import click

from bonmun.cli.delivery import Order, deliver
from bonmun.cli.options import by_site, checked, shared
from bonmun.cli.request import TABLE, Choice, Request, Terminal


@click.command()
@by_site
@shared
def explain(
    sources: tuple[str, ...],
    output: str | None,
    jobs: int,
    method: str,
    url: str | None,
    charset: str | None,
    allow_private: bool,
    site: str | None,
) -> int:
    """Show the verdict on every block of a page, with its reasons.

    Without --output as a table; with it as the page itself, an HTML file in which the verdicts are drawn.
    """
    drawn = output is not None
    width = shutil.get_terminal_size((120, 24)).columns
    terminal = Terminal(width, styled=not drawn and sys.stdout.isatty())
    format = "explain" if drawn else TABLE
    request = Request(method, format, url, charset, allow_private, terminal=terminal, choice=Choice(checked(site)))
    return deliver(Order(sources, request, output, jobs))
