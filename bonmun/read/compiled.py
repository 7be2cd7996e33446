"""The compiled reader: `bonmun._core` writes the columns itself, in linear time at any depth."""

from typing import Final

from bonmun.core import Core
from bonmun.errors import LimitExceeded
from bonmun.limits import Limits
from bonmun.model.nodes import Nodes
from bonmun.model.tags import FLAGS_OF_TAG, TAGS

_FLAGS: Final = bytes(FLAGS_OF_TAG.get(tag, 0) for tag in range(len(TAGS)))
_MOST: Final = 2**31 - 1


def read_compiled(core: Core, html: bytes, limits: Limits) -> Nodes:
    """Read HTML, as UTF-8, into columns; what goes beyond `limits.depth` and `limits.attributes` is cut."""
    answer = core.read(
        html, _FLAGS, min(limits.nodes, _MOST), min(limits.depth, _MOST), min(limits.attributes, _MOST), limits.seconds
    )
    if isinstance(answer, str):
        allowed = getattr(limits, answer)
        raise LimitExceeded(answer, allowed + 1, allowed)
    by_row, row_stride, rows, by_attribute, attribute_stride, attributes, *rest = answer
    spill, further_tags, attr_names, deep, surplus = rest
    cells = by_row.cast("i")
    parent, tag, depth, end, start, stop, chars, flags, source_start, source_stop = [
        cells[first : first + rows] for first in range(1, 10 * row_stride, row_stride)
    ]
    first = 10 * row_stride + 1
    attr_first = cells[first : first + rows + 1]
    cells = by_attribute.cast("i")
    attr_name, attr_start, attr_stop = [
        cells[first : first + attributes] for first in range(0, 3 * attribute_stride, attribute_stride)
    ]
    # A frozen dataclass sets its fields one by one: of a page's time, a hundredth.
    nodes = Nodes.__new__(Nodes)
    vars(nodes).update(
        parent=parent,
        tag=tag,
        depth=depth,
        end=end,
        start=start,
        stop=stop,
        chars=chars,
        flags=flags,
        attr_first=attr_first,
        attr_name=attr_name,
        attr_start=attr_start,
        attr_stop=attr_stop,
        buffer=html,
        tag_names=TAGS + further_tags,
        attr_names=attr_names,
        spill=spill,
        source_start=source_start,
        source_stop=source_stop,
        warnings=tuple(_warnings(limits, deep, surplus)) if deep or surplus else (),
    )
    return nodes


def _warnings(limits: Limits, deep: int, surplus: int) -> list[str]:
    found = []
    if deep:
        found.append(f"{deep:,} elements deeper than {limits.depth:,} were left out; their text is kept")
    if surplus:
        found.append(f"{surplus:,} attributes beyond {limits.attributes:,} on a tag were left out")
    return found
