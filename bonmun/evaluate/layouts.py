"""Saved layouts: the boxes of a corpus's pages, so that a benchmark need not draw them again.

A file `NAME.jsonl` or `NAME.jsonl.zst` has one object per line: `id`, `names` (of all elements in pre-order, separated
by spaces), `boxes` (left, top, right, bottom, visible of each element, flat), `viewport` and `document` (width,
height), `milliseconds`. `bench/render_corpus.py` writes one.
"""

import json
from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bonmun.errors import MissingExtra, RenderError, SourceError
from bonmun.evaluate.corpora import CorpusError
from bonmun.model.page import Page
from bonmun.model.tags import TEXT
from bonmun.rendering.tying import DrawnElements, split_names, tied


@dataclass(frozen=True, slots=True)
class SavedLayout:
    """The elements of a page as the browser drew them."""

    id: str
    elements: DrawnElements
    milliseconds: float
    """Wall time of drawing."""


class SavedLayouts(Mapping[str, DrawnElements]):
    """The layouts of a file by the ids of their pages."""

    def __init__(self, layouts: Iterable[SavedLayout]) -> None:
        self._packed: dict[str, tuple[str, array[int], tuple[int, int], tuple[int, int]]] = {}
        self.milliseconds: dict[str, float] = {}
        """Wall time of drawing each page."""
        for layout in layouts:
            drawn = layout.elements
            boxes = array("i", drawn.boxes)
            self._packed[layout.id] = " ".join(drawn.names), boxes, drawn.viewport, drawn.document
            self.milliseconds[layout.id] = layout.milliseconds

    def __getitem__(self, id: str) -> DrawnElements:
        names, boxes, viewport, document = self._packed[id]
        return DrawnElements(split_names(names), boxes, viewport, document)

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


def save_layouts(path: str | Path, layouts: Iterable[SavedLayout]) -> None:
    """Write layouts to a file; with zstd if its name ends in `.zst`.

    Each line is written when its layout comes, and the file gets its name at the end: an interrupted run leaves no
    half of it.
    """
    path = Path(path)
    part = path.with_name(f".{path.name}.part")
    try:
        with _opened(part, "wt", packed=path.suffix == ".zst") as file:
            for layout in layouts:
                file.write(json.dumps(_record(layout), ensure_ascii=False, separators=(",", ":")) + "\n")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def open_layouts(path: str | Path) -> SavedLayouts:
    """Read a file of saved layouts; raise `CorpusError` for a malformed line."""
    path = Path(path)
    if not path.is_file():
        raise SourceError(f"{path}: no such file of layouts; draw the corpus with bench/render_corpus.py")
    return SavedLayouts(_read(path))


def with_saved_layout(page: Page, drawn: DrawnElements) -> Page:
    """Return a page with the layout that was saved for it.

    >>> import bonmun
    >>> page = bonmun.read_page("<p>Tea")
    >>> drawn = DrawnElements(["html", "head", "body", "p"], [0, 0, 9, 9, 1] * 4, (1366, 768), (1366, 768))
    >>> with_saved_layout(page, drawn).layout.width(3)
    9
    """
    return replace(page, layout=tied(page.nodes, drawn))


def elements_of(page: Page) -> DrawnElements:
    """Return the elements of a page with a layout, to be saved."""
    nodes, layout = page.nodes, page.layout
    if layout is None:
        raise RenderError("the page has no layout; render it first")
    rows = [row for row, tag in enumerate(nodes.tag) if tag != TEXT]
    columns = (layout.left, layout.top, layout.right, layout.bottom, layout.visible)
    boxes = array("i", [column[row] for row in rows for column in columns])
    return DrawnElements([nodes.name(row) for row in rows], boxes, layout.viewport, layout.document)


def _record(layout: SavedLayout) -> dict[str, object]:
    drawn = layout.elements
    return {
        "id": layout.id,
        "names": " ".join(drawn.names),
        "boxes": list(drawn.boxes),
        "viewport": drawn.viewport,
        "document": drawn.document,
        "milliseconds": round(layout.milliseconds, 1),
    }


def _read(path: Path) -> Iterator[SavedLayout]:
    number = 0
    try:
        with _opened(path, "rt", packed=path.suffix == ".zst") as lines:
            for number, line in enumerate(lines, 1):  # noqa: B007
                yield _layout(json.loads(line))
    except (KeyError, AttributeError, TypeError, ValueError, OverflowError, OSError) as error:
        raise CorpusError(f"{path}, line {number}: not a saved layout: {error!r}") from error
    except Exception as error:
        if type(error).__name__ != "ZstdError":
            raise
        raise CorpusError(f"{path}, after line {number}: {error}") from error


def _layout(record: dict[str, Any]) -> SavedLayout:
    names, boxes = split_names(record["names"]), array("i", record["boxes"])
    if len(boxes) != 5 * len(names):
        raise ValueError(f"{len(names)} names, but {len(boxes)} numbers in 'boxes', not five each")
    (width, height), (document_width, document_height) = record["viewport"], record["document"]
    drawn = DrawnElements(names, boxes, (width, height), (document_width, document_height))
    return SavedLayout(str(record["id"]), drawn, float(record["milliseconds"]))


def _opened(path: Path, mode: str, *, packed: bool) -> Any:
    if not packed:
        return path.open(mode, encoding="utf-8")
    try:
        import zstandard
    except ImportError:
        raise MissingExtra("layouts packed with zstd", "bench") from None
    return zstandard.open(path, mode, encoding="utf-8")
