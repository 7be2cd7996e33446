"""The compiled reader: `bonmun._core` fills the columns in linear time at any depth."""

from collections.abc import Sequence
from typing import Final

from bonmun.core import Core
from bonmun.errors import LimitExceeded
from bonmun.limits import Limits
from bonmun.model.attributes import BYTES_OF, INDEX, KNOWN
from bonmun.model.lazy import lazy
from bonmun.model.nodes import Nodes
from bonmun.model.tags import FLAGS_OF_TAG, TAGS

_FLAGS: Final = bytes(FLAGS_OF_TAG.get(tag, 0) for tag in range(len(TAGS)))

# The columns as they follow one another in memory.
BY_ROW: Final = (*"parent tag depth end start stop chars flags source_start source_stop attr_first".split(),)
BY_ATTRIBUTE: Final = ("attr_name", "attr_start", "attr_stop")
_COLUMNS: Final = BY_ROW + BY_ATTRIBUTE


def read_compiled(core: Core, html: bytes, limits: Limits) -> Nodes:
    """Read HTML, as UTF-8, into columns; elements and attributes beyond `limits` are cut, with a warning."""
    answer = core.read(html, _FLAGS, limits.nodes, limits.depth, limits.attributes, limits.seconds)
    if isinstance(answer, str):
        allowed = getattr(limits, answer)
        raise LimitExceeded(answer, allowed + 1, allowed)
    columns, spill, further_tags, attr_names, (seen, numbers, formulas, roles), deep, surplus = answer
    nodes = ReadNodes.__new__(ReadNodes)
    fields = vars(nodes)
    fields.update(zip(_COLUMNS, columns, strict=True))
    fields.update(buffer=html, spill=spill, _further_tags=further_tags, _attr_names=attr_names, tags_seen=seen)
    fields.update(_numbers=numbers, formula_rows=_rows(formulas), role_rows=_rows(roles))
    if deep or surplus:
        fields["warnings"] = tuple(_warnings(limits, deep, surplus))
    return nodes


class ReadNodes(Nodes):
    """Nodes of the compiled reader, with facts that it has found on its way; names become strings on first access.

    A copy by `replace` has no facts: they may not be true of it.
    """

    tags_seen: bytes | None = None
    """For each low byte of a tag's number 1 if a row may have such a tag."""
    _numbers: bytes | None = None
    """Those of the attributes of `model.attributes.KNOWN`."""
    formula_rows: Sequence[int] | None = None
    """The rows that may be formulas."""
    _further_tags: bytes
    _attr_names: bytes

    def may_have(self, number: int) -> bool:
        """Whether a row may have the tag of this number."""
        return self.tags_seen is None or self.tags_seen[number & 255] > 0

    def attr_number(self, name: str) -> int:
        """The number of an attribute's name on this page; -1 if no element has it."""
        index = INDEX.get(name)
        return super().attr_number(name) if index is None else self._known_numbers[index]

    def attr_numbers(self, names: tuple[str, ...]) -> bytes:
        """Those of a list of `model.attributes`, in 32-bit integers."""
        return super().attr_numbers(names) if self._numbers is None else self._numbers[BYTES_OF[names]]

    @lazy
    def _known_numbers(self) -> memoryview:
        return memoryview(self._numbers or super().attr_numbers(KNOWN)).cast("i")

    def __getattr__(self, name: str) -> tuple[str, ...]:
        if name == "tag_names":
            names = TAGS + _names(self._further_tags)
        elif name == "attr_names":
            names = _names(self._attr_names)
        else:
            raise AttributeError(f"'{Nodes.__name__}' object has no attribute '{name}'")
        vars(self)[name] = names
        return names


def _rows(packed: bytes) -> Sequence[int]:
    return memoryview(packed).cast("i") if packed else ()


def _names(joined: bytes) -> tuple[str, ...]:
    return tuple(joined.decode("utf-8", "replace").split(" ")) if joined else ()


def _warnings(limits: Limits, deep: int, surplus: int) -> list[str]:
    warnings = []
    if deep:
        warnings.append(f"{deep:,} elements deeper than {limits.depth:,} were left out; their text is kept")
    if surplus:
        warnings.append(f"{surplus:,} attributes beyond {limits.attributes:,} on a tag were left out")
    return warnings
