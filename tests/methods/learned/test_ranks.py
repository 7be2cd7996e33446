"""The ranks of groups of columns: the compiled twin gives those of Python, number for number."""

from array import array
from collections.abc import Sequence
from itertools import islice
from struct import iter_unpack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.core import core
from bonmun.methods.learned.contributions import column_means
from bonmun.methods.learned.ranks import RANKS, ColumnGroups, Rank
from tests.without_core import without_core

WIDTH = 20
GROUPS = ColumnGroups([(0, 3, 7), (1,), (2, 4), *((column,) for column in range(8, WIDTH)), (5, 6)], whole={2, 3})
FLOATS = st.one_of(st.sampled_from([0.0, 1.0, -1.0, 0.5]), st.floats(-8, 8, width=32))
ROWS = st.lists(st.lists(FLOATS, min_size=WIDTH, max_size=WIDTH), min_size=1, max_size=5)
MEANS = st.lists(st.floats(-2, 2), min_size=WIDTH, max_size=WIDTH)


def ranks(rows: Sequence[Sequence[float]], mean: Sequence[float], keep: Sequence[bool]) -> list[list[Rank]]:
    """The ranks of all rows."""
    table = memoryview(array("f", [cell for row in rows for cell in row]))
    found = GROUPS.of_rows(table, array("d", mean), bytes(keep), b"\1" * len(rows))
    return [list(found.of(row)) for row in range(len(rows))]


@given(ROWS, MEANS, st.data())
def test_both_twins_give_the_same_ranks(rows: list[list[float]], mean: list[float], data: st.DataObject) -> None:
    keep = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    compiled = ranks(rows, mean, keep)
    with without_core():
        assert ranks(rows, mean, keep) == compiled


@given(ROWS)
def test_both_twins_give_the_same_means(rows: list[list[float]]) -> None:
    table = memoryview(array("f", [cell for row in rows for cell in row]))
    compiled = column_means(table, WIDTH)
    with without_core():
        assert column_means(table, WIDTH) == compiled


def test_only_wanted_rows_are_ranked_by_the_core() -> None:
    compiled = core()
    if compiled is None:
        pytest.skip("the compiled core is not there")
    table, mean = memoryview(array("f", [1, 2, 3] * 2)), array("d", [0.0] * 3)
    ranks = compiled.ranks(table, b"\1\1", b"\0\1", mean, array("i", [0, 1, 2]), array("i", [1, 3]), b"\0\1")
    first, second = ranks[: len(ranks) // 2], ranks[len(ranks) // 2 :]
    assert first == b"\xff" * 24 * RANKS
    assert list(islice(iter_unpack("d4i", second), 2)) == [(5.0, 1, -1, -1, -1), (1.0, 0, 0, -1, -1)]


def test_all_groups_are_ranked_by_their_weight_for_the_verdict() -> None:
    row = [float(column) for column in range(WIDTH)]
    for keep in (True, False):
        (found,) = ranks([row], [1.0] * WIDTH, [keep])
        weights = [rank[0] for rank in found]
        assert len(found) == 16 > RANKS
        assert weights == sorted(weights, reverse=True)
        assert {group: columns for _, group, *columns in found}[0] == ([7, 3, 0] if keep else [0, 3, 7])


def test_fewer_groups_than_ranks_are_given_once() -> None:
    found = ColumnGroups([(0,), (1, 2)]).of_rows(memoryview(array("f", [1, 2, 3])), array("d", [0.0] * 3), b"\1", b"\1")
    assert list(found.of(0)) == [(5.0, 1, 2, 1, -1), (1.0, 0, 0, -1, -1)]


@pytest.mark.parametrize(
    ("keep", "mean", "columns", "stops"),
    [
        (b"\1\1", [0.0] * 3, [0, 1], [1, 2]),  # more rows than the table has
        (b"\1", [0.0] * 2, [0, 1], [1, 2]),  # a narrower table
        (b"\1", [0.0] * 3, [0, 3], [1, 2]),  # a column that the table does not have
        (b"\1", [0.0] * 3, [0, -1], [1, 2]),
        (b"\1", [0.0] * 3, [0, 1], [2, 1]),  # groups out of order
        (b"\1", [0.0] * 3, [0, 1], [1, 3]),  # beyond the columns
        (b"\1", [0.0] * 3, [0, 1], []),
        (b"\1", [], [], [0]),
    ],
)
def test_malformed_tables_are_refused(keep: bytes, mean: list[float], columns: list[int], stops: list[int]) -> None:
    compiled = core()
    if compiled is None:
        pytest.skip("the compiled core is not there")
    table = memoryview(array("f", [1, 2, 3]))
    with pytest.raises(ValueError, match="different widths"):
        compiled.ranks(table, keep, keep, array("d", mean), array("i", columns), array("i", stops), bytes(len(stops)))
