from array import array

import pytest

from bonmun.methods.learned.cascade import Cascade, Exit
from bonmun.methods.learned.forest import Forest


def three_trees() -> Forest:
    """Two questions in the first tree: below 1, below 2 or more is -4, 0 or 4; the others say 1 and, from 1 on, 10."""
    return Forest(
        memoryview(array("i", [0, 0, 0, 0])),
        memoryview(array("f", [1, 2, 0, 1])),
        memoryview(array("i", [~0, ~1, ~3, ~4])),
        memoryview(array("i", [1, ~2, ~3, ~5])),
        memoryview(array("f", [-4, 0, 4, 1, 0, 10])),
        memoryview(array("i", [0, 2, 3, 4])),
    )


def rows(*numbers: float) -> bytes:
    return array("f", numbers).tobytes()


def test_rows_that_the_first_trees_settle_are_not_asked_on() -> None:
    cascade = Cascade.of(three_trees(), Exit(trees=1, below=-3.0, above=3.0, weight=2.0))
    assert list(cascade.sums(rows(0, 1.5, 9, 1.5), 1)) == [-8, 11, 8, 11]


@pytest.mark.parametrize("trees", [1, 2, 3])
def test_where_nobody_is_settled_the_sums_are_those_of_all_trees(trees: int) -> None:
    cascade = Cascade.of(three_trees(), Exit(trees, float("-inf"), float("inf"), 2.0))
    assert list(cascade.sums(rows(0, 1.5, 9), 1)) == three_trees().sums(rows(0, 1.5, 9), 1).tolist() == [-3, 11, 15]
