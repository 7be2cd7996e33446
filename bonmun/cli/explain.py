"""``bonmun explain``."""

import shutil
import sys

import click

from bonmun.cli.delivery import Order, deliver
from bonmun.cli.options import checked_model, checked_site, model_option, render_options, shared_options, site_option
from bonmun.cli.request import TABLE, MethodOptions, Request, Terminal
from bonmun.rendering.settings import RenderSettings


@click.command()
@click.option("--rendered", is_flag=True, help="Draw the verdicts over a screenshot of the page; needs --output.")
@site_option
@model_option
@render_options
@shared_options
def explain(
    sources: tuple[str, ...],
    output: str | None,
    jobs: int,
    method: str,
    url: str | None,
    charset: str | None,
    allow_private: bool,
    site: str | None,
    model: str | None,
    render: RenderSettings | None,
    rendered: bool,
) -> int:
    """Show the verdict on every block of a page, with its reasons.

    Prints a table; with --output, writes the page itself as an HTML file with the verdicts drawn on it. With --rendered
    that file has the page as a browser draws it.
    """
    drawn = output is not None
    if rendered and not drawn:
        raise click.UsageError("--rendered needs --output FILE")
    width = shutil.get_terminal_size((120, 24)).columns
    terminal = Terminal(width, styled=not drawn and sys.stdout.isatty())
    format = "rendered" if rendered else "explain" if drawn else TABLE
    options = MethodOptions(checked_site(site), model=checked_model(model, method))
    request = Request(method, format, url, charset, allow_private, terminal=terminal, options=options, render=render)
    return deliver(Order(sources, request, output, jobs))
