"""The INDEM paper's evaluation: processing time against the sizes of a page, from stored timings.

The paper plots the time, without the network, against the size of the HTML, of all text and of the main text, each with
a trend line. It finds that the time grows linearly with the first two and does not depend on the third.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import copysign, nan, sqrt

from bonmun.evaluate.report import plots, svg
from bonmun.evaluate.speed import Point, Trend

_STYLE = """
svg { font: 12px system-ui, sans-serif; }
text { fill: #1c2326; } .tick, .axis { fill: #5d6a70; font-size: 10.5px; } .value { font-size: 11px; }
.grid { stroke: #e3e8ea; } .cloud { fill: #00897b; fill-opacity: .45; }
.trend { fill: none; stroke: #c2410c; stroke-width: 2; } .paper { fill: #fff; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6ecee; } .tick, .axis { fill: #9fb0b7; } .grid { stroke: #2f3b40; } .cloud { fill: #4db6ac; }
  .trend { stroke: #fb923c; } .paper { fill: #14191b; }
}
"""
_MOST_DOTS = 700
_NAMES = ("HTML", "text", "main text")
_UNITS = ("bytes", "characters", "characters")


@dataclass(frozen=True, slots=True)
class Dependence:
    """How the time depends on one size."""

    size: str
    trend: Trend
    """Milliseconds over characters, or bytes of HTML."""
    correlation: float
    """Pearson's r."""
    partial: float
    """The correlation that is left when the two other sizes are held constant."""


def dependences(points: Sequence[Point]) -> tuple[Dependence, Dependence, Dependence]:
    """Return how the time depends on HTML, text and main text.

    >>> pages = [Point(html=n, text=n * n % 7, main=n * 3 % 5, ms=2.0 * n + 1) for n in range(20)]
    >>> html, text, main = dependences(pages)
    >>> html.trend.slope, round(html.correlation, 3), round(html.partial, 3)
    (2.0, 1.0, 1.0)
    """
    columns = [[float(value) for value in column] for column in zip(*(_sizes(point) for point in points), strict=True)]
    times = [point.ms for point in points]
    made = []
    for number, name in enumerate(_NAMES):
        size, first, second = (columns[(number + step) % 3] for step in range(3))
        trend = Trend.of(list(zip(size, times, strict=True)))
        partial = _partial(size, times, [first, second])
        made.append(Dependence(name, trend, _correlation(size, times), partial))
    return made[0], made[1], made[2]


def drawing(points: Sequence[Point]) -> str:
    """Draw the three scatters with their trend lines as one SVG file; of many pages, an even sample as dots."""
    placed = []
    sample = points[:: -(-len(points) // _MOST_DOTS)]
    for number, dependence in enumerate(dependences(points)):
        pairs = [(_sizes(point)[number] / 1000, point.ms) for point in sample]
        trend = replace(dependence.trend, slope=1000 * dependence.trend.slope)
        cloud = plots.cloud(pairs, trend, f"{dependence.size}, 1,000 {_UNITS[number]}", "")
        placed.append(cloud.replace("<svg ", f'<svg x="{10 + 330 * number}" y="8" width="320" height="240" ', 1))
    paper = svg.bar(0, 0, 1000, 256, "paper")
    title = f"processing time of {len(points):,} pages against the sizes of HTML, text and main text"
    return svg.drawing(1000, 256, [f"<style>{_STYLE}</style>", paper, *placed], title) + "\n"


def _sizes(point: Point) -> tuple[int, int, int]:
    return point.html, point.text, point.main


def _correlation(xs: Sequence[float], ys: Sequence[float]) -> float:
    trend = Trend.of(list(zip(xs, ys, strict=True)))
    return copysign(sqrt(max(0.0, trend.r2)), trend.slope) if trend.r2 == trend.r2 else nan


def _partial(xs: Sequence[float], ys: Sequence[float], held: Sequence[Sequence[float]]) -> float:
    """The correlation of two columns with the others held constant, by the recursion formula."""
    if not held:
        return _correlation(xs, ys)
    *rest, last = held
    xy, xz, yz = _partial(xs, ys, rest), _partial(xs, last, rest), _partial(ys, last, rest)
    left = (1 - xz * xz) * (1 - yz * yz)
    return (xy - xz * yz) / sqrt(left) if left > 1e-12 else nan
