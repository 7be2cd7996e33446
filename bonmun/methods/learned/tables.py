"""Data tables as units: a table is kept as a whole or dropped as a whole, whatever its cells score."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from bonmun.methods.learned.in_order import total
from bonmun.methods.nearest import Nearest
from bonmun.model.page import Page
from bonmun.model.tags import CELLS, CONTROL, TAG_ID
from bonmun.model.verdict import Reason

TABLE: Final = Reason("table", "part of a table that is kept")
_HEADER: Final = TAG_ID["th"]


@dataclass(frozen=True, slots=True)
class TableBlocks:
    """The blocks of an outermost data table: cells and captions, and the lists, code and images in cells."""

    shown: Sequence[int]
    """The visible blocks, and the buttons that are the whole text of a header cell: its label, which sorts."""
    others: Sequence[int]
    """Hidden blocks and other buttons."""


def tables(page: Page) -> list[TableBlocks]:
    """The data tables of a page with more than one visible block."""
    if not page.blocks.tables:
        return []
    flags, nodes = page.blocks.flags, page.nodes
    units: list[TableBlocks] = []
    end = 0
    for row in sorted(page.blocks.tables):
        if row >= end:
            end = nodes.end[row]
            inside = page.blocks_in(row)
            if len(inside) < 2 or not any(flags[inside.start : inside.stop]):  # nearly always
                units.append(TableBlocks(inside, ()))
                continue
            shown = [index for index in inside if not flags[index]]
            others = [index for index in inside if flags[index]]
            if labels := _labels(page, shown, others) if others else ():
                shown, others = sorted((*shown, *labels)), [index for index in others if index not in labels]
            units.append(TableBlocks(shown, others))
    return [unit for unit in units if len(unit.shown) > 1]


def _labels(page: Page, shown: Sequence[int], others: Sequence[int]) -> set[int]:
    """The buttons in header cells without other text."""
    controls = [index for index in others if page.blocks.flags[index] == CONTROL]
    if not controls:
        return set()
    cell, first = Nearest(page.nodes, CELLS.__contains__), page.blocks.first
    around = {index: cell.above(first[index]) for index in controls}
    headers = {row for row in around.values() if row >= 0 and page.nodes.tag[row] == _HEADER}
    labelled = {cell.above(first[index]) for index in _inside(page, sorted(headers), shown)}
    return {index for index, row in around.items() if row in headers and row not in labelled}


def _inside(page: Page, rows: Sequence[int], blocks: Sequence[int]) -> Iterator[int]:
    """Those of some blocks, in order, that are in one of these elements, in order."""
    end = 0
    for row in rows:
        if row >= end:  # not in the one before
            end = page.nodes.end[row]
            inside = page.blocks_in(row)
            yield from blocks[bisect_left(blocks, inside.start) : bisect_left(blocks, inside.stop)]


def table_columns(units: Sequence[TableBlocks]) -> "tuple[array[int] | bytes, array[int] | bytes]":
    """The blocks of tables as `_core` takes them: visible ones, others, those of the next table …; where each ends."""
    if not units:
        return b"", b""
    blocks, stops = array("i"), array("i")
    for indices in chain.from_iterable((unit.shown, unit.others) for unit in units):
        blocks.extend(indices)
        stops.append(len(blocks))
    return blocks, stops


def evened(probabilities: Sequence[float], sizes: Sequence[float], units: Sequence[TableBlocks]) -> Sequence[float]:
    """Return the probabilities with those of each table's visible blocks replaced by their mean, weighted by size.

    A table's numbers, names and labels score low on their own; its mean decides. Measured on the 49 tables of
    `wcxb_dev` that were kept in part. The other blocks of a table get no more than its mean.
    """
    if not units:
        return probabilities
    even = array("d", probabilities)
    for unit in units:
        size = total(sizes[index] for index in unit.shown)
        mean = total(probabilities[index] * sizes[index] for index in unit.shown) / size if size else 0.0
        for index in unit.shown:
            even[index] = mean
        for index in unit.others:
            even[index] = min(even[index], mean)
    return even


def incomplete(keep: Sequence[int], units: Sequence[TableBlocks]) -> list[int]:
    """The dropped visible blocks of tables of which any is kept."""
    kept = (unit.shown for unit in units if any(keep[index] for index in unit.shown))
    return [index for shown in kept for index in shown if not keep[index]]
