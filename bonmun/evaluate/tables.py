"""The tables of the five seed papers, measured on our corpora."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from bonmun.errors import BonmunError, UnknownName
from bonmun.evaluate.corpora import Corpus
from bonmun.evaluate.intervals import Estimate
from bonmun.evaluate.metrics import METRICS, Figure, Metric
from bonmun.evaluate.results import PARTS, Results, template_of
from bonmun.evaluate.speed import Speed

LEAST = 3
"""Minimum number of pages of a site (or language) for a row of its own."""
SIBLINGS = 6
"""The same where the pages of a site teach each other: seed paper 004 wants more than five."""


@dataclass(frozen=True, slots=True)
class ReportTable:
    """Rows of text under a heading."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    notes: tuple[str, ...] = ()
    words: tuple[int, ...] = (0,)
    """Columns of words, aligned left; the others hold numbers."""
    spare: tuple[int, ...] = ()
    """Columns to drop in a narrow terminal, the least important first."""

    def markdown(self) -> str:
        """Return the table as Markdown."""
        rule = ["---" if number in self.words else "--:" for number in range(len(self.columns))]
        lines = [f"**{self.title}**", "", _line(self.columns), _line(rule), *map(_line, self.rows)]
        return "\n".join([*lines, *(f"\n{note}" for note in self.notes)])


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table of a paper: its systems, metrics and layout."""

    title: str
    systems: tuple[str, ...]
    """The paper's method and its baselines, as far as we have them."""
    metrics: tuple[str, ...] = ()
    timed: bool = False
    note: str = ""
    sited: tuple[str, ...] = ()
    """Systems that learn the corpus's own sites: names of `siblings.RULES`."""
    siblings: bool = False
    """Whether the rows are sites or template groups of at least `SIBLINGS` pages."""


TABLES = {
    "xtractor-2": PaperTable(
        "XTractor (seed paper 000), table 2: recognition rate and precision by site",
        ("xpath", "readability-lxml"),
        ("recognition",),
        note="The paper's baseline is Readability's scoring of tag nodes; readability-lxml stands in for it.",
    ),
    "xtractor-3": PaperTable("XTractor (seed paper 000), table 3: text sizes and paths by site, means over pages", ()),
    "indem-14-16": PaperTable(
        "INDEM (seed paper 001), figures 14–16: CPU time against sizes, with trend lines",
        ("xpath", "trafilatura"),
        timed=True,
        note="The scatter plots are in the HTML report.",
    ),
    "logical-4": PaperTable(
        "Logical structure (seed paper 002), table 4: blocks of the body class",
        ("boilerpy3", "logical", "logical-robust", "auto"),
        ("blocks",),
        note="boilerpy3 is boilerpipe in Python.",
    ),
    "visual-2": PaperTable(
        "Visual features (seed paper 003), table 2: LCS and Block by language",
        ("readability.js",),
        ("lcs", "nodes"),
        note="The paper's own method is in the table visual; DOM Distiller, BoilerNet and Web2Text are not among the"
        " systems.",
    ),
    "visual": PaperTable(
        "Visual features (seed paper 003): the report of its reproduction",
        ("readability.js", "boilerpy3", "trafilatura", "resiliparse"),
        ("lcs", "nodes"),
    ),
    "template-1": PaperTable(
        "Page clustering (seed paper 004), table 1: pages right without clustering, by site",
        ("density", "auto"),
        ("right",),
        siblings=True,
    ),
    "template-2": PaperTable(
        "Page clustering (seed paper 004), table 2: pages right with clustering, by site",
        ("auto",),
        ("right",),
        note="m5 (the paper's rules) and template (ours) are learned from the other half of the site's pages; where"
        " that half is too small, density and auto are the fallbacks.",
        sited=("m5", "template"),
        siblings=True,
    ),
}


def paper_table(name: str) -> PaperTable:
    """Return the table of that name.

    >>> paper_table("logical-4").systems
    ('boilerpy3', 'logical', 'logical-robust', 'auto')
    """
    if name not in TABLES:
        raise UnknownName("table", name, TABLES)
    return TABLES[name]


def quality_table(name: str, results: Results) -> ReportTable:
    """Lay out a table of quality figures."""
    layouts = {"visual-2": _by_language, "logical-4": _totals}
    title, note = TABLES[name].title, TABLES[name].note
    table = layouts[name](results) if name in layouts else _by_site(results, siblings=TABLES[name].siblings)
    return ReportTable(f"{title} — {results.corpus}", table.columns, table.rows, (note,) if note else ())


def trend_table(corpus: str, speeds: Sequence[Speed]) -> ReportTable:
    """Lay out the INDEM paper's three figures as slopes and R²."""
    rows = []
    for speed in speeds:
        for figure, size, trend in (
            ("14", "HTML", speed.by_html),
            ("15", "all text", speed.by_text),
            ("16", "main text", speed.by_main),
        ):
            line = f"{1000 * trend.slope:.4f}", f"{trend.intercept:.2f}", f"{trend.r2:.2f}"
            rows.append((speed.system, figure, size, str(speed.pages), f"{speed.mean_ms:.2f}", *line))
    columns = ("method", "figure", "against", "pages", "ms/page", "ms per 1,000 characters", "ms at 0", "R²")
    paper = TABLES["indem-14-16"]
    return ReportTable(f"{paper.title} — {corpus}", columns, rows, (paper.note,))


def path_table(corpus: Corpus, every: int = 1) -> ReportTable:
    """Lay out XTractor's table 3: number of text paths, text lengths and the commonest main path of each site."""
    from bonmun.methods.xpath_groups import XPathAnalysis
    from bonmun.pipeline import extract

    sites: dict[str, list[tuple[int, int, int, str]]] = {}
    for case in corpus.cases(every):
        try:
            analysis = extract(case.html, url=case.url, method="xpath").analysis
        except BonmunError:
            continue
        if isinstance(analysis, XPathAnalysis) and (chosen := analysis.chosen_group):
            paths = len({node.path for node in analysis.nodes})
            sizes = sum(node.length for node in analysis.nodes), chosen.length
            sites.setdefault(case.domain, []).append((paths, *sizes, chosen.path))
    rows = []
    for site, pages in sorted(sites.items(), key=lambda item: (-len(item[1]), item[0])):
        if len(pages) >= LEAST:
            means = (f"{fmean(float(page[column]) for page in pages):.0f}" for column in range(3))
            rows.append((site, str(len(pages)), *means, Counter(page[3] for page in pages).most_common(1)[0][0]))
    columns = ("site", "pages", "text paths", "text length", "main text length", "path of the main text")
    return ReportTable(f"{TABLES['xtractor-3'].title} — {corpus.title}", columns, rows, words=(0, 5))


def _by_site(results: Results, *, siblings: bool = False) -> ReportTable:
    """One row per site, one column per figure and system: XTractor's table 2, the clustering paper's tables."""
    cells = [(metric, figure, name) for metric, figure in results.figures() for name in _names(results)]
    columns = ("site", "pages", *(f"{figure.label}: {name}" for _, figure, name in cells))
    sites = results.parts(template_of, SIBLINGS) if siblings else results.parts(PARTS["site"], LEAST)
    these = {"these sites": results.part(lambda entry: template_of(entry) in sites)} if siblings and sites else {}
    parts = {**sites, **these, "all pages": results}
    rows = [
        (site, str(len(part.entries)), *(_cell(part, metric, figure, name) for metric, figure, name in cells))
        for site, part in parts.items()
    ]
    return ReportTable("", columns, rows)


def _totals(results: Results) -> ReportTable:
    """One row per figure, one column per system: the logical-structure paper's table 4."""
    names = _names(results)
    order = {"block_recall": 0, "block_precision": 1, "block_f1": 2}
    figures = sorted(results.figures(), key=lambda pair: order.get(pair[1].key, 9))
    rows = [(figure.label, *(_cell(results, metric, figure, name) for name in names)) for metric, figure in figures]
    return ReportTable("", ("", *names), rows)


def _by_language(results: Results) -> ReportTable:
    """One row per system and language, LCS beside Block: the visual-features paper's table 2."""
    suffixes = ("precision", "recall", "f1", "f05")
    picked = [(metric, _figure(metric, f"{prefix}_{suffix}"))
              for metric, prefix in ((METRICS["lcs"], "lcs"), (METRICS["nodes"], "node"))
              for suffix in suffixes]  # fmt: skip
    parts = {**results.parts(PARTS["language"], LEAST), "average": results}
    rows = []
    for name in _names(results):
        for language, part in parts.items():
            cells = (_cell(part, metric, figure, name, interval=figure.key.endswith("f1")) for metric, figure in picked)
            rows.append((name, language, str(len(part.entries)), *cells))
    heads = [f"{kind} {score}" for kind in ("LCS", "Block") for score in ("P", "R", "F1", "F0.5")]
    return ReportTable("", ("method", "language", "pages", *heads), rows)


def _names(results: Results) -> list[str]:
    return [system.name for system in results.systems]


def _figure(metric: Metric, key: str) -> Figure:
    return next(figure for figure in metric.figures if figure.key == key)


def _cell(results: Results, metric: Metric, figure: Figure, name: str, *, interval: bool = True) -> str:
    return shown(results.samples[name, metric.name].estimate(figure), interval=interval)


def shown(estimate: Estimate, *, interval: bool = True) -> str:
    """Format a figure for a table.

    >>> shown(Estimate(0.817, 0.8, 0.83)), shown(Estimate(0.817)), shown(Estimate(float("nan")))
    ('.817 [.800, .830]', '.817', '–')
    """
    if estimate.value != estimate.value:
        return "–"
    if not interval or estimate.low != estimate.low:
        return _short(estimate.value)
    return f"{_short(estimate.value)} [{_short(estimate.low)}, {_short(estimate.high)}]"


def _short(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".", 1) if 0 <= value < 0.9995 else f"{value:.3f}"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
