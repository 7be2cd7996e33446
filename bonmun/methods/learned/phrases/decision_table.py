"""The decision lists of all groups of columns, as numbers for the compiled twin."""

from array import array
from collections.abc import Callable, Sequence
from itertools import accumulate, chain
from typing import Final

from bonmun.methods.learned.phrases.block_row import BlockRow
from bonmun.methods.learned.phrases.decisions import OWN, Clause, Condition, Decision

NONE, UNSURE = -1, -2
"""In place of a phrase's number: no phrase; one that only Python can word."""
Group = tuple[Decision, tuple[int, ...]]
"""A phrase function, and the columns that share it."""
Worded = tuple[Callable[[BlockRow, int], str], int]
"""A function, and the number of the column that it is asked for."""


class DecisionTable:
    """The decision lists of kept or of dropped blocks.

    Phrases have numbers: first those that are plain texts, then those that functions word, one for each column. A
    function that may give no phrase, or one that others give too, has none.
    """

    def __init__(self, groups: Sequence[Group], alone: Sequence[bool], width: int, keep: bool) -> None:
        lists: list[list[tuple[tuple[Condition, ...], Clause]]] = [[] for _ in range(width)]
        for decision, columns in groups:
            for column in columns:
                lists[column] = [
                    (tuple(_of_column(column, condition) for condition in clause.conditions), clause)
                    for clause in (decision.kept if keep else decision.dropped)
                    if clause.asked in (OWN, column)
                ]
        clauses = [(column, *entry) for column, entries in enumerate(lists) for entry in entries]
        texts = dict.fromkeys(clause.wording for *_, clause in clauses if isinstance(clause.wording, str))
        self.texts: Final = tuple(filter(None, texts))
        self._numbers = dict(zip(self.texts, range(len(self.texts)), strict=True))
        self.worded: Final[list[Worded]] = []
        conditions = [condition for _, listed, _ in clauses for condition in listed]
        self.arrays: Final = (
            array("i", accumulate(map(len, lists), initial=0)),
            array("i", [self._number(column, clause) for column, _, clause in clauses]),
            array("i", accumulate((len(listed) for _, listed, _ in clauses), initial=0)),
            array("i", [column for column, _, _ in conditions]),
            array("d", chain.from_iterable(bounds for _, *bounds in conditions)),
            array("i", [columns[0] for _, columns in groups]),
            array("i", alone),
        )
        """Lists as stops of clauses, by column; wordings of clauses; their stops of conditions; columns and bounds of
        conditions; for each group the list of its first column, and whether no other group gives its phrases."""

    def _number(self, column: int, clause: Clause) -> int:
        if isinstance(clause.wording, str):
            return self._numbers.get(clause.wording, NONE)
        if not clause.sure:
            return UNSURE
        self.worded.append((clause.wording, column))
        return len(self.texts) + len(self.worded) - 1

    def phrase(self, number: int, row: BlockRow) -> str:
        """The phrase of a number, as a function words it for a block."""
        if number < len(self.texts):
            return self.texts[number]
        function, column = self.worded[number - len(self.texts)]
        return function(row, column)


def _of_column(column: int, condition: Condition) -> Condition:
    """A condition as it is for the phrase of a column."""
    number, least, most = condition
    return column if number == OWN else number, least, most
