"""``bonmun analyze``."""

from typing import Any

import click

from bonmun.cli.analysis import AnalysisRequest
from bonmun.cli.delivery import Order, deliver
from bonmun.cli.options import shared

_LOGICAL = "logical"


@click.command()
@click.option("--keywords", type=click.IntRange(min=0), default=10, show_default=True, metavar="N",
              help="How many keywords.")  # fmt: skip
@click.option("--sentences", type=click.IntRange(min=0), default=3, show_default=True, metavar="N",
              help="How many sentences the summary has.")  # fmt: skip
@click.option("--tables", is_flag=True, help="Print the logical-structure paper's tables 1 to 3 for the page instead.")
@click.option("--format", type=click.Choice(["text", "json"]), default="text", show_default=True)
@shared
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
    """Say what each page is about: its keywords and a summary of its own sentences.

    Korean, Japanese and Chinese have analysers of their own (pip install 'bonmun[languages]'); without them words are
    split by script, and the result says so.
    """
    if tables and method not in ("auto", _LOGICAL):
        raise click.UsageError("--tables are those of --method logical")
    request = AnalysisRequest(
        _LOGICAL if tables else method, keywords=keywords, sentences=sentences, tables=tables, **reading
    )
    return deliver(Order(sources, request, output, jobs))
