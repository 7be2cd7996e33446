"""``bonmun store timings``: the INDEM paper's evaluation from a store."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bonmun.errors import InputError

if TYPE_CHECKING:
    from bonmun.evaluate.processing_time import Dependence
    from bonmun.evaluate.speed import Point

_LEAST = 3
"""The minimum number of pages for a trend."""


@click.command()
@click.argument("store")
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Draw the three scatters with their trend lines as SVG.")  # fmt: skip
def timings(store: str, plot: Path | None) -> int:
    """Show how processing time depends on the sizes of HTML, text and main text.

    STORE is a file of SQLite or a URL such as postgresql://localhost/news. Time on the network is not counted.
    """
    from bonmun.evaluate import processing_time

    points = _points(store)
    if len(points) < _LEAST:
        raise InputError(f"{store}: timings of {len(points)} pages; a trend needs {_LEAST}")
    milliseconds = sorted(point.ms for point in points)
    click.echo(f"{len(points):,} pages, median {milliseconds[len(points) // 2]:.1f} ms a page without the network\n")
    click.echo(f"{'milliseconds against':<22}{'per 1,000':>10}{'at 0':>8}{'r':>8}{'partial r':>11}")
    for dependence in processing_time.dependences(points):
        click.echo(_row(dependence))
    click.echo(
        "\nr: correlation; partial r: with the two other sizes held constant. Bytes of HTML, characters of text."
    )
    if plot is not None:
        from bonmun.atomic_file import write_atomically

        write_atomically(plot, processing_time.drawing(points).encode())
    return 0


def _points(address: str) -> "list[Point]":
    """Read all timed pages of a store."""
    from bonmun.evaluate.speed import Point
    from bonmun.store import open_store

    points = []
    with open_store(address, create=False) as store:
        for row in store.timings():
            seconds = sum(taken for stage, taken in row.seconds.items() if stage != "fetch")
            points.append(Point(row.html_size, row.page_size, row.text_size, 1000 * seconds))
    return points


def _row(dependence: "Dependence") -> str:
    trend = dependence.trend
    figures = f"{1000 * trend.slope:>10.3f}{trend.intercept:>8.1f}{dependence.correlation:>8.2f}"
    return f"{dependence.size:<22}{figures}{dependence.partial:>11.2f}"
