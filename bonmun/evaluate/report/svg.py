"""SVG primitives: axes, dots, lines, labels. Colours and fonts come from the style sheet."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear or logarithmic mapping from values to coordinates."""

    low: float
    high: float
    start: float
    stop: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """Return the coordinate of a value, clamped to the scale.

        >>> Scale(0, 10, 100, 200)(5), Scale(1, 100, 0, 10, log=True)(10)
        (150.0, 5.0)
        """
        low, high = (log10(self.low), log10(self.high)) if self.log else (self.low, self.high)
        position = log10(max(value, self.low)) if self.log else value
        share = (position - low) / (high - low) if high > low else 0.5
        return self.start + min(1.0, max(0.0, share)) * (self.stop - self.start)

    def ticks(self, most: int = 6) -> list[float]:
        """Return round values along the scale.

        >>> Scale(0.52, 0.9, 0, 1).ticks(), Scale(0.5, 200, 0, 1, log=True).ticks()
        ([0.6, 0.7, 0.8, 0.9], [1.0, 10.0, 100.0])
        """
        if self.log:
            return [10.0**power for power in range(ceil(log10(self.low)), floor(log10(self.high)) + 1)]
        span = self.high - self.low
        rough = span / max(1, most - 1) if span > 0 else 1.0
        unit = 10.0 ** floor(log10(rough))
        step = next(unit * factor for factor in (1, 2, 2.5, 5, 10) if unit * factor >= rough * 0.999)
        first = ceil(self.low / step - 1e-9)
        return [round(step * number, 10) for number in range(first, floor(self.high / step + 1e-9) + 1)]


def drawing(width: float, height: float, parts: Iterable[str], title: str) -> str:
    """Return an SVG element; the title is its accessible name."""
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(title, quote=True)}" '
        f'xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>'
    )


def standalone(drawn: str, style: str) -> str:
    """Return a drawing as a file of its own: with the style sheet of the report and a background, light or dark.

    >>> standalone("<svg><g/></svg>", "g { color: red }").strip()
    '<svg><style>g { color: red }</style><rect width="100%" height="100%" fill="var(--panel)"/><g/></svg>'
    """
    start = drawn.index(">") + 1
    ground = '<rect width="100%" height="100%" fill="var(--panel)"/>'
    return f"{drawn[:start]}<style>{style}</style>{ground}{drawn[start:]}\n"


def text(x: float, y: float, content: str, style: str = "", anchor: str = "start") -> str:
    """Return a label."""
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{style}" text-anchor="{anchor}">{escape(content)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, style: str = "") -> str:
    """Return a straight line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{style}"/>'


def dot(x: float, y: float, radius: float, style: str = "", title: str = "") -> str:
    """Return a dot with a tooltip."""
    inside = f"<title>{escape(title)}</title>" if title else ""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" class="{style}">{inside}</circle>'


def bar(x: float, y: float, width: float, height: float, style: str = "", title: str = "") -> str:
    """Return a rectangle with a tooltip."""
    inside = f"<title>{escape(title)}</title>" if title else ""
    place = f'x="{x:.1f}" y="{y:.1f}" width="{max(0.0, width):.1f}" height="{max(0.0, height):.1f}"'
    return f'<rect {place} class="{style}">{inside}</rect>'


def path(points: Sequence[tuple[float, float]], style: str = "") -> str:
    """Return a polyline."""
    return f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" class="{style}"/>'


def below(scale: Scale, top: float, bottom: float, label: str, form: str = "{:g}") -> str:
    """Return a horizontal axis: vertical grid lines, tick labels below them, the axis label below these."""
    parts = []
    for value in scale.ticks():
        x = scale(value)
        parts += [line(x, top, x, bottom, "grid"), text(x, bottom + 14, form.format(value), "tick", "middle")]
    return "".join([*parts, text((scale.start + scale.stop) / 2, bottom + 30, label, "axis", "middle")])


def beside(scale: Scale, left: float, right: float, label: str, form: str = "{:g}") -> str:
    """Return a vertical axis: horizontal grid lines, tick labels on the left, the axis label above these."""
    parts = []
    for value in scale.ticks():
        y = scale(value)
        parts += [line(left, y, right, y, "grid"), text(left - 6, y + 4, form.format(value), "tick", "end")]
    return "".join([*parts, text(left, min(scale.start, scale.stop) - 10, label, "axis")])
