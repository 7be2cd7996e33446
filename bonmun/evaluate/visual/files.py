"""The files of the report: visual.html, visual.md, visual.json and its plots as SVG."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bonmun.evaluate.report import html, plots, svg
from bonmun.evaluate.tables import ReportTable
from bonmun.evaluate.visual.entrants import REGION, TABNET_1, TABNET_2, WHOLE
from bonmun.evaluate.visual.importances import Importance
from bonmun.evaluate.visual.scores import METRICS_OF, SCORES, Line, Part

TITLE: Final = "Visual features and TabNet (seed paper 003), reproduced"
_STYLES: Final = {
    TABNET_1: "first",
    TABNET_2: "ours",
    f"{TABNET_2}{REGION}": "other",
    WHOLE: "whole",
    "readability.js": "peer",
    "auto": "best",
}
"""The systems in the plots of regions, with the classes of their dots."""
_NAMES: Final = {"lcs": "LCS F1", "block": "Block F1"}


@dataclass(frozen=True, slots=True)
class VisualReport:
    """All of the report."""

    about: str
    regions: Mapping[str, Part]
    tables: Sequence[ReportTable]
    importances: Mapping[str, Sequence[Importance]]


def write_files(report: VisualReport, folder: Path) -> None:
    """Write the report into a folder."""
    drawings = _drawings(report)
    named = dict(drawings.values())
    markdown = [f"# {TITLE}", report.about, *(table.markdown() for table in report.tables)]
    files = {
        "visual.html": html.write_tables(TITLE, report.about, report.tables, named),
        "visual.md": "\n\n".join(markdown) + "\n",
        "visual.json": json.dumps(_data(report), ensure_ascii=False, indent=1) + "\n",
        **{f"{name}.svg": svg.standalone(drawn, _drawing_style()) for name, (_, drawn) in drawings.items()},
    }
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8", errors="replace")


def _drawings(report: VisualReport) -> dict[str, tuple[str, str]]:
    """The plots by file name, each with its caption."""
    drawings = {}
    for metric, label in _NAMES.items():
        drawn = plots.lanes(_lanes(report.regions, metric), label)
        drawings[f"visual-{metric}"] = (f"{label} by region; the bar is the standard deviation over seeds.", drawn)
    for family, name in ((TABNET_1, "visual-importances-1"), (TABNET_2, "visual-importances-2")):
        if line := report.importances.get(family):
            shares = [(one.column, one.mean, one.spread) for one in line]
            title = f"Feature importances of {family}"
            drawings[name] = (f"{title}: shares of the attention on test pages.", plots.importances(shares, title))
    return drawings


def _lanes(regions: Mapping[str, Part], metric: str) -> list[tuple[str, str, list[tuple[str, float, float, str]]]]:
    lanes = []
    for name, part in regions.items():
        dots = [
            (line.name, part.estimate(line, metric, "f1").value, part.spread(line, metric, "f1"), style)
            for system, style in _STYLES.items()
            if (line := part.line(system))
        ]
        lanes.append((name, f"{len(part.pages)} pages", dots))
    return lanes


def _drawing_style() -> str:
    """The lines of the style sheet that drawings need."""
    starts = (":root", "@media", "  :root", "}", "svg")
    return "\n".join(line for line in html.style_sheet().splitlines() if line.startswith(starts))


def _data(report: VisualReport) -> dict[str, Any]:
    """The figures of every region, and the importances, as plain data."""
    return {
        "title": TITLE,
        "about": report.about,
        "regions": {name: _part(part) for name, part in report.regions.items()},
        "importances": {
            family: {one.column: [_plain(one.mean), _plain(one.spread)] for one in line}
            for family, line in report.importances.items()
        },
    }


def _part(part: Part) -> dict[str, Any]:
    return {"pages": len(part.pages), "systems": {line.name: _line(part, line) for line in part.lines}}


def _line(part: Part, line: Line) -> dict[str, Any]:
    figures: dict[str, Any] = {"pages": part.count(line)}
    for metric in METRICS_OF:
        for score in SCORES:
            estimate = part.estimate(line, metric, score)
            seeds = [_plain(value) for value in part.by_seed(line, metric, score)]
            numbers = (_plain(value) for value in (estimate.value, estimate.low, estimate.high))
            figures[f"{metric}_{score}"] = {**dict(zip(("value", "low", "high"), numbers, strict=True)), "seeds": seeds}
    return figures


def _plain(value: float) -> float | None:
    return None if value != value else round(value, 4)
