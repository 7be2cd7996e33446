"""A page read by both readers, as rows, for the tests that compare them."""

from typing import NamedTuple

from bonmun.limits import Limits
from bonmun.model.nodes import Nodes
from bonmun.model.tags import TEXT
from bonmun.read.parse import parse
from bonmun.read.reference import read_by_reference

DEFAULT = Limits()


class Row(NamedTuple):
    parent: int
    name: str
    text: str
    attributes: tuple[tuple[str, str], ...]
    flags: int
    depth: int
    end: int
    chars: int


def compiled(html: str, limits: Limits = DEFAULT) -> Nodes:
    return parse(html, limits)


def reference(html: str, limits: Limits = DEFAULT) -> Nodes:
    return read_by_reference(html.encode(), limits)


def rows(nodes: Nodes) -> list[Row]:
    return [
        Row(
            nodes.parent[row],
            nodes.name(row),
            nodes.text(row) if nodes.tag[row] == TEXT else "",
            tuple(sorted(nodes.attrs(row).items())) if nodes.tag[row] != TEXT else (),
            nodes.flags[row],
            nodes.depth[row],
            nodes.end[row],
            nodes.chars[row],
        )
        for row in range(len(nodes))
    ]


def drawing(nodes: Nodes) -> str:
    """The tree as indented lines, for messages of failed comparisons.

    >>> print(drawing(compiled("<p id=a>one")))
    html
      head
      body
        p id='a'
          'one'
    """
    lines = []
    for row in rows(nodes):
        attributes = "".join(f" {name}={value!r}" for name, value in row.attributes)
        lines.append("  " * row.depth + (repr(row.text) if row.name == "#text" else row.name + attributes))
    return "\n".join(lines)
