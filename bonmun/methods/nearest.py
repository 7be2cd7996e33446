"""The nearest ancestor of a kind, for many rows of a page."""

from collections.abc import Callable

from bonmun.model.nodes import Nodes


class Nearest:
    """Searches upwards from each row, and remembers the way: linear in the rows of the page, at any depth.

    >>> from bonmun.model.tags import tag_set
    >>> from bonmun.read.parse import parse
    >>> nodes = parse("<ul><li><b>tea</b></ul>")
    >>> nodes.name(Nearest(nodes, tag_set("ul").__contains__).above(len(nodes) - 1))
    'ul'
    """

    def __init__(self, nodes: Nodes, is_wanted: Callable[[int], bool]) -> None:
        self._parent, self._tag, self._is_wanted = nodes.parent, nodes.tag, is_wanted
        self._known: dict[int, int] = {}

    def above(self, row: int) -> int:
        """The row of the nearest ancestor with a wanted tag; -1 if there is none."""
        return self.around(self._parent[row])

    def around(self, row: int) -> int:
        """The nearest element with a wanted tag, from an element upwards; -1 if there is none."""
        known, passed = self._known, list[int]()
        while row >= 0 and not self._is_wanted(self._tag[row]):
            if row in known:
                row = known[row]
                break
            passed.append(row)
            row = self._parent[row]
        for one in passed:
            known[one] = row
        return row
