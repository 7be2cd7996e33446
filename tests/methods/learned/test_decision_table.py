"""Decision lists: the compiled twin finds the phrases of Python, and refuses numbers that do not fit together."""

from array import array
from random import Random
from typing import Any

import pytest

from bonmun.core import core
from bonmun.features.columns import COLUMNS
from bonmun.methods.learned.contributions import Contributions
from bonmun.methods.learned.reasons import _COLUMN_GROUPS, _GROUPS, Reasons, decisions
from bonmun.read.page import read_page
from tests.methods.learned.test_reasons import Measured, stumps
from tests.without_core import without_core

WIDTH = len(COLUMNS)
needs_core = pytest.mark.skipif(core() is None, reason="the compiled twin is not built")


@needs_core
@pytest.mark.parametrize("seed", range(12))
def test_both_twins_give_the_same_reasons(seed: int) -> None:
    dice, blocks = Random(seed), 25
    page = read_page("<div class='menu gnb'><h2>Tea</h2>" + "<p>One of many</p>" * (blocks - 1))
    values = (0, 0, 0, 0, 1, 2, 3, 5, 20, 20, 0.04, 0.1, 0.3, 0.6, 0.95)
    cells = array("f", [dice.choice(values) for _ in range(blocks * WIDTH)])
    for block in range(blocks):  # their phrases look at the page
        cells[block * WIDTH + COLUMNS.index("since_heading")] = block
        for number, name in enumerate(COLUMNS):
            if name.startswith("named_"):
                cells[block * WIDTH + number] = dice.choice((0, 1, 20, 20, 20))
    columns = [column for column in COLUMNS if not column.startswith("page_")]
    forest = stumps(*((column, dice.choice((-0.5, 0.5, 2.0))) for column in dice.sample(columns, 60)))
    keep = tuple(dice.randrange(2) for _ in range(blocks))

    def reasons() -> list[Any]:
        return list(Reasons(Contributions(forest, Measured(cells.tobytes())), page, keep, {}))

    compiled = reasons()
    with without_core():
        assert reasons() == compiled


def test_every_clause_has_the_number_of_its_phrase() -> None:
    for keep in (False, True):
        table = decisions(keep)
        starts, wordings = table.arrays[0], table.arrays[1]
        for decision, columns in _GROUPS:
            for column in columns:
                clauses = [clause for clause in (decision.dropped, decision.kept)[keep] if clause.asked in (-1, column)]
                numbers = wordings[starts[column] : starts[column + 1]]
                assert len(numbers) == len(clauses)
                for number, clause in zip(numbers, clauses, strict=True):
                    if isinstance(clause.wording, str):
                        assert clause.wording == (table.texts[int(number)] if number >= 0 else "")


@needs_core
@pytest.mark.parametrize(
    ("part", "changed"),
    [
        (0, array("i", [0])),  # lists of too few columns
        (0, array("i", [0] * WIDTH + [10**6])),  # beyond the clauses
        (1, array("i", [0])),  # too few wordings
        (2, array("i", [0, 10**6])),
        (3, array("i", [WIDTH])),
        (4, array("d", [0.0])),
        (5, array("i", [WIDTH] * len(_GROUPS))),  # the list of a column that is not there
        (6, array("i", [1])),
    ],
)
def test_malformed_decisions_are_refused(part: int, changed: Any) -> None:
    arrays = [*decisions(True).arrays]
    arrays[part] = changed
    row, mean = memoryview(array("f", [0.0] * WIDTH)), array("d", [0.0] * WIDTH)
    with pytest.raises(ValueError, match="different widths"):
        _COLUMN_GROUPS.phrases_of_rows(row, mean, (row, array("i", [0])), tuple(arrays), keep=True)


@needs_core
@pytest.mark.parametrize("picked", [[], [0, 0], [1], [-1]])
def test_rows_that_do_not_fit_are_refused(picked: list[int]) -> None:
    row, mean = memoryview(array("f", [0.0] * WIDTH)), array("d", [0.0] * WIDTH)
    with pytest.raises(ValueError, match="different widths"):
        _COLUMN_GROUPS.phrases_of_rows(row, mean, (row, array("i", picked)), decisions(True).arrays, keep=True)
