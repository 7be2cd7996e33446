"""The compiled reader: `bonmun._core` fills the columns in linear time at any depth."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from bonmun.core import Core, ReadColumns, core
from bonmun.errors import LimitExceeded
from bonmun.limits import Limits
from bonmun.model.attributes import BYTES_OF, INDEX, KNOWN
from bonmun.model.lazy import lazy
from bonmun.model.nodes import COMPILED_COLUMNS, ROLES, Column, Nodes
from bonmun.model.tags import FLAGS_OF_TAG, TAGS

FLAGS: Final = bytes(FLAGS_OF_TAG.get(tag, 0) for tag in range(len(TAGS)))
"""The flags of each tag."""

STEPS: Final = {
    name: 1 << bit for bit, name in enumerate("VALID CODE QUOTATIONS BUTTONS FORMULAS PLACES ROLES".split())
}
"""The steps between parsing and segmentation, as bits: valid texts, lines of code, quotation marks, buttons in
sentences, formulas, late parts in their places, ARIA roles of tables."""

# The columns as they follow one another in memory.
BY_ROW: Final = (*"parent tag depth end start stop chars flags source_start source_stop attr_first".split(),)
BY_ATTRIBUTE: Final = ("attr_name", "attr_start", "attr_stop")
READ_COLUMNS: Final = (*COMPILED_COLUMNS, "source_start", "source_stop")
"""The columns as the core returns them."""
_PLACES: Final = {name: place for place, name in enumerate(READ_COLUMNS)}


def read_compiled(core: Core, html: bytes, limits: Limits) -> Nodes:
    """Read HTML, as UTF-8, into columns; elements and attributes beyond `limits` are cut, with a warning."""
    return nodes_of(core.read(html, FLAGS, limits.nodes, limits.depth, limits.attributes, limits.seconds), html, limits)


def nodes_of(answer: str | ReadColumns, html: bytes, limits: Limits) -> Nodes:
    """The answer of the core as nodes; `LimitExceeded` if it is the name of a limit."""
    if isinstance(answer, str):
        allowed = getattr(limits, answer)
        raise LimitExceeded(answer, allowed + 1, allowed)
    columns, spill, further_tags, attr_names, (seen, numbers, formulas, roles, steps), deep, surplus = answer
    nodes = ReadNodes.__new__(ReadNodes)
    fields = vars(nodes)
    fields.update(
        columns=columns,
        buffer=html,
        spill=spill,
        _further_tags=further_tags,
        _attr_names=attr_names,
        tags_seen=seen,
        _numbers=numbers,
        formula_rows=_rows(formulas),
        role_column=roles,
        steps=steps,
    )
    if deep or surplus:
        fields["warnings"] = tuple(_warnings(limits, deep, surplus))
    return nodes


class ReadNodes(Nodes):
    """Nodes of the compiled reader, with facts that it has found on its way.

    Columns become views, and names strings, on first access.

    A copy by `replace` has no facts: they may not be true of it.
    """

    tags_seen: bytes | None = None
    """For each low byte of a tag's number 1 if a row may have such a tag."""
    _numbers: bytes | None = None
    """Those of the attributes of `model.attributes.KNOWN`."""
    formula_rows: Sequence[int] | None = None
    """The rows that may be formulas."""
    steps: int = sum(STEPS.values())
    """The steps that may change the page."""
    _further_tags: bytes
    _attr_names: bytes

    def __len__(self) -> int:
        return len(self.columns[0])

    def may_have(self, number: int) -> bool:
        """Whether a row may have the tag of this number."""
        return self.tags_seen is None or self.tags_seen[number & 255] > 0

    def attr(self, row: int, name: str, most: int | None = None) -> str | None:
        """An attribute's value; empty for one without value, `None` for one that the element does not have.

        `most`: the bytes to read, for callers that ask for the same element again and again.
        """
        index, compiled = INDEX.get(name), core()
        wanted = self.attr_id.get(name, -1) if index is None else self._known_numbers[index]
        if wanted < 0 or compiled is None:
            return super().attr(row, name, most)
        return compiled.attribute(self.held, row, wanted, -1 if most is None else most)

    def attr_number(self, name: str) -> int:
        """The number of an attribute's name on this page; -1 if no element has it."""
        index = INDEX.get(name)
        return self.attr_id.get(name, -1) if index is None else self._known_numbers[index]

    def attr_numbers(self, names: tuple[str, ...]) -> bytes:
        """Those of a list of `model.attributes`, in 32-bit integers."""
        return super().attr_numbers(names) if self._numbers is None else self._numbers[BYTES_OF[names]]

    def replaced(self, **changes: Any) -> Nodes:
        """The page with other columns or texts; nothing that was found out about this one is taken over."""
        if len(self.columns) != len(READ_COLUMNS):  # a copy by `replace`
            return super().replaced(**changes)
        own, columns = vars(self), list(self.columns)
        fields: dict[str, Any] = {name: own[name] for name in _NOT_COLUMNS if name in own}
        for name, value in changes.items():
            if name in _PLACES:
                columns[_PLACES[name]] = value
            else:
                fields[name] = value
        other = ReadNodes.__new__(ReadNodes)
        vars(other).update(fields, columns=tuple(columns))
        return other

    @lazy
    def roles(self) -> dict[int, str]:
        """The ARIA roles that make headings, lists and tables of elements without a meaning of their own."""
        if "role_column" not in vars(self):
            return self.roles_by_reference()
        pairs = memoryview(self.role_column).cast("i").tolist()
        return dict(zip(pairs[::2], map(ROLES.__getitem__, pairs[1::2]), strict=True))

    @lazy
    def _known_numbers(self) -> memoryview:
        return memoryview(self._numbers or super().attr_numbers(KNOWN)).cast("i")


def _view(place: int) -> Callable[[ReadNodes], Column]:
    return lambda nodes: memoryview(nodes.columns[place])


for _name, _place in _PLACES.items():
    lazy.add(ReadNodes, _name, _view(_place))
lazy.add(ReadNodes, "tag_names", lambda nodes: TAGS + _names(nodes._further_tags))
lazy.add(ReadNodes, "attr_names", lambda nodes: _names(nodes._attr_names))

_NOT_COLUMNS: Final = ("buffer", "spill", "_further_tags", "_attr_names", "warnings", "formulas")
"""The fields of nodes that were read, beside the columns."""
_FACTS: Final = ("tags_seen", "_numbers", "formula_rows", "role_column", "steps")


def with_facts(changed: Nodes, original: Nodes) -> Nodes:
    """A copy of nodes with other texts or flags, with the facts of the original: all are about tags and attributes."""
    if isinstance(changed, ReadNodes) and isinstance(original, ReadNodes):
        vars(changed).update((name, getattr(original, name)) for name in _FACTS)
    return changed


def may_change(nodes: Nodes, step: int) -> bool:
    """Whether a step may change a page, as far as the reader has told."""
    return not isinstance(nodes, ReadNodes) or nodes.steps & step > 0


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
