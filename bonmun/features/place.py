"""Features of a block's position: in the tree, on the page, beside its neighbours, under its heading."""

from collections import Counter
from collections.abc import Callable

from bonmun.features.columns import STEPS, WINDOWS
from bonmun.features.measured_page import MeasuredPage, log, share
from bonmun.model.tags import HEADINGS, TAG_ID, TEXT

_H1 = TAG_ID["h1"]
_MOST_TAG = 200.0
_FAR = 99.0
_BEFORE_TITLE, _AFTER_TITLE = -50.0, 200.0  # bounds of a distance from the title, in blocks
_NO_TITLE = -2.0  # `text_after_h1` of a page without one


def kinds(m: MeasuredPage) -> dict[str, list[float]]:
    """The kind, tags and siblings of each block."""
    nodes, blocks = m.nodes, m.blocks
    parent = [m.above(element) for element in blocks.element]
    third = [m.above(row) for row in parent]
    fourth = [m.above(row) for row in third]
    same, children = Counter[tuple[int, int]](), Counter[int]()
    for above, tag in zip(nodes.parent, nodes.tag, strict=True):
        if tag != TEXT:
            same[above, tag] += 1
            children[above] += 1

    def tags(rows: list[int]) -> list[float]:
        return [min(nodes.tag[row], _MOST_TAG) for row in rows]

    def alike(rows: list[int]) -> list[float]:
        return [log(same[nodes.parent[row], nodes.tag[row]]) for row in rows]

    elements = list(blocks.element)
    return {
        "kind": [float(kind) for kind in blocks.kind_code],
        "level": [float(level) for level in blocks.level],
        "flags": [float(flags) for flags in blocks.flags],
        "link_share": m.link_share,
        "rows": [log(stop - first) for first, stop in zip(blocks.first, blocks.stop, strict=True)],
        "tag": tags(elements),
        "inner_tag": tags([m.above(first) for first in blocks.first]),
        "parent_tag": tags(parent),
        "third_tag": tags(third),
        "fourth_tag": tags(fourth),
        "depth": [float(nodes.depth[row]) for row in elements],
        "siblings": [log(children[nodes.parent[row]]) for row in elements],
        "siblings_same": alike(elements),
        "parent_siblings_same": alike(parent),
        "third_siblings_same": alike(third),
    }


def places(m: MeasuredPage) -> dict[str, list[float]]:
    """The position of each block on the page, and windows of blocks around it."""
    n = m.count
    titles = [at for at in range(n) if m.tag[at] == _H1 and m.size[at]]
    longs = [at for at in range(n) if m.long[at]]
    first = longs[0] if longs else 0

    def after(start: int) -> list[float]:
        return [max(_BEFORE_TITLE, min(_AFTER_TITLE, at - start)) for at in range(n)]

    found = {
        "place": [share(at, n) for at in range(n)],
        "index": [log(at) for at in range(n)],
        "from_end": [log(n - at) for at in range(n)],
        "text_before": [share(m.sum_size(0, at), m.total) for at in range(n)],
        "long_before": [share(m.sum_long(0, at), m.total_long) for at in range(n)],
        "after_h1": after(titles[0]) if titles else [-_FAR] * n,
        "after_last_h1": after(titles[-1]) if titles else [-_FAR] * n,
        "text_after_h1": [
            share(m.sum_size(0, at) - m.sum_size(0, titles[0]), m.total) if titles else _NO_TITLE for at in range(n)
        ],
        "after_first_long": [max(-_FAR, min(_FAR, at - first)) for at in range(n)],
        "since_long": _since(n, lambda at: bool(m.long[at])),
        "until_long": _since(n, lambda at: bool(m.long[n - 1 - at]))[::-1],
    }
    for width in WINDOWS:
        runs = [(max(0, at - width), min(n, at + width + 1)) for at in range(n)]
        found[f"window{width}_size"] = [log(share(m.sum_size(*run), run[1] - run[0])) for run in runs]
        found[f"window{width}_link"] = [share(m.sum_link(*run), m.sum_size(*run)) for run in runs]
        found[f"window{width}_long"] = [share(m.sum_long(*run), m.sum_size(*run)) for run in runs]
    return found


def _since(count: int, wanted: Callable[[int], bool]) -> list[float]:
    """The distance from each block back to the last wanted one."""
    gaps, last = [], -1000
    for at in range(count):
        gaps.append(min(_FAR, at - last))
        if wanted(at):
            last = at
    return gaps


def neighbours(m: MeasuredPage) -> dict[str, list[float]]:
    """Size, links and kind of the two blocks before and after each."""
    found = {}
    for step in STEPS:
        beside = [at + step if 0 <= at + step < m.count else -1 for at in range(m.count)]
        found[f"size{step:+}"] = [log(m.size[at]) if at >= 0 else -1.0 for at in beside]
        found[f"link{step:+}"] = [m.link_share[at] if at >= 0 else -1.0 for at in beside]
        found[f"kind{step:+}"] = [float(m.blocks.kind_code[at]) if at >= 0 else -1.0 for at in beside]
    return found


def sections(m: MeasuredPage) -> tuple[dict[str, list[float]], list[int]]:
    """Features of the section of each block, and the index of its heading; the page's start counts as a heading."""
    n = m.count
    heading = [tag in HEADINGS for tag in m.tag]
    starts, stops, start, stop = [], [n] * n, 0, n
    for at in range(n):
        start = at if heading[at] else start
        starts.append(start)
    for at in reversed(range(n)):
        stops[at] = stop
        stop = at if heading[at] else stop
    runs = list(zip(starts, stops, strict=True))
    found = {
        "since_heading": [min(_FAR, at - start) for at, start in enumerate(starts)],
        "heading_level": [float(m.tag[start] - _H1 + 1) if heading[start] else 0.0 for start in starts],
        "heading_size": [log(m.size[start]) if heading[start] else -1.0 for start in starts],
        "heading_link": [m.link_share[start] if heading[start] else -1.0 for start in starts],
        "section_size": [log(m.sum_size(*run)) for run in runs],
        "section_link": [share(m.sum_link(*run), m.sum_size(*run)) for run in runs],
        "section_long": [share(m.sum_long(*run), m.sum_size(*run)) for run in runs],
    }
    return found, starts
