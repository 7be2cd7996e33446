"""The tables of the report: regions beside the paper's, what the distances to the centres add, pages with their CSS."""

from typing import Final

from bonmun.evaluate.tables import ReportTable, shown
from bonmun.evaluate.visual import paper
from bonmun.evaluate.visual.entrants import CONTROL, REGION, TABNET_1, TABNET_2, TRAINED_ON
from bonmun.evaluate.visual.scores import COMPLETE, METRICS_OF, MUCH_CSS, SCORES, SOME_CSS, Line, Part, ScoredPage

ALL: Final = "all pages"
_LANGUAGES: Final = {"ko": "Korean", "ja": "Japanese", "zh": "Chinese", "en": "English news"}
_PAPER_REGIONS: Final = {
    "English": ("2017", "2020"),
    "Korean": ("KR",),
    "Japanese": ("JP",),
    "Chinese": ("CN",),
    ALL: ("Avg.",),
}
_PAPER_NAMES: Final = {"readability.js": "Readability.js"}
_TITLES: Final = {"lcs": "LCS", "block": "Block"}
_SHORT: Final = {"precision": "P", "recall": "R", "f1": "F1", "f05": "F0.5"}
_RENDERING: Final = ("with CSS", "some CSS", "without CSS")


def region(page: ScoredPage) -> str:
    """Return the region of a page: its language, or the corpus of complete saves."""
    if page.corpus in COMPLETE:
        return page.corpus
    return "English" if page.corpus in TRAINED_ON else _LANGUAGES.get(page.lang, "other languages")


def regions(whole: Part) -> dict[str, Part]:
    """Return the parts of the report, all pages last."""
    order = ("English", "Korean", "Japanese", "Chinese", "English news", "other languages")
    return {**whole.by(region, order), ALL: whole}


def tables(parts: dict[str, Part]) -> list[ReportTable]:
    """Return every table of the report but those of the importances, from its regions."""
    whole = parts[ALL]
    return [
        _pages(whole),
        *(_summary(parts, metric) for metric in METRICS_OF),
        *(_effect(parts, metric, way) for way in _ways(whole) for metric in METRICS_OF),
        *(_rendered(whole, metric) for metric in METRICS_OF),
        *(_full(name, part) for name, part in parts.items()),
    ]


def _summary(parts: dict[str, Part], metric: str) -> ReportTable:
    """One row for each system, one column for each region: the paper's figures 1 and 2."""
    columns = ("system", *(f"{name} ({len(part.pages)})" for name, part in parts.items()), "paper")
    rows = []
    for line in parts[ALL].lines:
        cells = (_with_spread(part, line, metric) for part in parts.values())
        rows.append((line.name, *cells, _published(line.name, ALL, metric) or "–"))
    for name in _only_in_paper(parts[ALL]):
        rows.append((name, *(_published(name, one, metric) or "–" for one in parts), _published(name, ALL, metric)))
    title = f"{_TITLES[metric]} F1 by region (pages), mean ± standard deviation over seeds"
    note = "Lines of systems that were not run hold the paper's figures, of its own pages; two of English: 2017 / 2020."
    return ReportTable(title, columns, rows, (note,))


def _full(name: str, part: Part) -> ReportTable:
    """P, R, F1 and F0.5 of both metrics in one region: the paper's table 2."""
    cells = [(metric, score) for metric in METRICS_OF for score in SCORES]
    heads = [f"{_TITLES[metric]} {_SHORT[score]}" for metric, score in cells]
    rows = []
    for line in part.lines:
        estimates = (
            shown(part.estimate(line, metric, score), interval=score == "f1") + _plus_minus(part, line, metric, score)
            for metric, score in cells
        )
        rows.append((line.name, *estimates))
        rows += [(f"{line.name}, paper {where}", *numbers) for where, numbers in _lines_of_paper(line.name, name)]
    for system in _only_in_paper(part):
        rows += [(f"{system}, paper {where}", *numbers) for where, numbers in _lines_of_paper(system, name)]
    return ReportTable(f"{name}: {len(part.pages)} pages", ("system", *heads), rows)


def _effect(parts: dict[str, Part], metric: str, way: str) -> ReportTable:
    """What D0 and D1 add: TabNet_2 against TabNet_1 and against the control, in each region."""
    gaps = ("TabNet_2 − TabNet_1", "seeds better", "TabNet_2 − control", "seeds better")
    columns = ("region", "pages", "TabNet_1", "control", "TabNet_2", *gaps)
    rows = []
    for name, part in parts.items():
        one, control, two = (part.line(f"{family}{way}") for family in (TABNET_1, CONTROL, TABNET_2))
        if one and two and part.count(two):
            means = (_with_spread(part, line, metric) if line else "–" for line in (one, control, two))
            cells = [cell for line in (one, control) for cell in _gap(part, two, line, metric)]
            rows.append((name, str(len(part.pages)), *means, *cells, _paper_gap(name, metric)))
    notes = ("Differences of the same pages, with 95 % intervals over sites. The control has D0 and D1 of other rows.",)
    kind = ", with our region" if way.endswith(REGION) else ", element by element"
    title = f"What D0 and D1 add{way.removesuffix(REGION)}{kind}: {_TITLES[metric]} F1"
    return ReportTable(title, (*columns, "paper: TabNet_1 → TabNet_2"), rows, notes)


def _rendered(whole: Part, metric: str) -> ReportTable:
    """Pages that render with their CSS apart from the others."""
    parts = {
        **whole.by(lambda page: page.rendering, _RENDERING),
        **{
            f"English, {name}": part
            for name, part in whole.where(lambda page: page.corpus in TRAINED_ON)
            .by(lambda page: page.rendering, _RENDERING)
            .items()
        },
    }
    columns = ("system", *(f"{name} ({len(part.pages)})" for name, part in parts.items()))
    rows = [
        (line.name, *(_with_spread(part, line, metric) for part in parts.values()))
        for line in whole.lines
    ]  # fmt: skip
    note = (
        f"With CSS: more than {MUCH_CSS // 1000} kB of inline style sheets, or a page of {' or '.join(COMPLETE)};"
        f" some: more than {SOME_CSS // 1000} kB."
    )
    return ReportTable(f"Pages that render with their CSS, and others: {_TITLES[metric]} F1", columns, rows, (note,))


def _pages(whole: Part) -> ReportTable:
    """Number of pages of each corpus."""
    rows = []
    for corpus, part in whole.by(lambda page: page.corpus).items():
        counts = [len(part.where(lambda page, name=name: page.rendering == name).pages) for name in _RENDERING]  # type: ignore[misc]
        sites = len({page.site for page in part.pages})
        missing = sum(not page.drawn for page in part.pages)
        rows.append((corpus, *map(str, (len(part.pages), sites, *counts, missing))))
    notes = ("Pages with gold; of corpora that models learn from, those of the held-out sites.",)
    return ReportTable("Test pages", ("corpus", "pages", "sites", *_RENDERING, "not drawn"), rows, notes)


def _with_spread(part: Part, line: Line, metric: str) -> str:
    return shown(part.estimate(line, metric, "f1"), interval=False) + _plus_minus(part, line, metric, "f1")


def _plus_minus(part: Part, line: Line, metric: str, score: str) -> str:
    spread = part.spread(line, metric, score)
    return "" if spread != spread else f" ± {spread:.3f}".replace("0.", ".")


def _gap(part: Part, one: Line, other: Line | None, metric: str) -> tuple[str, str]:
    """The difference of two systems with its interval, and in how many seeds the first is better."""
    if other is None:
        return "–", "–"
    gap = part.difference(one, other, metric, "f1").difference
    pairs = list(zip(*(part.by_seed(line, metric, "f1") for line in (one, other)), strict=False))
    better = f"{sum(first > second for first, second in pairs)} of {len(pairs)}"
    return f"{gap.value:+.3f} [{gap.low:+.3f}, {gap.high:+.3f}]".replace("0.", "."), better


def _paper_gap(region: str, metric: str) -> str:
    return (
        f"{_published(TABNET_1, region, metric)} → {_published(TABNET_2, region, metric)}"
        if region in _PAPER_REGIONS
        else "–"
    )


def _published(system: str, region: str, metric: str) -> str:
    """The paper's F1 of a system in a region, as text; empty if it has none."""
    found = [paper.figures(_PAPER_NAMES.get(system, system), one, metric) for one in _PAPER_REGIONS.get(region, ())]
    return " / ".join(_short(one.f1) for one in found if one)


def _lines_of_paper(system: str, region: str) -> list[tuple[str, list[str]]]:
    lines = []
    for one in _PAPER_REGIONS.get(region, ()):
        both = [paper.figures(_PAPER_NAMES.get(system, system), one, metric) for metric in METRICS_OF]
        numbers = [_short(getattr(found, score)) for found in both if found for score in SCORES]
        if numbers:
            lines.append((one, numbers))
    return lines


def _only_in_paper(part: Part) -> list[str]:
    measured = {_PAPER_NAMES.get(line.name, line.name) for line in part.lines}
    return [system for system in paper.systems() if system not in measured]


def _ways(whole: Part) -> list[str]:
    """What follows the names of TabNet_1 and TabNet_2: variants of their training, and of the choice of elements."""
    ways = [line.name.removeprefix(TABNET_2) for line in whole.lines if line.name.startswith(TABNET_2)]
    return [way for way in ways if whole.line(f"{TABNET_1}{way}")]


def _short(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")
