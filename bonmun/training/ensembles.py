"""LightGBM's trees as the plain arrays of a model file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bonmun.methods.tensor_file import Array

if TYPE_CHECKING:
    from lightgbm import Booster

Threshold = Callable[[int, float], np.float32]
"""From a feature and LightGBM's threshold to the smallest 32-bit number that goes right."""
_CATEGORICAL, _MISSING = 1, 12  # bits of `decision_type`


@dataclass(frozen=True)
class Ensemble:
    """Trees one behind the other, as `bonmun.methods.learned.model_file` describes them."""

    feature: NDArray[np.int32]
    threshold: NDArray[np.float32]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    leaf: NDArray[np.float32]
    start: NDArray[np.int32]

    def sums(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the sum over all trees for each row."""
        total = np.zeros(len(rows))
        every = np.arange(len(rows))
        for root in self.start[:-1]:
            position = np.full(len(rows), root)
            inside = every
            while len(inside):
                node = position[inside]
                goes_left = rows[inside, self.feature[node]] < self.threshold[node]
                position[inside] = np.where(goes_left, self.left[node], self.right[node])
                inside = inside[position[inside] >= 0]
            total += self.leaf[~position]
        return total

    def at(self, column: int, value: float) -> "Ensemble":
        """Return the trees for rows with one value in a column; no node asks for that column any more."""
        asks = self.feature == column
        side = np.where(value < self.threshold, self.left, self.right)
        # A node that asks has its answer for both children.
        left = np.where(asks, side, self.left).tolist()
        right = np.where(asks, side, self.right).tolist()

        def passed(child: int) -> int:
            while child >= 0 and asks[child]:
                child = left[child]
            return child

        nodes: list[int] = []
        leaves: list[int] = []
        number: dict[int, int] = {}
        start = [0]
        for root in self.start[:-1].tolist():
            reached = [passed(root)]
            for child in reached:
                if child < 0:
                    number[child] = ~len(leaves)
                    leaves.append(~child)
                else:
                    number[child] = len(nodes)
                    nodes.append(child)
                    reached += passed(left[child]), passed(right[child])
            if reached[0] < 0:  # A tree of one leaf has a node, too.
                nodes.append(root)
            start.append(len(nodes))
        to_left, to_right = (np.array([number[passed(to[node])] for node in nodes], np.int32) for to in (left, right))
        feature = np.where(asks, 0, self.feature).astype(np.int32)[nodes]
        starts = np.array(start, np.int32)
        return Ensemble(feature, self.threshold[nodes], to_left, to_right, self.leaf[leaves], starts)

    def arrays(self, prefix: str) -> dict[str, Array]:
        """Return the arrays under their names in a model file."""
        parts: dict[str, NDArray[np.int32] | NDArray[np.float32]] = {
            "feature": self.feature,
            "threshold": self.threshold,
            "left": self.left,
            "right": self.right,
            "leaf": self.leaf,
            "start": self.start,
        }
        return {f"{prefix}.{name}": plain(part) for name, part in parts.items()}


def constant(value: float) -> Ensemble:
    """Return a single tree with the same value for every row.

    >>> constant(0.5).sums(np.zeros((2, 3), np.float32)).tolist()
    [0.5, 0.5]
    """
    node, leaf = np.zeros(1, np.int32), np.full(1, value, np.float32)
    return Ensemble(node, np.zeros(1, np.float32), ~node, ~node, leaf, np.array([0, 1], np.int32))


def plain(numbers: NDArray[np.int32] | NDArray[np.float32]) -> Array:
    """Return an array in the form of a model file: type, shape, bytes.

    >>> plain(np.array([1, 2], np.int32))
    ('I32', (2,), b'\\x01\\x00\\x00\\x00\\x02\\x00\\x00\\x00')
    """
    whole = numbers.dtype.kind == "i"
    return "I32" if whole else "F32", numbers.shape, numbers.astype("<i4" if whole else "<f4").tobytes()


def least_right(_: int, threshold: float) -> np.float32:
    """Return the smallest 32-bit number above a threshold, so that `x < it` is LightGBM's `x <= threshold`.

    >>> bool(least_right(0, 0.5) > 0.5), bool(least_right(0, 0.1) <= np.float32(0.1))
    (True, True)
    """
    with np.errstate(over="ignore"):
        near = np.float32(threshold)
    return near if float(near) > threshold else np.nextafter(near, np.float32(np.inf))


def ensembles(booster: "Booster | str", threshold: Threshold = least_right) -> list[Ensemble]:
    """Return the trees of a model, one ensemble per class; the initial score is part of the first trees."""
    text = booster if isinstance(booster, str) else booster.model_to_string()
    head, *trees = text.partition("\nend of trees")[0].split("\nTree=")
    classes = int(_fields(head)["num_tree_per_iteration"])
    parsed = [_fields(tree) for tree in trees]
    return [_joined(parsed[number::classes], threshold) for number in range(classes)]


def _joined(trees: list[dict[str, str]], threshold: Threshold) -> Ensemble:
    feature: list[int] = []
    limits: list[np.float32] = []
    children: tuple[list[int], list[int]] = ([], [])
    leaves: list[float] = []
    start = [0]
    for tree in trees:
        nodes, first_leaf = start[-1], len(leaves)
        leaves += map(float, tree["leaf_value"].split())
        if int(tree["num_leaves"]) == 1:
            feature.append(0)
            limits.append(np.float32(0))
            for side in children:
                side.append(~first_leaf)
        else:
            _check(tree)
            split = [int(number) for number in tree["split_feature"].split()]
            feature += split
            limits += [threshold(f, float(t)) for f, t in zip(split, tree["threshold"].split(), strict=True)]
            for side, name in zip(children, ("left_child", "right_child"), strict=True):
                side += [_moved(int(child), nodes, first_leaf) for child in tree[name].split()]
        start.append(len(feature))
    whole = [np.array(numbers, np.int32) for numbers in (feature, *children, start)]
    return Ensemble(whole[0], np.array(limits, np.float32), whole[1], whole[2], np.array(leaves, np.float32), whole[3])


def _moved(child: int, nodes: int, leaves: int) -> int:
    """Return a child's number among all trees; LightGBM numbers each tree from 0."""
    return child + nodes if child >= 0 else ~(~child + leaves)


def _check(tree: Mapping[str, str]) -> None:
    if any(int(kind) & (_CATEGORICAL | _MISSING) for kind in tree["decision_type"].split()):
        raise ValueError("model files do not support trees with categorical splits or missing values")


def _fields(text: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
