from array import array

from bonmun.features.columns import COLUMNS
from bonmun.methods.learned.forest import Forest
from bonmun.methods.learned.reasons import Reasons
from bonmun.model.verdict import Reason

LINKS, SIZE = COLUMNS.index("link_share"), COLUMNS.index("size")
PLAIN, LINKED = 0, 1


def two_questions() -> Forest:
    """Whether a block is links moves its sum by 2, up or down; its size moves all blocks of the page alike."""
    return Forest(
        memoryview(array("i", [LINKS, SIZE])),
        memoryview(array("f", [0.5, 0.5])),
        memoryview(array("i", [~0, ~2])),
        memoryview(array("i", [~1, ~3])),
        memoryview(array("f", [2, -2, -9, 9])),
        memoryview(array("i", [0, 1, 2])),
    )


def reasons(*keep: int, overruled: dict[int, Reason] | None = None) -> Reasons:
    """Of a page with two large blocks: one without links, one that is nothing else."""
    rows = [[0.0] * len(COLUMNS) for _ in keep]
    rows[LINKED][LINKS] = 1.0
    for row in rows:
        row[SIZE] = 5.0
    matrix = array("f", [number for row in rows for number in row]).tobytes()
    return Reasons(two_questions(), matrix, keep, overruled or {})


def test_a_reason_is_what_sets_a_block_apart_from_the_others() -> None:
    found = reasons(1, 0)
    assert found[PLAIN] == (Reason("content-like", "0% of it is links"),)
    assert found[LINKED] == (Reason("boilerplate-like", "100% of it is links"),)


def test_what_speaks_against_the_verdict_is_no_reason_for_it() -> None:
    found = reasons(0, 1)
    assert list(found) == [(), ()]


def test_a_rule_that_overruled_the_trees_is_the_reason() -> None:
    rule = Reason("closing-notice", "copyright line")
    assert reasons(1, 0, overruled={LINKED: rule})[LINKED] == (rule,)
