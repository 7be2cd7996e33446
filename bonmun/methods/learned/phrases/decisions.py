"""Phrases as decision lists over the columns of a block: data, which the compiled twin reads too.

The first clause whose conditions all hold gives the phrase. Few clauses need more than columns for their words: those
hold a function.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, log2, nextafter
from typing import Final

from bonmun.methods.learned.phrases.block_row import BlockRow, number_of

OWN: Final = -1
"""In place of a column: the one whose phrase is asked for."""

Condition = tuple[int, float, float]
"""A column, and the least and the greatest of its values for which the condition holds."""
Wording = str | Callable[[BlockRow, int], str]
"""A phrase, empty for none; or what words it for a block and the number of a column."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A phrase and its conditions."""

    wording: Wording
    conditions: tuple[Condition, ...]
    asked: int = OWN
    """The only column that it is for; `OWN`: for any."""
    sure: bool = True
    """Whether a function gives a phrase for every block, and one that no other function gives."""


@dataclass(frozen=True, eq=False, slots=True)
class Decision:
    """A phrase function: the clauses for kept and for dropped blocks. Columns that mean the same to a person share one.

    A phrase is true of the block and speaks for its verdict.

    >>> from bonmun.features.columns import COLUMNS
    >>> decision = Decision(kept=(when("a price", above("currencies", 0)),))
    >>> row = BlockRow([2.0] * len(COLUMNS), None, 0)
    >>> decision(row, 0, True), decision(row, 0, False)
    ('a price', '')
    """

    kept: Sequence[Clause] = ()
    dropped: Sequence[Clause] = ()

    def __call__(self, row: BlockRow, column: int, keep: bool) -> str:
        """The phrase for a block and the number of a column; empty for none."""
        for clause in self.kept if keep else self.dropped:
            if clause.asked in (OWN, column) and all(
                least <= row.cells[column if number == OWN else number] <= most
                for number, least, most in clause.conditions
            ):
                return clause.wording if isinstance(clause.wording, str) else clause.wording(row, column)
        return ""


def either(*clauses: Clause) -> Decision:
    """A phrase function that says the same of kept and of dropped blocks."""
    return Decision(clauses, clauses)


def when(wording: Wording, *conditions: Condition, asked: str | None = None, sure: bool = True) -> Clause:
    """A clause; one without conditions holds for all blocks. `asked`: for the phrase of that column only."""
    return Clause(wording, conditions, OWN if asked is None else number_of(asked), sure)


def _number(column: str | int) -> int:
    return column if isinstance(column, int) else number_of(column)


def at_least(column: str | int, value: float) -> Condition:
    """Whether a column, by its name, or `OWN` is not below a value."""
    return _number(column), value, inf


def above(column: str | int, value: float) -> Condition:
    """Whether a column is above a value."""
    return _number(column), nextafter(value, inf), inf


def at_most(column: str | int, value: float) -> Condition:
    """Whether a column is not above a value."""
    return _number(column), -inf, value


def below(column: str | int, value: float) -> Condition:
    """Whether a column is below a value."""
    return _number(column), -inf, nextafter(value, -inf)


def equal(column: str | int, value: float) -> Condition:
    """Whether a column is a value."""
    return _number(column), value, value


def counted(column: str | int, least: int) -> Condition:
    """Whether the number behind a column that holds its logarithm is at least so high."""
    return at_least(column, log2(least + 0.5))


def fewer(column: str | int, than: int) -> Condition:
    """Whether the number behind a column that holds its logarithm is lower."""
    return below(column, log2(than + 0.5))
