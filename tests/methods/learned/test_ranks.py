"""The ranks of groups of columns: the compiled twin gives those of Python, number for number."""

from array import array
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.core import core
from bonmun.methods.learned.ranks import RANKS, ColumnGroups, Rank
from tests.without_core import without_core

WIDTH = 20
GROUPS = ColumnGroups([(0, 3, 7), (1,), (2, 4), *((column,) for column in range(8, WIDTH)), (5, 6)], whole={2, 3})
FLOATS = st.one_of(st.sampled_from([0.0, 1.0, -1.0, 0.5]), st.floats(-8, 8, width=32))
ROWS = st.lists(st.lists(FLOATS, min_size=WIDTH, max_size=WIDTH), min_size=1, max_size=5)
MEANS = st.lists(st.floats(-2, 2), min_size=WIDTH, max_size=WIDTH)


def ranks(rows: Sequence[Sequence[float]], mean: Sequence[float], keep: bool) -> list[list[Rank]]:
    """The ranks of all rows."""
    table = memoryview(array("f", [cell for row in rows for cell in row]))
    found = GROUPS.of_rows(table, array("d", mean), keep=keep)
    return [list(found.of(row)) for row in range(len(rows))]


@given(ROWS, MEANS, st.booleans())
def test_both_twins_give_the_same_ranks(rows: list[list[float]], mean: list[float], keep: bool) -> None:
    compiled = ranks(rows, mean, keep)
    with without_core():
        assert ranks(rows, mean, keep) == compiled


def test_all_groups_are_ranked_by_their_weight_for_the_verdict() -> None:
    row = [float(column) for column in range(WIDTH)]
    for keep in (True, False):
        (found,) = ranks([row], [1.0] * WIDTH, keep)
        weights = [rank[0] for rank in found]
        assert len(found) == 16 > RANKS
        assert weights == sorted(weights, reverse=True)
        assert {group: columns for _, group, *columns in found}[0] == ([7, 3, 0] if keep else [0, 3, 7])


def test_fewer_groups_than_ranks_are_given_once() -> None:
    found = ColumnGroups([(0,), (1, 2)]).of_rows(memoryview(array("f", [1, 2, 3])), array("d", [0.0] * 3), keep=True)
    assert list(found.of(0)) == [(5.0, 1, 2, 1, -1), (1.0, 0, 0, -1, -1)]


@pytest.mark.parametrize(
    ("mean", "columns", "stops"),
    [
        ([0.0] * 2, [0, 1], [1, 2]),  # a narrower table
        ([0.0] * 3, [0, 3], [1, 2]),  # a column that the table does not have
        ([0.0] * 3, [0, -1], [1, 2]),
        ([0.0] * 3, [0, 1], [2, 1]),  # groups out of order
        ([0.0] * 3, [0, 1], [1, 3]),  # beyond the columns
        ([0.0] * 3, [0, 1], []),
        ([], [], [0]),
    ],
)
def test_malformed_tables_are_refused(mean: list[float], columns: list[int], stops: list[int]) -> None:
    compiled = core()
    if compiled is None:
        pytest.skip("the compiled core is not there")
    table = memoryview(array("f", [1, 2, 3]))
    with pytest.raises(ValueError, match="different widths"):
        compiled.ranks(table, True, array("d", mean), array("i", columns), array("i", stops), bytes(len(stops)))
