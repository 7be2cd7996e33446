"""M3's second stage: from candidates to the region they share. Used by `logical` and `logical_robust`."""

from collections.abc import Iterable, Sequence
from itertools import combinations

from bonmun.model.nodes import Nodes
from bonmun.model.verdict import Reason

TOP = 10
"""The paper's "level": beyond it, more blocks were clutter than body on its nine sample pages."""
_LEVELS = 2  # how far up two clusters look for a common region


def longest_first(lengths: Sequence[int]) -> list[int]:
    """The length list: block numbers, the longest first. On a tie, here and below, the earlier block comes first.

    >>> longest_first([3, 9, 3])
    [1, 0, 2]
    """
    return sorted(range(len(lengths)), key=lambda number: -lengths[number])


def heaviest_first(weights: Sequence[int]) -> list[int]:
    """The weight list: numbers of the blocks with a weight above 0, the heaviest first."""
    return sorted((number for number, weight in enumerate(weights) if weight), key=lambda number: -weights[number])


def candidates(by_length: Sequence[int], by_weight: Sequence[int]) -> tuple[tuple[int, ...], tuple[Reason, ...]]:
    """The blocks in the top ten of both lists; the fallback is the best of one list, with a note.

    >>> candidates([4, 2, 0], [2, 4])[0]
    (2, 4)
    >>> print(*candidates([1, 0], [])[1])
    no-keywords: no noun occurs twice; the longest block was taken
    """
    both = sorted({*by_length[:TOP]} & {*by_weight[:TOP]})
    if both or not by_length:
        return tuple(both), ()
    if by_weight:
        return (by_weight[0],), (Reason("no-common-block", "no block is in both top tens; the heaviest was taken"),)
    return (by_length[0],), (Reason("no-keywords", "no noun occurs twice; the longest block was taken"),)


def shared_regions(nodes: Nodes, parents: Iterable[int]) -> list[int]:
    """Merge clusters: two with a common ancestor at most two levels up become that ancestor, until none have one."""
    regions = set(parents)
    while True:
        shared = (
            (nodes.depth[above], -above, one, two)
            for one, two in combinations(sorted(regions), 2)
            if (above := _common_ancestor(nodes, one, two)) >= 0
        )
        best = max(shared, default=None)
        if best is None:
            return sorted(regions)
        _, above, one, two = best
        regions -= {one, two}
        regions.add(-above)


def holds(nodes: Nodes, region: int, row: int) -> bool:
    """Whether a row lies inside an element, or is it."""
    return region <= row < nodes.end[region]


def _common_ancestor(nodes: Nodes, one: int, two: int) -> int:
    """The nearest common ancestor at most two levels above both; -1 if there is none."""
    near = set(_upwards(nodes, two))
    return next((row for row in _upwards(nodes, one) if row in near), -1)


def _upwards(nodes: Nodes, row: int) -> Iterable[int]:
    for _ in range(_LEVELS + 1):
        if row < 0:
            return
        yield row
        row = nodes.parent[row]
