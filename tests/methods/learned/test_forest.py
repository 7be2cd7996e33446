"""Trees give the same sums whichever twin walks them, and what is no tree is refused by both."""

import random
from array import array
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun.core import core
from bonmun.methods.learned.forest import Forest
from tests.without_core import without_core

WIDTH = 7

needs_core = pytest.mark.skipif(core() is None, reason="the compiled twin is not built")


def integers(*values: int) -> "memoryview[int]":
    return memoryview(array("i", values))


def floats(*values: float) -> "memoryview[float]":
    return memoryview(array("f", values))


def grown(dice: random.Random, leaves: list[int], width: int = WIDTH) -> Forest:
    """Trees of as many leaves as asked for, split at random."""
    feature, threshold, start, value = list[int](), list[float](), [0], list[float]()
    children: dict[int, list[int]] = {}
    for wanted in leaves:
        root, count = len(feature), max(wanted - 1, 1)
        free = [(root, side) for side in (0, 1)]
        for node in range(root, root + count):
            feature.append(dice.randrange(width))
            threshold.append(dice.choice([-1, -0.5, 0, 0.25, 1]))
            children[node] = [0, 0]
            if node > root:
                above, side = free.pop(dice.randrange(len(free)))
                children[above][side] = node
                free += [(node, 0), (node, 1)]
        for above, side in free:
            children[above][side] = ~len(value)
            value.append(dice.gauss(0, 1))
        if wanted == 1:
            children[root] = [~(len(value) - 1)] * 2
        start.append(len(feature))
    left, right = (integers(*(children[node][side] for node in range(len(feature)))) for side in (0, 1))
    return Forest(integers(*feature), floats(*threshold), left, right, floats(*value), integers(*start))


def table(dice: random.Random, rows: int) -> bytes:
    return array("f", [dice.choice([-1, -0.5, -0.0, 0, 0.25, 0.3, 2]) for _ in range(rows * WIDTH)]).tobytes()


@pytest.fixture(params=["compiled", "reference"])
def twin(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param == "compiled" and core() is None:
        pytest.skip("the compiled twin is not built")
    with without_core() if request.param == "reference" else nullcontext():
        yield request.param


@needs_core
@pytest.mark.parametrize("rows", [0, 1, 3, 4, 15, 16, 17, 20, 33, 127, 129, 300])
def test_the_twins_agree(rows: int) -> None:
    dice = random.Random(rows)
    trees = grown(dice, [1, 2, 3, 8, 31, 32, 33, 100, 5])  # a bit for each of 32 leaves: beyond, trees are walked
    cells = table(dice, rows)
    picked = array("i", [*range(rows), *range(0, rows, 3)])
    sums, said = trees.sums(cells, WIDTH).tolist(), trees.contributions(cells, WIDTH, picked).tolist()
    means = trees.mean_contributions(cells, WIDTH, picked) if rows else None
    with without_core():
        assert trees.sums(cells, WIDTH).tolist() == pytest.approx(sums, abs=1e-5)
        assert trees.contributions(cells, WIDTH, picked).tolist() == said  # the same additions in the same order
        assert not rows or trees.mean_contributions(cells, WIDTH, picked) == means


@needs_core
@pytest.mark.parametrize("width", [1, 3, 4, 7, 16, 17, 40])
def test_the_twins_give_the_same_bits_whatever_the_cells(width: int) -> None:
    dice = random.Random(width)
    trees = grown(dice, [1, 2, 5, 31, 32, 20, 64], width)
    odd = [float("nan"), float("inf"), float("-inf"), -0.0]
    for share in (0.0, 0.02, 1.0):
        cells = [dice.choice(odd) if dice.random() < share else dice.uniform(-1.5, 1.5) for _ in range(150 * width)]
        numbers = array("f", cells).tobytes()
        compiled = trees.sums(numbers, width).tolist()
        with without_core():
            assert trees.sums(numbers, width).tolist() == compiled


@needs_core
def test_a_column_that_is_the_same_in_all_rows_decides_for_all() -> None:
    dice = random.Random(8)
    trees = grown(dice, [31] * 20)
    for value in (-2.0, -1.0, -0.5, 0.0, 0.25, 3.0):
        cells = array("f", [value if column % 2 else dice.random() for _ in range(40) for column in range(WIDTH)])
        compiled = trees.sums(cells.tobytes(), WIDTH).tolist()
        with without_core():
            assert trees.sums(cells.tobytes(), WIDTH).tolist() == compiled


def test_contributions_make_up_the_sum(twin: str) -> None:
    dice = random.Random(3)
    trees, cells = grown(dice, [4, 9, 31]), table(dice, 10)
    said, sums = trees.contributions(cells, WIDTH, array("i", range(10))), trees.sums(cells, WIDTH)
    base = [sum(said[at * WIDTH : (at + 1) * WIDTH]) - sums[at] for at in range(10)]
    assert base == pytest.approx([base[0]] * 10, abs=1e-4)


def test_the_mean_of_contributions_is_that_of_the_picked_rows(twin: str) -> None:
    dice = random.Random(5)
    trees, cells, picked = grown(dice, [1, 2, 9, 31, 32, 40]), table(dice, 90), array("i", range(2, 90, 2))
    said = trees.contributions(cells, WIDTH, picked)
    means = [sum(said[column::WIDTH]) / len(picked) for column in range(WIDTH)]
    assert trees.mean_contributions(cells, WIDTH, picked).tolist() == pytest.approx(means, abs=1e-5)


@needs_core
@pytest.mark.parametrize("picked", [b"\0\0\0", array("i", [-1]), array("i", [3])])
def test_rows_that_the_table_does_not_have_are_refused(picked: Any) -> None:
    dice = random.Random(1)
    trees, cells, compiled = grown(dice, [3]), table(dice, 3), core()
    assert compiled
    for function in (compiled.contributions, compiled.means):
        with pytest.raises(ValueError, match="picked"):
            function(trees.compiled, cells, WIDTH, picked)


def test_only_what_is_below_the_threshold_goes_left(twin: str) -> None:
    stump = Forest(integers(0), floats(0.5), integers(~0), integers(~1), floats(1, 2), integers(0, 1))
    cells = array("f", [0.49, 0.5, 0.51]).tobytes()
    assert stump.sums(cells, 1).tolist() == [1, 2, 2]
    assert stump.sums(cells * 6, 1).tolist() == [1, 2, 2] * 6


def test_no_trees_add_up_to_nothing(twin: str) -> None:
    none = Forest(integers(), floats(), integers(), integers(), floats(), integers(0))
    assert none.sums(array("f", [1, 2]).tobytes(), 1).tolist() == [0, 0]


def test_a_node_with_two_parents_is_walked_all_the_same(twin: str) -> None:
    shared = Forest(integers(0, 1), floats(0, 0), integers(1, ~0), integers(1, ~1), floats(5, 6), integers(0, 2))
    assert shared.sums(array("f", [-1, -1, 1, 1] * 8).tobytes(), 2).tolist() == [5, 6] * 8


def test_a_tree_after_one_that_is_walked_has_nodes_of_its_own_only(twin: str) -> None:
    trees = Forest(
        integers(0, 1, 0),
        floats(0, 0, 9),
        integers(1, ~0, ~2),
        integers(1, ~1, ~3),
        floats(5, 6, 10, 20),
        integers(0, 2, 3),
    )
    assert trees.sums(array("f", [-1, -1, 1, 1, 9, 1]).tobytes(), 2).tolist() == [15, 16, 26]


SOUND = grown(random.Random(1), [3, 4])
BROKEN: dict[str, dict[str, Any]] = {
    "a cycle": {"left": integers(0, *SOUND.left[1:])},
    "a child in the tree before": {"left": integers(*SOUND.left[:-1], 1)},
    "a child beyond the tree": {"right": integers(2, *SOUND.right[1:])},
    "a child beyond all nodes": {"right": integers(*SOUND.right[:-1], 99)},
    "a leaf that is not there": {"right": integers(*SOUND.right[:-1], ~7)},
    "the smallest number as a leaf": {"right": integers(*SOUND.right[:-1], -(2**31))},
    "a column below 0": {"feature": integers(-1, *SOUND.feature[1:])},
    "a column too far": {"feature": integers(WIDTH, *SOUND.feature[1:])},
    "an array too short": {"threshold": SOUND.threshold[1:]},
    "trees that leave nodes out": {"start": integers(0, 2, 4)},
    "trees that start too late": {"start": integers(1, 2, 5)},
    "trees that run backwards": {"start": integers(0, 7, 5)},
    "a tree without nodes": {"start": integers(0, 2, 2, 5)},
    "no start": {"start": integers()},
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_tree_is_refused(name: str, twin: str) -> None:
    with pytest.raises(ValueError, match=r"tree|array|table|feature"):
        replace(SOUND, **BROKEN[name]).sums(table(random.Random(0), 4), WIDTH)


@pytest.mark.parametrize("width", [-1, 0, 1, WIDTH - 1, WIDTH + 1])
def test_a_table_of_another_width_is_refused(width: int, twin: str) -> None:
    with pytest.raises(ValueError, match="table"):
        SOUND.sums(table(random.Random(0), 4), width)


@st.composite
def arrays(draw: st.DrawFn) -> Forest:
    """Small arrays that are often trees and often not quite."""
    nodes = draw(st.integers(1, 5))
    child = st.integers(-4, nodes)
    start = sorted(draw(st.sets(st.integers(0, nodes + 1), max_size=3)) | {0, nodes})
    left, right = (draw(st.lists(child, min_size=nodes, max_size=nodes)) for _ in range(2))
    feature = draw(st.lists(st.integers(-1, WIDTH), min_size=nodes, max_size=nodes))
    return Forest(
        integers(*feature), floats(*[0.0] * nodes), integers(*left), integers(*right), floats(1, 2, 4), integers(*start)
    )


def outcome(trees: Forest, cells: bytes) -> list[float] | str:
    try:
        return trees.sums(cells, WIDTH).tolist()
    except ValueError:
        return "refused"


@needs_core
@settings(max_examples=300, deadline=None)
@given(arrays())
def test_the_twins_refuse_the_same_arrays(trees: Forest) -> None:
    cells = table(random.Random(0), 20)
    compiled = outcome(trees, cells)
    with without_core():
        assert outcome(trees, cells) == compiled
