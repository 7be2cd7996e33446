"""Features of the elements around a block, and of the blocks that are marked up like it."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Final

from bonmun.features.measured_page import MeasuredPage, log, share
from bonmun.model.nodes import Column
from bonmun.model.tags import TEXT

_ABOUT: Final = "blocks share link long of_long mean density headings paragraphs punctuation images".split()
_SHARE, _OF_LONG = _ABOUT.index("share"), _ABOUT.index("of_long")
_CORE: Final = 0.6  # of the running text; an element with less is a part of the article
_HALF, _MOST = 0.5, 0.85  # thresholds of `to_half`, `to_half_long` and `to_most_long`


class Containers:
    """Figures of the elements of a page, computed once each."""

    def __init__(self, m: MeasuredPage) -> None:
        self._m = m
        self._known: dict[int, tuple[float, ...]] = {}

    def about(self, row: int) -> tuple[float, ...]:
        """The figures of `_ABOUT`, and the run of blocks inside."""
        if row not in self._known:
            self._known[row] = self._look(row)
        return self._known[row]

    def _look(self, row: int) -> tuple[float, ...]:
        m = self._m
        inside = m.page.blocks_in(row)
        run = start, stop = inside.start, inside.stop
        count, size, long = stop - start, m.sum_size(*run), m.sum_long(*run)
        elements = m.elements_before[m.nodes.end[row]] - m.elements_before[row]
        return (
            log(count),
            share(size, m.total),
            share(m.sum_link(*run), size),
            share(long, size),
            share(long, m.total_long),
            log(share(size, count)),
            log(share(size, elements)),
            share(m.sum_heading(*run), count),
            share(m.sum_paragraph(*run), count),
            share(m.sum_marks(*run), size),
            share(m.sum_image(*run), count),
            start,
            stop,
        )

    def climb(self, rows: Sequence[int] | Column, figure: int, enough: float) -> list[float]:
        """The steps from each row up to the first element with a figure that is large enough."""
        steps = {0: 0}
        for row in rows:
            way = []
            while row not in steps and self.about(row)[figure] < enough:
                way.append(row)
                row = self._m.above(row)
            count = steps.setdefault(row, 0)
            steps.update(zip(way, range(count + len(way), count, -1), strict=True))
        return [float(steps[row]) for row in rows]

    def core(self) -> int:
        """The smallest element that holds most of the running text."""
        nodes, row = self._m.nodes, 0
        while True:
            inside = (child for child in nodes.children(row) if nodes.tag[child] != TEXT)
            smaller = next((child for child in inside if self.about(child)[_OF_LONG] >= _CORE), -1)
            if smaller < 0:
                return row
            row = smaller


def containers(m: MeasuredPage) -> dict[str, list[float]]:
    """Figures of seven elements around each block, and its position in them."""
    known = Containers(m)
    around: dict[str, list[int]] = {}
    rows = list(m.blocks.element)
    for step in (1, 2, 3, 4):
        rows = [m.above(row) for row in rows]
        around[f"up{step}"] = rows
    del around["up1"]
    rows = around["region"] = [m.region[element] for element in m.blocks.element]
    for step in (1, 2, 3):
        rows = around[f"region{step}"] = [m.above(row) for row in rows]
    found: dict[str, list[float]] = {}
    for name, rows in around.items():
        looked = [known.about(row) for row in rows]
        for figure, about in enumerate(_ABOUT):
            found[f"{name}_{about}"] = [figures[figure] for figures in looked]
        found[f"{name}_place"] = [share(at - start, stop - start) for at, (*_, start, stop) in enumerate(looked)]
    core, elements = known.core(), m.blocks.element
    found["to_half"] = known.climb(elements, _SHARE, _HALF)
    found["to_half_long"] = known.climb(elements, _OF_LONG, _HALF)
    found["to_most_long"] = known.climb(elements, _OF_LONG, _MOST)
    found["in_core"] = [float(core <= first < m.nodes.end[core]) for first in m.blocks.first]
    found["core_share"] = [known.about(core)[_SHARE]] * m.count
    return found


def groups(m: MeasuredPage) -> dict[str, list[float]]:
    """Figures of the blocks with the same path, the same path and classes, and in regions with the same path."""
    nodes, elements = m.nodes, m.blocks.element
    path = nodes.path
    classes = [nodes.attr(row, "class") for row in elements]
    above = [nodes.attr(m.above(row), "class") for row in elements]
    paths = [path[row] for row in elements]
    return {
        **_figures(m, "path", paths),
        **_figures(m, "style", list(zip(paths, classes, above, strict=True))),
        **_figures(m, "column", [path[m.above(m.region[row])] for row in elements]),
    }


def _figures(m: MeasuredPage, name: str, keys: Sequence[Hashable]) -> dict[str, list[float]]:
    count, parents = Counter(keys), Counter[Hashable]()
    last: dict[Hashable, int] = {}
    for at, key in enumerate(keys):
        parent = m.nodes.parent[m.blocks.element[at]]
        parents[key] += last.get(key) != parent  # runs of one parent: nearly always as many as parents
        last[key] = parent

    def total(sums: Callable[[int, int], float]) -> dict[Hashable, float]:
        found = dict.fromkeys(keys, 0.0)
        for at, key in enumerate(keys):
            found[key] += sums(at, at + 1)
        return found

    size, link, long = total(m.sum_size), total(m.sum_link), total(m.sum_long)
    return {
        f"{name}_count": [log(count[key]) for key in keys],
        f"{name}_share": [share(size[key], m.total) for key in keys],
        f"{name}_mean": [log(share(size[key], count[key])) for key in keys],
        f"{name}_link": [share(link[key], size[key]) for key in keys],
        f"{name}_long": [share(long[key], size[key]) for key in keys],
        f"{name}_parents": [log(parents[key]) for key in keys],
    }
