"""Data tables as units: a table is kept as a whole or dropped as a whole, whatever its cells score."""

from collections.abc import Sequence
from typing import Final

from bonmun.model.page import Page
from bonmun.model.verdict import Reason

TABLE: Final = Reason("table", "part of a table that is kept")


def tables(page: Page) -> list[list[int]]:
    """The visible blocks of each outermost data table: cells and captions, and the lists, code and images in cells."""
    flags, nodes = page.blocks.flags, page.nodes
    units: list[list[int]] = []
    end = 0
    for row in sorted(page.blocks.tables):
        if row >= end:
            end = nodes.end[row]
            units.append([index for index in page.blocks_in(row) if not flags[index]])
    return [unit for unit in units if len(unit) > 1]


def evened(probabilities: Sequence[float], sizes: Sequence[float], units: Sequence[Sequence[int]]) -> Sequence[float]:
    """Return the probabilities with those of each unit replaced by their mean, weighted by size.

    A table's numbers, names and labels score low on their own; its mean decides. Measured on the 49 tables of
    `wcxb_dev` that were kept in part.
    """
    if not units:
        return probabilities
    even = list(probabilities)
    for unit in units:
        size = sum(sizes[index] for index in unit)
        mean = sum(probabilities[index] * sizes[index] for index in unit) / size if size else 0.0
        for index in unit:
            even[index] = mean
    return even


def incomplete(keep: Sequence[int], units: Sequence[Sequence[int]]) -> list[int]:
    """The dropped blocks of tables of which anything is kept."""
    return [index for unit in units if any(keep[index] for index in unit) for index in unit if not keep[index]]
