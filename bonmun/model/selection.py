"""The kept blocks and runs that the switches of an `Output` leave."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from bonmun.model.block import KINDS, Kind
from bonmun.model.inline import Run
from bonmun.model.output import Output
from bonmun.model.page import Page

_IMAGE, _CAPTION, _HEADING, _ITEM = (KINDS.index(kind) for kind in (Kind.IMAGE, Kind.CAPTION, Kind.HEADING, Kind.ITEM))
_REFERENCE_NAMES = frozenset(
    "references reference-list ref-list reflist mw-references-wrap footnotes footnote-list footnotes-list endnotes"
    " end-notes bibliography citation-list works-cited".split()
)
_REFERENCE_ROLES = frozenset("doc-endnotes doc-endnote doc-footnote doc-bibliography doc-biblioentry".split())
_HEADINGS = frozenset(
    "references|reference list|bibliography|works cited|literature cited|notes|footnotes|endnotes|notes and references"
    "|references and notes|sources and references|einzelnachweise|literaturverzeichnis|quellenverzeichnis|fußnoten"
    "|références|notes et références|bibliographie|notes|referencias|referencias bibliográficas|bibliografía"
    "|referências|note|bibliografia|przypisy|примечания|список литературы|литература|참고 문헌|참고문헌|각주|주석|미주"
    "|参考文献|參考文獻|参考资料|參考資料|注释|註釋|脚注|注釈|出典|参考文献・資料".split("|")
)
_LABEL = re.compile(r"\W*(?:\d+|[ivxlc]+)?[.)\s]*", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:\[\d{1,3}\]|\d{1,3}[.)]|\^|↑|\*)\s")
_ENTRIES = 0.8
"""Minimum share of items and numbered lines below a heading named like one of references: it can head prose as well."""


def selected(page: Page, kept: Sequence[int], output: Output) -> list[int]:
    """Return the kept blocks without pictures, captions, tables and references that are switched off."""
    blocks = page.blocks
    kinds = {_IMAGE: output.images, _CAPTION: output.captions}
    dropped: set[int] = set()
    if not output.tables:
        dropped |= _inside(page, blocks.tables)
    if not output.references:
        dropped |= _inside(page, _reference_rows(page)) | _reference_sections(page, kept)
        dropped.update(index for note in page.footnotes if not note.inside for index in note.blocks)
    return [index for index in kept if kinds.get(blocks.kind_code[index], True) and index not in dropped]


def selected_runs(runs: Iterable[Run], output: Output) -> tuple[Run, ...]:
    """Return the runs of a block without pictures, addresses and marks of footnotes that are switched off."""
    out: list[Run] = []
    texts: list[str] = []  # of the last run
    for run in runs:
        if (run.src is not None and not output.images) or (run.note is not None and not output.references):
            continue
        run = run if output.links or run.href is None else run._replace(href=None)
        last = out[-1] if out else None
        if last is None or last.src is not None or run.src is not None or _stands_alone(run) or _stands_alone(last):
            _join_last(out, texts)
            out.append(run)
            texts = [run.text]
            continue
        text = run.text.lstrip() if texts[-1].endswith(" ") else run.text  # spaces on both sides of a dropped picture
        if text and last.marks == run.marks and last.href == run.href:
            texts.append(text)
        elif text:
            _join_last(out, texts)
            out.append(Run(text, run.marks, run.href))
            texts = [text]
    _join_last(out, texts)
    return tuple(out)


def _stands_alone(run: Run) -> bool:
    return run.formula is not None or run.note is not None


def _join_last(out: list[Run], texts: list[str]) -> None:
    """Give the last run all its texts."""
    if len(texts) > 1:
        out[-1] = Run("".join(texts), out[-1].marks, out[-1].href)


def _inside(page: Page, rows: Iterable[int]) -> set[int]:
    """The blocks inside some elements."""
    stop, inside = 0, set[int]()
    for row in sorted(rows):
        if row >= stop:
            inside.update(page.blocks_in(row))
            stop = page.nodes.end[row]
    return inside


def _reference_rows(page: Page) -> Iterator[int]:
    """Elements named as reference lists, notes or bibliographies."""
    nodes = page.nodes
    wanted = {nodes.attr_id[name] for name in ("class", "id", "role") if name in nodes.attr_id}
    for row in range(len(nodes)):
        for index in range(nodes.attr_first[row], nodes.attr_first[row + 1]):
            if nodes.attr_name[index] in wanted:
                words = nodes.attr_bytes(index).decode("utf-8", "replace").lower().split()
                if not _REFERENCE_NAMES.isdisjoint(words) or not _REFERENCE_ROLES.isdisjoint(words):
                    yield row
                    break


def _reference_sections(page: Page, kept: Sequence[int]) -> set[int]:
    """Kept headings such as "References" with the entries below them, if nearly all of those look like entries."""
    kinds, levels = page.blocks.kind_code, page.blocks.level
    dropped: set[int] = set()
    heads = [place for place, index in enumerate(kept) if kinds[index] == _HEADING]
    for number, place in enumerate(heads, 1):
        text = page.blocks.text_at(kept[place])
        if _LABEL.sub("", text, count=1).rstrip(" :").lower() not in _HEADINGS:
            continue
        level = levels[kept[place]]
        following = islice(heads, number, None)
        stop = next((other for other in following if levels[kept[other]] <= level), len(kept))
        section = kept[place + 1 : stop]
        entries = sum(_is_entry(page, index) for index in section)
        if section and entries >= _ENTRIES * len(section):
            dropped.update(kept[place:stop])
    return dropped


def _is_entry(page: Page, index: int) -> bool:
    return page.blocks.kind_code[index] == _ITEM or bool(_NUMBERED.match(page.blocks.text_at(index)))
