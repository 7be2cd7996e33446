"""XPaths of rows: each derived from its parent's, in bounded caches."""

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from bonmun.core import core
from bonmun.model.lazy import lazy
from bonmun.model.tags import TAG_ID, TAGS, TEXT

if TYPE_CHECKING:
    from bonmun.model.nodes import Nodes

_FOREIGN = frozenset({TAG_ID["svg"], TAG_ID["math"]})
DEEPEST_PATH: Final = 96
"""The deepest node whose path names all elements above it: real pages stay below 60, hostile ones nest 512 around each
text, and paths of that length are larger than the page."""
_ANCHOR: Final = 32
_MOST_PATHS: Final = 2048
"""Paths in a cache."""
_ELEMENTS: Final = -1
TEXT_NODE, NAMED, FOREIGN = 1, 2, 4
"""What a tag is in a path: the text node, an element whose name is one in a path, the root of a foreign tree."""
_ONCE: Final = ("html", "head", "body")
"""Elements without an index."""


def _is_named(name: str) -> int:
    """`NAMED` if a tag's name is one in a path."""
    return NAMED * (name.isalnum() and name.isascii())


def _kinds_of_tags() -> bytes:
    kinds = [*map(_is_named, TAGS)]
    kinds[TEXT] = TEXT_NODE
    for tag in _FOREIGN:
        kinds[tag] |= FOREIGN
    return bytes(kinds)


_KINDS: Final = _kinds_of_tags()
_STEPS: Final = "".join(
    f"{'text()' if tag == TEXT else f'/{name}' if name in _ONCE else name}\0" for tag, name in enumerate(TAGS)
).encode()


class XPaths:
    """The paths of a page's rows; `Nodes.xpath` documents their form."""

    def __init__(self, nodes: "Nodes") -> None:
        # Not the nodes themselves: a cycle would keep their memory until the garbage is collected.
        self._parent, self._depth, self._tag, self._end = nodes.parent, nodes.depth, nodes.tag, nodes.end
        self._tag_names = nodes.tag_names
        self._known_paths: dict[int, str] = {}
        self._known_anchors: dict[int, str] = {}

    def of(self, row: int) -> str:
        """The path of a row."""
        above = self._parent[row]
        if self._depth[row] > DEEPEST_PATH:
            return f"{self._anchor_above(above)}/descendant::{self._step(row, self._place_below_anchor[row])}"
        path, place, name = self._known_paths.get(above), self.place[row], self._step_names[self._tag[row]]
        if path is None:
            path = self._path_of(above)
        return f"{path}/{name}[{place}]" if place > 0 and name else f"{path}/{self._step(row, place)}"

    def _step(self, row: int, place: int) -> str:
        if place < 0:  # name tests miss foreign elements, and some names are not valid in one
            return f"*[{-place}]"
        name = self._step_names[self._tag[row]]
        return f"{name}[{place}]" if name else self._tag_names[self._tag[row]]

    @lazy
    def _step_names(self) -> Sequence[str]:
        """The name of each tag in a path; empty for elements without an index."""
        names = ["" if name in _ONCE else name for name in self._tag_names]
        names[TEXT] = "text()"
        return names

    @lazy
    def step_names(self) -> bytes:
        """The same for the core: each ends with a NUL, and has a slash in front if it has no index."""
        return _STEPS + "".join([f"{name}\0" for name in self._tag_names[len(TAGS) :]]).encode()

    def _path_of(self, row: int) -> str:
        """The path of an element, derived from its parent's; empty above the root."""
        known, parents, climbed = self._known_paths, self._parent, []
        while (path := known.get(row)) is None and row >= 0:
            climbed.append(row)
            row = parents[row]
        if len(known) + len(climbed) > _MOST_PATHS:
            known.clear()
        path = path or ""
        for row in reversed(climbed):
            path = known[row] = f"{path}/{self._step(row, self.place[row])}"
        return path

    def _anchor_above(self, row: int) -> str:
        """The path of the ancestor at the depth `_ANCHOR`, remembered for all elements on the way."""
        known, parents, climbed = self._known_anchors, self._parent, []
        while (path := known.get(row)) is None and self._depth[row] > _ANCHOR:
            climbed.append(row)
            row = parents[row]
        if len(known) + len(climbed) > _MOST_PATHS:
            known.clear()
        if path is None:
            path = self._path_of(row)
        known.update(dict.fromkeys(climbed, path))
        return path

    @lazy
    def place(self) -> "memoryview[int]":
        """Index among siblings of the same tag, from 1; negative index among all elements where only `*` matches."""
        return self._places(DEEPEST_PATH, by_anchor=False)

    @lazy
    def _place_below_anchor(self) -> "memoryview[int]":
        """The same among all descendants of the ancestor at the depth `_ANCHOR`."""
        return self._places(len(self._parent), by_anchor=True)

    def _places(self, deepest: int, by_anchor: bool) -> "memoryview[int]":
        """The index of each row down to the depth `deepest`, 0 for deeper ones."""
        compiled = core()
        if compiled is None:
            return memoryview(array("i", self.places_by_reference(deepest, by_anchor)))
        columns = self._parent, self._depth, self._tag, self._end
        return memoryview(compiled.places(*columns, self.kinds, deepest, _ANCHOR if by_anchor else -1)).cast("i")

    @lazy
    def kinds(self) -> bytes:
        """What each tag is."""
        return _KINDS + bytes(map(_is_named, self._tag_names[len(TAGS) :]))

    def places_by_reference(self, deepest: int, by_anchor: bool) -> Iterator[int]:
        """The same in Python."""
        kinds = self.kinds
        counts: list[dict[int, int]] = [{} for _ in range(max(self._depth, default=0) + 2)]
        """By depth: the children of the open parent by tag, all its elements under `_ELEMENTS`."""
        foreign = [False] * len(counts)
        for row, (depth, tag, end) in enumerate(zip(self._depth, self._tag, self._end, strict=True)):
            if depth > deepest:
                yield 0
                continue
            same = counts[_ANCHOR + 1 if by_anchor and depth > _ANCHOR else depth]
            is_foreign = foreign[depth] or tag in _FOREIGN
            if tag == TEXT:
                count = same[TEXT] = same.get(TEXT, 0) + 1
            else:
                elements = same[_ELEMENTS] = same.get(_ELEMENTS, 0) + 1
                if is_foreign or not kinds[tag] & NAMED:
                    count = -elements
                else:
                    count = same[tag] = same.get(tag, 0) + 1
                if end > row + 1:
                    foreign[depth + 1] = is_foreign
                    if not by_anchor or depth <= _ANCHOR:
                        counts[depth + 1] = {}
            yield count
