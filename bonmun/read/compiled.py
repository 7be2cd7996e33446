"""The compiled reader: `bonmun._core` fills the columns in linear time at any depth."""

from typing import Final

from bonmun.core import Core, PageMemory
from bonmun.errors import LimitExceeded
from bonmun.limits import Limits
from bonmun.model.nodes import Column, Nodes
from bonmun.model.tags import FLAGS_OF_TAG, TAGS

_FLAGS: Final = bytes(FLAGS_OF_TAG.get(tag, 0) for tag in range(len(TAGS)))

# The columns as they follow one another in memory.
BY_ROW: Final = (*"parent tag depth end start stop chars flags source_start source_stop attr_first".split(),)
BY_ATTRIBUTE: Final = ("attr_name", "attr_start", "attr_stop")


def read_compiled(core: Core, html: bytes, limits: Limits) -> Nodes:
    """Read HTML, as UTF-8, into columns; elements and attributes beyond `limits` are cut, with a warning."""
    answer = core.read(html, _FLAGS, limits.nodes, limits.depth, limits.attributes, limits.seconds)
    if isinstance(answer, str):
        allowed = getattr(limits, answer)
        raise LimitExceeded(answer, allowed + 1, allowed)
    memory, spill, deep, surplus = answer
    nodes = _ReadNodes.__new__(_ReadNodes)
    fields = vars(nodes)
    fields["buffer"], fields["spill"], fields["_memory"] = html, spill, memory
    if deep or surplus:
        fields["warnings"] = tuple(_warnings(limits, deep, surplus))
    return nodes


class _ReadNodes(Nodes):
    """Nodes over the memory of the compiled reader; the view of a column is made on first access."""

    _memory: PageMemory

    def __getattr__(self, name: str) -> Column | tuple[str, ...]:
        if name not in _MADE:
            raise AttributeError(f"'{Nodes.__name__}' object has no attribute '{name}'")
        column = vars(self)[name] = _make(name, self._memory)
        return column


_MADE: Final = frozenset({*BY_ROW, *BY_ATTRIBUTE, "tag_names", "attr_names"})


def _make(name: str, memory: PageMemory) -> Column | tuple[str, ...]:
    by_row, row_stride, rows, by_attribute, attribute_stride, attributes, further_tags, attr_names = memory
    if name == "tag_names":
        return TAGS + _names(further_tags)
    if name == "attr_names":
        return _names(attr_names)
    if name in BY_ATTRIBUTE:
        first = BY_ATTRIBUTE.index(name) * attribute_stride
        return memoryview(by_attribute).cast("i")[first : first + attributes]
    first = BY_ROW.index(name) * row_stride + 1
    return memoryview(by_row).cast("i")[first : first + rows + (name == "attr_first")]


def _names(joined: bytes) -> tuple[str, ...]:
    return tuple(joined.decode("utf-8", "replace").split(" ")) if joined else ()


def _warnings(limits: Limits, deep: int, surplus: int) -> list[str]:
    warnings = []
    if deep:
        warnings.append(f"{deep:,} elements deeper than {limits.depth:,} were left out; their text is kept")
    if surplus:
        warnings.append(f"{surplus:,} attributes beyond {limits.attributes:,} on a tag were left out")
    return warnings
