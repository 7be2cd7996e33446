"""The cells of kept tables: those in the page's markup against those written as JSON, HTML and Markdown."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from corpus import pages
from fidelity_items import key
from fidelity_markdown import reader
from fidelity_markup import KeptMarkup
from rich.console import Console
from rich.progress import track

import bonmun
from bonmun.model.tags import CELLS, TAG_ID
from bonmun.read.parse import parse

FORMATS = ("json", "html", "markdown")
_PIPE = re.compile(r"(?<!\\)(?:\\\\)*\|")
Written = list[Counter[str]]
"""The cells of each table, as keys."""


def report_tables(corpora: Sequence[str], every: int, *, markdown: bool) -> None:
    from fidelity import table_lines

    rows, lost = [], []
    for corpus in corpora:
        counts: Counter[str] = Counter()
        for record in track(list(pages(corpus))[::every], corpus, console=Console(stderr=True)):
            lost += _count(record, f"{corpus} {record['id']}", counts)
        written = [f"{counts[f'{name} cells']:,} ({counts[f'{name} torn']:,})" for name in FORMATS]
        rows.append([corpus, f"{counts['tables']:,}", f"{counts['cells']:,}", *written, f"{counts['ragged']:,}"])
    names = [f"in {name} (tables with a lost cell)" for name in FORMATS]
    header = ["", "kept tables", "cells with text", *names, "not rectangular in Markdown"]
    for line in table_lines(header, rows, markdown=markdown):
        print(line)
    print(f"{len(lost)} tables lost a cell in a format" + ":" * bool(lost))
    for line in lost:
        print(line)


def _count(record: dict[str, str], name: str, counts: Counter[str]) -> Iterator[str]:
    document = bonmun.extract(record["html"], url=record["url"] or None)
    markup = KeptMarkup(document)
    truth = [Counter(filter(None, (key(markup.shown_text(cell)) for cell in markup.cells(table))))
             for table in markup.data_tables]  # fmt: skip
    truth = [cells for cells in truth if cells]
    if not truth:
        return
    counts["tables"] += len(truth)
    counts["cells"] += sum(cells.total() for cells in truth)
    tables, ragged = in_markdown(document.markdown)
    counts["ragged"] += ragged
    written = {"json": in_json(document), "html": in_html(document.html), "markdown": tables}
    for number, cells in enumerate(truth):
        missing = {form: _lost(cells, given) for form, given in written.items()}
        for form, gone in missing.items():
            counts[f"{form} cells"] += cells.total() - gone.total()
            counts[f"{form} torn"] += bool(gone)
        if any(missing.values()):
            numbers = ", ".join(f"{form} {gone.total()}" for form, gone in missing.items())
            example = next(iter(missing["markdown"] or missing["html"] or missing["json"]))[:40]
            yield f"{name} table {number}: {cells.total()} cells, lost: {numbers}, such as {example!r}"


def _lost(cells: Counter[str], tables: Written) -> Counter[str]:
    """The cells that the most similar table lacks; the table is used up."""
    if not tables:
        return cells
    best = max(range(len(tables)), key=lambda at: (cells & tables[at]).total())
    lost = cells - tables[best]
    tables[best] = tables[best] - cells
    return lost


def in_json(document: bonmun.Document) -> Written:
    texts: dict[int, dict[int, str]] = {}
    for block in json.loads(document.to_json())["blocks"]:
        table = cell = None
        for place in block.get("within", ()):
            if place["role"] == "table":
                table, cell = place["id"], None
                texts.setdefault(table, {})
            elif place["role"] == "cell" and table is not None:
                cell = place["id"]
                texts[table][cell] = texts[table].get(cell, "") + block["text"]
    return [Counter(filter(None, map(key, cells.values()))) for cells in texts.values()]


def in_html(html: str) -> Written:
    nodes = parse(html)
    tables: dict[int, Counter[str]] = {row: Counter() for row in nodes.rows_of("table")}
    for row in range(len(nodes)):
        if nodes.tag[row] in CELLS and (text := key(nodes.content(row))):
            table = next(at for at in nodes.ancestors(row) if nodes.tag[at] == TAG_ID["table"])
            tables[table][text] += 1
    return list(tables.values())


def in_markdown(markdown: str) -> tuple[Written, int]:
    """The tables that a reader sees, and how many of them have lines of different lengths."""
    tables: Written = []
    ragged, lines, widths = 0, markdown.split("\n"), set[int]()
    in_cell = False
    for token in reader().parse(markdown):
        if token.type == "table_open":
            tables.append(Counter())
            widths = set()
        elif token.type == "tr_open" and token.map:
            widths.add(len(_PIPE.findall(lines[token.map[0]])))
        elif token.type in ("td_open", "th_open"):
            in_cell = True
        elif token.type == "table_close":
            ragged += len(widths) > 1
        elif token.type == "inline" and in_cell:
            in_cell = False
            text = "".join(child.content for child in token.children or [] if child.type in ("text", "code_inline"))
            tables[-1].update(filter(None, [key(text)]))
        elif token.type == "html_block" and "<table" in token.content:
            tables += in_html(token.content)
    return tables, ragged
