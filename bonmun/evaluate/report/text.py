"""The report as tables, for the terminal and the Markdown file."""

from collections.abc import Iterator, Sequence

from bonmun.evaluate.growth import SIZES_MB, Growth
from bonmun.evaluate.intervals import Estimate
from bonmun.evaluate.report.data import BenchReport, CorpusReport
from bonmun.evaluate.tables import ReportTable, shown

_PART_TITLES = {"type": "by page type", "language": "by language", "site": "by site"}


def markdown(report: BenchReport) -> str:
    """Return the report as Markdown."""
    head = f"# Bench\n\n{where(report)}"
    return "\n\n".join([head, *(table.markdown() for table in tables(report)), *notes(report)]) + "\n"


def where(report: BenchReport) -> str:
    """Return date, machine and versions of the measurement."""
    return f"Measured {report.made} on {report.machine}, Python {report.python}, Bonmun {report.bonmun}."


def notes(report: BenchReport) -> list[str]:
    """Return the notes below the tables."""
    return [
        "Intervals are 95 %, bootstrapped over sites. CPU is the mean per page in the system's own process; memory is"
        " the peak of that process.",
        "Metrics: " + "; ".join(f"{name} after {source}" for name, source in report.sources.items()) + ".",
    ]


def tables(report: BenchReport) -> Iterator[ReportTable]:
    """Yield every table of the report."""
    for corpus in report.corpora:
        yield ranking(corpus)
        yield further(corpus)
        yield from troubles(corpus)
        for part in corpus.parts:
            if len(corpus.parts[part]) > 1:
                yield parts(corpus, part)
        if len(corpus.rows) > 1:
            yield pairs(corpus)
        if corpus.speed:
            yield speed(corpus)
    if report.growth:
        yield growth(report.growth)


def ranking(corpus: CorpusReport) -> ReportTable:
    """Return the main table: quality with interval, failures, cost."""
    main = corpus.labels[corpus.main]
    beside = [key for key in corpus.labels if key != corpus.main][:2]
    names = (main, "interval", *(corpus.labels[key] for key in beside))
    columns = ("system", "version", *names, "empty", "error", "time-out", "CPU ms", "MB")
    rows = []
    for row in corpus.rows:
        estimate = row.figures[corpus.main]
        spread = shown(estimate).partition(" ")[2] or "–"
        failures = (str(row.empty), str(row.errors), str(row.timeouts))
        cost = (f"{row.cpu_ms:.1f}", f"{row.memory_mb:.0f}")
        figures = (
            shown(estimate, interval=False),
            spread,
            *(shown(row.figures[key], interval=False) for key in beside),
        )
        rows.append((row.system, row.version, *figures, *failures, *cost))
    title = f"{corpus.corpus}: {corpus.pages:,} pages of {corpus.sites:,} sites"
    # A narrow terminal drops version, memory, the secondary figures, then CPU; the report has them all.
    return ReportTable(title, columns, rows, spare=(1, len(columns) - 1, *range(4, 4 + len(beside)), len(columns) - 2))


def further(corpus: CorpusReport) -> ReportTable:
    """Return every other figure."""
    keys = [key for key in corpus.labels if key != corpus.main]
    rows = [(row.system, *(shown(row.figures[key], interval=False) for key in keys)) for row in corpus.rows]
    return ReportTable(f"{corpus.corpus}: all figures", ("system", *(corpus.labels[key] for key in keys)), rows)


def troubles(corpus: CorpusReport) -> Iterator[ReportTable]:
    """Yield the table of errors and time-outs, if any: message, number of pages, an example page."""
    rows = [(row.system, message, str(pages), page) for row in corpus.rows for message, pages, page in row.troubles]
    if rows:
        columns = ("system", "error", "pages", "example")
        yield ReportTable(f"{corpus.corpus}: errors and time-outs", columns, rows, words=(0, 1, 3))


def parts(corpus: CorpusReport, part: str) -> ReportTable:
    """Return the main figure by page type, language or site."""
    part_rows = corpus.parts[part]
    columns = ("system", *(f"{one.name} ({one.pages})" for one in part_rows))
    rows = [(row.system, *(shown(one.main[row.system]) for one in part_rows)) for row in corpus.rows]
    return ReportTable(f"{corpus.corpus}: {corpus.labels[corpus.main]} {_PART_TITLES[part]}", columns, rows)


def pairs(corpus: CorpusReport) -> ReportTable:
    """Return the probability, for each pair of systems, that the one on the left is better."""
    names = [row.system for row in corpus.rows]
    rows = [
        (one, *("" if one == other else percent(corpus.comparisons[one][other].probability) for other in names))
        for one in names
    ]
    return ReportTable(f"{corpus.corpus}: probability that the system on the left is better", ("", *names), rows)


def speed(corpus: CorpusReport) -> ReportTable:
    """Return CPU times and their ratio to the reference."""
    columns = ("system", "pages", "mean ms", "median ms", "× trafilatura", "MB", "ms per 100 kB of HTML", "R²")
    rows = [
        (
            *(one.system, str(one.pages), f"{one.mean_ms:.2f}", f"{one.median_ms:.2f}", _ratio(one.ratio)),
            *(f"{one.memory_mb:.0f}", _number(1e5 * one.by_html.slope), _number(one.by_html.r2)),
        )
        for one in corpus.speed
    ]
    return ReportTable(f"{corpus.corpus}: CPU time, systems interleaved on every page", columns, rows, spare=(7, 6, 1))


def growth(curves: Sequence[Growth]) -> ReportTable:
    """Return CPU seconds and memory against page size."""
    columns = ("system", *(f"{size:g} MB" for size in SIZES_MB), "peak MB at the largest", "exponent")
    rows = []
    for curve in curves:
        times = {size: seconds for size, seconds, _ in curve.points}
        cells = (f"{times[size]:.3f}" if size in times else "not done" for size in SIZES_MB)
        peak = f"{curve.points[-1][2]:.0f}" if curve.points else "–"
        rows.append((curve.system, *cells, peak, _number(curve.exponent)))
    return ReportTable("CPU seconds as one page grows", columns, rows)


def percent(probability: float) -> str:
    """Format a bootstrap probability, never as exactly 0 or 1.

    >>> percent(0.5), percent(1.0), percent(0.0004)
    ('50 %', '> 99 %', '< 1 %')
    """
    if probability != probability:
        return "–"
    if not 0.01 <= probability <= 0.99:
        return "< 1 %" if probability < 0.5 else "> 99 %"
    return f"{100 * probability:.0f} %"


def _number(value: float) -> str:
    return "–" if value != value else f"{value:.2f}"


def _ratio(ratio: Estimate) -> str:
    """Format a ratio with its interval."""
    value, low, high = ("–" if one != one else f"{one:.3f}" if one < 0.1 else f"{one:.2f}"
                        for one in (ratio.value, ratio.low, ratio.high))  # fmt: skip
    return value if low in ("–", value) else f"{value} [{low}, {high}]"
