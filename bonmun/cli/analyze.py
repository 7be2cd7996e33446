"""``bonmun analyze``."""

from typing import Any

import click

from bonmun.cli.analysis_request import AnalysisRequest
from bonmun.cli.delivery import Order, deliver
from bonmun.cli.options import render_options, shared_options

_LOGICAL = "logical"


@click.command()
@click.option("--keywords", type=click.IntRange(min=0), default=10, show_default=True, metavar="N",
              help="Number of keywords.")  # fmt: skip
@click.option("--sentences", type=click.IntRange(min=0), default=3, show_default=True, metavar="N",
              help="Number of sentences in the summary.")  # fmt: skip
@click.option("--tables", is_flag=True, help="Print tables 1 to 3 of the logical-structure paper instead.")
@click.option("--format", type=click.Choice(["text", "json"]), default="text", show_default=True,
              help="Output format.")  # fmt: skip
@render_options
@shared_options
def analyze(
    sources: tuple[str, ...],
    output: str | None,
    jobs: int,
    keywords: int,
    sentences: int,
    tables: bool,
    method: str,
    **reading: Any,
) -> int:
    """Print keywords and a summary of each page.

    The summary is made of sentences of the page. Korean, Japanese and Chinese need analysers: pip install
    'bonmun[languages]'. Without them words are split by script, with a warning.
    """
    if tables and method not in ("auto", _LOGICAL):
        raise click.UsageError("--tables needs --method logical")
    request = AnalysisRequest(
        _LOGICAL if tables else method, keywords=keywords, sentences=sentences, tables=tables, **reading
    )
    return deliver(Order(sources, request, output, jobs))
