"""The report's plots."""

from collections.abc import Sequence

from bonmun.evaluate.growth import SIZES_MB, Growth
from bonmun.evaluate.intervals import Estimate
from bonmun.evaluate.report import svg
from bonmun.evaluate.report.data import CorpusReport, SystemRow
from bonmun.evaluate.report.svg import Scale
from bonmun.evaluate.speed import Point, Trend

_WIDTH = 640.0
_LABELS = 150.0
_LINE = 26.0


def quality(report: CorpusReport) -> str:
    """Draw the main figure of every system with its interval, best first."""
    estimates = [row.figures[report.main] for row in report.rows]
    scale = Scale(*_range(estimates), _LABELS, _WIDTH - 60)
    height = _LINE * len(report.rows) + 12
    parts = [svg.below(scale, 4, height, report.labels[report.main])]
    for number, (row, estimate) in enumerate(zip(report.rows, estimates, strict=True)):
        y = _LINE * number + 20
        style = _style(row)
        parts += [
            svg.text(_LABELS - 10, y + 4, row.system, f"label {style}", "end"),
            _whisker(scale, y, estimate, style),
            svg.text(_WIDTH - 50, y + 4, f"{estimate.value:.3f}", f"value {style}"),
        ]
    return svg.drawing(_WIDTH, height + 40, parts, f"{report.labels[report.main]} of every system with its interval")


def quality_and_speed(report: CorpusReport) -> str:
    """Draw the main figure against CPU time on a log scale: the best systems are at the top left."""
    timed = {speed.system: speed.mean_ms for speed in report.speed}
    shown = [(max(timed.get(row.system, row.cpu_ms), 0.01), row.figures[report.main], row) for row in report.rows]
    times = [ms for ms, _, _ in shown]
    height = 330.0
    across = Scale(min(times) / 1.6, max(times) * 4, 50, _WIDTH - 20, log=True)
    up = Scale(*_range([estimate for _, estimate, _ in shown]), height, 24)
    label = "CPU milliseconds per page"
    parts = [svg.below(across, 20, height, label), svg.beside(up, 50, _WIDTH - 20, report.labels[report.main])]
    places = []
    for ms, estimate, row in sorted(shown, key=lambda item: -item[1].value):
        x, y = across(ms), up(estimate.value)
        title = f"{row.system}: {estimate.value:.3f}, {ms:.1f} ms"
        if estimate.low == estimate.low:
            parts.append(svg.line(x, up(estimate.low), x, up(estimate.high), f"whisker {_style(row)}"))
        parts.append(svg.dot(x, y, 5, _style(row), title))
        places.append((x, y, row))
    parts += _labels(places)
    return svg.drawing(_WIDTH, height + 40, parts, "quality against speed")


def strips(report: CorpusReport, part: str) -> str:
    """Draw every page type, language or site as a line with one dot per system."""
    rows = report.parts[part]
    ours = {row.system for row in report.rows if row.ours}
    values = [estimate for row in rows for estimate in row.main.values()]
    scale = Scale(*_range([Estimate(estimate.value) for estimate in values]), 190, _WIDTH - 20)
    height = 32.0 * len(rows) + 8
    drawn = [svg.below(scale, 4, height, report.labels[report.main])]
    for number, row in enumerate(rows):
        y = 32.0 * number + 22
        drawn += [
            svg.text(180, y + 1, _cut(row.name), "label", "end"),
            svg.text(180, y + 13, f"{row.pages} pages", "tick", "end"),
        ]
        drawn.append(svg.line(scale.start, y, scale.stop, y, "lane"))
        # The most important dots are drawn last, on top.
        for system, estimate in sorted(row.main.items(), key=lambda item: (item[0] in ours, item[0] == report.subject)):
            if estimate.value == estimate.value:
                style = "peer" if system not in ours else "ours" if system == report.subject else "other"
                drawn.append(svg.dot(scale(estimate.value), y, 5, style, f"{system}: {estimate}"))
    return svg.drawing(_WIDTH, height + 40, drawn, f"{report.labels[report.main]} by {part}")


def histogram(row: SystemRow) -> str:
    """Draw the number of pages by score."""
    width, height = 200.0, 90.0
    most = max(row.histogram) or 1
    step = (width - 20) / len(row.histogram)
    parts = [svg.text(10, 12, row.system, f"label {_style(row)}")]
    for number, count in enumerate(row.histogram):
        tall = 60 * count / most
        low = number / len(row.histogram)
        title = f"{low:.2f} – {low + 1 / len(row.histogram):.2f}: {count} pages"
        parts.append(svg.bar(10 + step * number, 78 - tall, step - 1, tall, _style(row), title))
    parts += [
        svg.line(10, 78, width - 10, 78, "lane"),
        svg.text(10, 89, "0", "tick"),
        svg.text(width - 10, 89, "1", "tick", "end"),
    ]
    return svg.drawing(width, height, parts, f"scores of {row.system}")


def cloud(points: Sequence[tuple[float, float]], trend: Trend, label: str, style: str) -> str:
    """Draw milliseconds against a size with the trend line, as in the INDEM paper."""
    width, height = 320.0, 200.0
    xs, ys = sorted(x for x, _ in points), sorted(y for _, y in points)
    # The axes end at the 99th percentile, or outliers would squeeze the rest into a corner; they are drawn at the edge.
    across = Scale(0, xs[int(0.99 * (len(xs) - 1))] or 1, 44, width - 10)
    up = Scale(0, (ys[int(0.99 * (len(ys) - 1))] or 1) * 1.05, height, 24)
    parts = [svg.below(across, 20, height, label), svg.beside(up, 44, width - 10, "ms")]
    parts += [svg.dot(across(x), up(y), 2, f"cloud {style}") for x, y in points]
    parts.append(svg.path([(across(x), up(y)) for x, y in _within(trend, across.high, up.high)], "trend"))
    fit = f"{trend.slope:.3g} ms per 1,000, R² = {trend.r2:.2f}"
    parts.append(svg.text(width - 12, 14, fit, "value", "end"))
    return svg.drawing(width, height + 40, parts, f"milliseconds against {label}")


def _within(trend: Trend, right: float, top: float) -> list[tuple[float, float]]:
    """Return the ends of a line clipped to the drawing; clamping its ends would change the slope."""
    if trend.slope != trend.slope:  # a single point has no line
        return []
    xs = [0.0, right]
    if trend.slope:
        crossings = ((y - trend.intercept) / trend.slope for y in (0.0, top))
        xs = sorted(min(right, max(0.0, x)) for x in crossings)
    return [(x, trend.intercept + trend.slope * x) for x in xs]


def clouds(points: Sequence[Point], trends: tuple[Trend, Trend, Trend], style: str) -> list[str]:
    """Draw time against HTML, text and main text, in thousands of characters."""
    sizes = [(point.html, point.text, point.main) for point in points]
    names = ("HTML, 1,000 characters", "text, 1,000 characters", "main text, 1,000 characters")
    drawings = []
    for number, name in enumerate(names):
        pairs = [(size[number] / 1000, point.ms) for size, point in zip(sizes, points, strict=True)]
        trend = Trend(1000 * trends[number].slope, trends[number].intercept, trends[number].r2)
        drawings.append(cloud(pairs, trend, name, style))
    return drawings


def growth(curves: Sequence[Growth], ours: set[str]) -> str:
    """Draw CPU seconds against page size, both on log scales."""
    points = [point for curve in curves for point in curve.points]
    times = [max(seconds, 0.0001) for _, seconds, _ in points]
    height = 320.0
    across = Scale(0.08, 25, 50, _WIDTH - 130, log=True)
    up = Scale(min(times) / 1.5, max(times) * 1.5, height, 24, log=True)
    parts = [svg.below(across, 20, height, "MB of HTML"), svg.beside(up, 50, _WIDTH - 130, "CPU seconds")]
    ends = []
    for curve in curves:
        if curve.points:
            style = "ours" if curve.system in ours else "peer"
            places = [(across(size), up(seconds)) for size, seconds, _ in curve.points]
            parts.append(svg.path(places, f"curve {style}"))
            parts += [svg.dot(x, y, 3, style, curve.system) for x, y in places]
            ends.append((*places[-1], style, curve.system))
    parts += _ends(ends, across(SIZES_MB[-1]))
    return svg.drawing(_WIDTH, height + 40, parts, "CPU time against page size")


def importances(shares: Sequence[tuple[str, float, float]], title: str) -> str:
    """Draw the importance of each column, (name, mean, standard deviation), as in the visual-features paper."""
    known = [mean + (spread if spread == spread else 0.0) for _, mean, spread in shares]
    scale = Scale(0, max(known, default=1.0) * 1.05, _LABELS, _WIDTH - 60)
    height = 20.0 * len(shares) + 30
    parts = [svg.text(10, 14, title, "label"), svg.below(scale, 24, height, "share of the attention")]
    for number, (name, mean, spread) in enumerate(shares):
        y = 20.0 * number + 36
        parts += [
            svg.text(_LABELS - 10, y + 4, name, "label", "end"),
            svg.bar(scale.start, y - 6, scale(mean) - scale.start, 12, "ours", f"{name}: {mean:.3f}"),
        ]
        if spread == spread:
            parts.append(svg.line(scale(mean - spread), y, scale(mean + spread), y, "spread"))
        parts.append(svg.text(_WIDTH - 50, y + 4, f"{mean:.3f}", "value"))
    return svg.drawing(_WIDTH, height + 40, parts, title)


def lanes(rows: Sequence[tuple[str, str, Sequence[tuple[str, float, float, str]]]], label: str) -> str:
    """Draw a line for each part, (name, remark, dots); a dot is (system, value, standard deviation, style).

    The legend above the lines names the systems of the first part.
    """
    height = 34.0 * len(rows) + 40
    scale = Scale(0, 1, 160, _WIDTH - 20)
    drawn = [svg.below(scale, 36, height, label)]
    x = 20.0
    for system, _, _, style in rows[0][2] if rows else ():
        drawn += [svg.dot(x, 14, 5, style), svg.text(x + 10, 18, system, "tick")]
        x += 22 + 6.0 * len(system)
    for number, (name, remark, dots) in enumerate(rows):
        y = 34.0 * number + 56
        drawn += [svg.text(150, y + 1, name, "label", "end"), svg.text(150, y + 13, remark, "tick", "end")]
        drawn.append(svg.line(scale.start, y, scale.stop, y, "lane"))
        for system, value, spread, style in dots:
            if value == value:
                low, high = (value - spread, value + spread) if spread == spread else (value, value)
                drawn.append(svg.line(scale(low), y, scale(high), y, f"whisker {style}"))
                drawn.append(svg.dot(scale(value), y, 5, style, f"{system}: {value:.3f}"))
    return svg.drawing(_WIDTH, height + 40, drawn, label)


def _ends(ends: Sequence[tuple[float, float, str, str]], right: float) -> list[str]:
    """Label the end of each curve, (x, y, style, name), without overlap.

    Labels of curves that reach the right edge are spread downwards; those of shorter curves are placed above the end
    and spread upwards, because other curves continue to the right.
    """
    parts = []
    low, high = -100.0, 1000.0
    for x, y, style, name in sorted(ends, key=lambda end: end[1]):
        if x >= right:
            low = max(y + 4, low + 12)
            parts.append(svg.text(x + 8, low, name, f"label {style}"))
    for x, y, style, name in sorted(ends, key=lambda end: -end[1]):
        if x < right:
            high = min(y - 8, high - 12)
            parts.append(svg.text(x, high, f"{name} †", f"label {style}", "end"))
    return parts


def _whisker(scale: Scale, y: float, estimate: Estimate, style: str) -> str:
    spread = ""
    if estimate.low == estimate.low:
        spread = svg.line(scale(estimate.low), y, scale(estimate.high), y, f"whisker {style}")
    return spread + svg.dot(scale(estimate.value), y, 5, style, str(estimate))


def _labels(places: Sequence[tuple[float, float, SystemRow]]) -> list[str]:
    """Label each dot without covering another dot or label, on its right if possible."""
    taken = [(x - 6, x + 6, y) for x, y, _ in places]
    parts = []
    for x, y, row in places:
        wide = 6.6 * len(row.system) + 4
        sides = [(x + 9, "start", x + 9), (x - 9, "end", x - 9 - wide)]
        tries = [(start, anchor, left, y + down) for down in (0, 11, -11, 22, -22, 33) for start, anchor, left in sides]
        free = (one for one in tries if one[2] > 0 and not _hides(one[2], one[2] + wide, one[3], taken))
        start, anchor, left, label_y = next(free, tries[0])
        taken.append((left, left + wide, label_y))
        parts.append(svg.text(start, label_y + 4, row.system, f"label {_style(row)}", anchor))
    return parts


def _hides(left: float, right: float, y: float, taken: Sequence[tuple[float, float, float]]) -> bool:
    return any(abs(y - other) < 11 and left < stop and start < right for start, stop, other in taken)


def _range(estimates: Sequence[Estimate]) -> tuple[float, float]:
    """Return the range of values and intervals with a margin, within 0 and 1."""
    known = [number for one in estimates for number in (one.value, one.low, one.high) if number == number]
    low, high = min(known, default=0.0), max(known, default=1.0)
    room = max(0.02, 0.06 * (high - low))
    return max(0.0, low - room), min(1.0, high + room)


def _style(row: SystemRow) -> str:
    return "ours" if row.ours else "peer"


def _cut(name: str) -> str:
    return name if len(name) <= 26 else f"{name[:25]}…"
