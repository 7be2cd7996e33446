"""The report as one HTML file: no scripts, no external resources, light and dark."""

import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from urllib.parse import quote

from bonmun.evaluate.metrics import METRICS
from bonmun.evaluate.report import plots, text
from bonmun.evaluate.report.data import BenchReport, CorpusReport
from bonmun.evaluate.speed import Speed
from bonmun.evaluate.tables import ReportTable

_ABOUT = {
    "quality": "Mean over pages; the bar is the 95 % interval, bootstrapped over sites.",
    "speed": "Top left is best: accurate and fast. CPU time on a logarithmic scale.",
    "strips": "One dot per system; our best one is filled, our others are rings. Hover over a dot for its name.",
    "pairs": "Both systems are resampled on the same sites, so that a hard site counts for both.",
    "histogram": "Pages by score, from 0 on the left to 1 on the right.",
    "worst": "Pages where it is furthest behind the best system. “Why” opens the explain view of the page.",
    "clouds": "CPU time of single pages against their size, with trend lines: figures 14–16 of the INDEM paper.",
    "growth": "One page at growing sizes, both scales logarithmic. † failed or timed out at the next size.",
}


def write(report: BenchReport) -> str:
    """Return the report as HTML."""
    names = [corpus.corpus for corpus in report.corpora]
    links = "".join(f'<a href="#{escape(name, quote=True)}">{escape(name)}</a>' for name in names)
    body = [
        "<header><h1>Bonmun bench</h1>",
        f'<p class="soft">{escape(text.where(report))}</p>',
        f"<nav>{links}</nav></header>" if len(names) > 1 else "</header>",
        *map(_corpus, report.corpora),
        _growth(report),
        _footer(report),
    ]
    return _document("Bonmun bench", "".join(body))


def write_tables(title: str, about: str, tables: Sequence[ReportTable], figures: Mapping[str, str]) -> str:
    """Return tables, and drawings by their captions, as HTML."""
    body = [f'<header><h1>{escape(title)}</h1><p class="soft">{escape(about)}</p></header>']
    drawn = "".join(_figure(one, caption) for caption, one in figures.items())
    body.append(f'<div class="pair">{drawn}</div>')
    for table in tables:
        notes = "".join(f'<p class="soft">{escape(note)}</p>' for note in table.notes)
        body.append(f"<section><h2>{escape(table.title)}</h2>{_table(table, set())}{notes}</section>")
    return _document(title, "".join(body))


def _document(title: str, body: str) -> str:
    metas = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    head = f"{metas}<title>{escape(title)}</title><style>{style_sheet()}</style>"
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def style_sheet() -> str:
    """Return the style sheet of the report."""
    return Path(__file__).with_name("report.css").read_text(encoding="utf-8")


def _corpus(corpus: CorpusReport) -> str:
    ranking = text.ranking(corpus)
    ours = {row.system for row in corpus.rows if row.ours}
    sections = [
        f'<section id="{escape(corpus.corpus, quote=True)}"><h2>{escape(corpus.corpus)}</h2>',
        f'<p class="soft">{corpus.pages:,} pages of {corpus.sites:,} sites</p>',
        _table(ranking, ours),
        _details("All figures", _table(text.further(corpus), ours)),
        *(_details("Errors and time-outs", _table(table, ours)) for table in text.troubles(corpus)),
        '<div class="pair">',
        _figure(plots.quality(corpus), _ABOUT["quality"]),
        _figure(plots.quality_and_speed(corpus), _ABOUT["speed"]),
        "</div>",
        _parts(corpus, ours),
        _pairs(corpus, ours),
        _histograms(corpus),
        _worst(corpus),
        _speed(corpus, ours),
        "</section>",
    ]
    return "".join(sections)


def _parts(corpus: CorpusReport, ours: set[str]) -> str:
    drawn = []
    for part, title in {"type": "By page type", "language": "By language", "site": "By site"}.items():
        if len(corpus.parts[part]) > 1:
            table = _details("As a table", _table(text.parts(corpus, part), ours))
            drawn.append(f"<div><h3>{title}</h3><figure>{plots.strips(corpus, part)}</figure>{table}</div>")
    about = f'<p class="soft about">{_ABOUT["strips"]}</p>'
    return f'{about}<div class="pair">{"".join(drawn)}</div>' if drawn else ""


def _pairs(corpus: CorpusReport, ours: set[str]) -> str:
    if len(corpus.rows) < 2:
        return ""
    names = [row.system for row in corpus.rows]
    lines = []
    for one in names:
        cells = []
        for other in names:
            comparison = corpus.comparisons[one].get(other)
            if comparison is None or comparison.probability != comparison.probability:
                cells.append('<td class="none">–</td>')
                continue
            probability = comparison.probability
            shade = f"background: color-mix(in srgb, var(--ours) {100 * abs(probability - 0.5):.0f}%, transparent)"
            style = shade if probability > 0.5 else ""
            cells.append(f'<td style="{style}" title="{comparison.difference}">{text.percent(probability)}</td>')
        lines.append(f"<tr{_mark(one, ours)}><td>{escape(one)}</td>{''.join(cells)}</tr>")
    head = "".join(f"<th><span>{escape(name)}</span></th>" for name in ["", *names])
    body = f"<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody>"
    table = f'<div class="wide"><table class="matrix">{body}</table></div>'
    heading = "<h3>Probability that the system on the left is better</h3>"
    return f'{heading}<p class="soft">{_ABOUT["pairs"]}</p>{table}'


def _histograms(corpus: CorpusReport) -> str:
    drawn = "".join(f"<figure>{plots.histogram(row)}</figure>" for row in corpus.rows)
    return f'<h3>Scores of single pages</h3><p class="soft">{_ABOUT["histogram"]}</p><div class="small">{drawn}</div>'


def _worst(corpus: CorpusReport) -> str:
    if not corpus.worst:
        return ""
    lines = []
    for page in corpus.worst:
        why = f'<a href="{escape(quote(page.explain), quote=True)}">why</a>' if page.explain else "–"
        scores = f"<td>{page.score:.3f}</td><td>{page.best_score:.3f}</td>"
        words = "".join(f'<td class="left">{cell}</td>' for cell in (escape(page.best), escape(page.page_type), why))
        address = f'<td class="long">{escape(page.url or "")}</td>'
        lines.append(f"<tr><td>{escape(page.page)}</td>{scores}{words}{address}</tr>")
    numbers = (f"{corpus.subject}", "best")
    columns = ("page", *numbers, "by", "type", "", "address")
    head = "".join(f"<th{'' if name in numbers else ' class=left'}>{escape(name)}</th>" for name in columns)
    table = f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'
    return f'<h3>Worst pages of {escape(str(corpus.subject))}</h3><p class="soft">{_ABOUT["worst"]}</p>{table}'


def _speed(corpus: CorpusReport, ours: set[str]) -> str:
    if not corpus.speed:
        return ""
    parts = [f"<h3>Speed</h3>{_table(text.speed(corpus), ours)}", f'<p class="soft">{_ABOUT["clouds"]}</p>']
    parts += [_clouds(speed, "ours") for speed in corpus.speed if speed.system in ours]
    peers = "".join(_clouds(speed, "peer") for speed in corpus.speed if speed.system not in ours)
    return "".join([*parts, _details("The same for peers", peers) if peers else ""])


def _clouds(speed: Speed, style: str) -> str:
    drawn = plots.clouds(speed.points, (speed.by_html, speed.by_text, speed.by_main), style)
    figures = "".join(f"<figure>{one}</figure>" for one in drawn)
    return f'<h4>{escape(speed.system)}</h4><div class="three">{figures}</div>'


def _growth(report: BenchReport) -> str:
    if not any(one.points for one in report.growth):
        return ""
    ours = {row.system for corpus in report.corpora for row in corpus.rows if row.ours}
    drawn = _figure(plots.growth(report.growth, ours), _ABOUT["growth"])
    table = _table(text.growth(report.growth), ours)
    return f'<section><h2>CPU time against page size</h2><div class="narrow">{drawn}</div>{table}</section>'


def _footer(report: BenchReport) -> str:
    notes = "".join(f"<p>{escape(note)}</p>" for note in text.notes(report) if not note.startswith("Metrics"))
    about = []
    for name in report.sources:
        plain = " ".join((METRICS[name].against.__doc__ or "").split("\n\n")[1].removeprefix("    Source: ").split())
        about.append(f"<dt>{escape(name)}</dt><dd>{escape(re.sub('[`*]', '', plain))}</dd>")
    return f"<footer><h2>How it was measured</h2>{notes}<dl>{''.join(about)}</dl></footer>"


def _table(table: ReportTable, ours: set[str]) -> str:
    left = ['class="left"' if number in table.words else "" for number in range(len(table.columns))]
    head = "".join(f"<th {side}>{escape(name)}</th>" for side, name in zip(left, table.columns, strict=True))
    lines = []
    for row in table.rows:
        cells = "".join(f"<td {side}>{escape(cell)}</td>" for side, cell in zip(left, row, strict=True))
        lines.append(f"<tr{_mark(row[0], ours)}>{cells}</tr>")
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'


def _figure(drawn: str, caption: str) -> str:
    return f"<figure><figcaption>{escape(caption)}</figcaption>{drawn}</figure>"


def _details(title: str, inside: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{inside}</details>"


def _mark(name: str, ours: set[str]) -> str:
    return ' class="ours"' if name in ours else ""
