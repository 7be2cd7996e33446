"""Nodes without the characters that XML forbids, raw or from references such as ``&#1;``."""

from array import array
from dataclasses import replace

from bonmun.model.nodes import Column, Nodes
from bonmun.model.tags import TAGS
from bonmun.model.valid_text import has_forbidden, valid_text


def with_valid_text(nodes: Nodes) -> Nodes:
    """Return the page with valid texts, attribute values and names; the page itself if it has no other.

    >>> from bonmun.read.parse import parse
    >>> with_valid_text(parse("<p>te&#1;a")).text(4)
    'tea'
    """
    if not (has_forbidden(nodes.buffer) or has_forbidden(nodes.spill) or _has_other_names(nodes)):
        return nodes
    start, stop, spill = _valid_ranges(nodes, nodes.start, nodes.stop, nodes.spill)
    attr_start, attr_stop, spill = _valid_ranges(nodes, nodes.attr_start, nodes.attr_stop, spill)
    valid = replace(
        nodes,
        start=start,
        stop=stop,
        attr_start=attr_start,
        attr_stop=attr_stop,
        spill=spill,
        tag_names=TAGS + tuple(map(_valid_name, nodes.tag_names[len(TAGS) :])),
        attr_names=tuple(map(_valid_name, nodes.attr_names)),
    )
    return replace(valid, chars=_chars(nodes, valid))


def _has_other_names(nodes: Nodes) -> bool:
    """Whether a name is invalid. The buffer of the compiled reader has all names, that of the other reader none."""
    return nodes.source_start is None and has_forbidden("".join((*nodes.tag_names, *nodes.attr_names)).encode())


def _valid_name(name: str) -> str:
    """Replace, never drop: a shorter name could be another's."""
    return "".join(char if valid_text(char) == char else "\ufffd" for char in name)


def _valid_ranges(nodes: Nodes, starts: Column, stops: Column, spill: bytes) -> tuple[Column, Column, bytes]:
    """Return the ranges of texts, and the spill with those that changed."""
    start, stop, further = array("i", starts), array("i", stops), bytearray(spill)
    buffer, end, old_spill = nodes.buffer, len(nodes.buffer), nodes.spill
    for index, (first, last) in enumerate(zip(starts, stops, strict=True)):
        utf8 = buffer[first:last] if first < end else old_spill[first - end : last - end]
        if utf8 and has_forbidden(utf8):
            start[index] = end + len(further)
            further += valid_text(utf8.decode("utf-8", "replace")).encode()
            stop[index] = end + len(further)
    return memoryview(start).toreadonly(), memoryview(stop).toreadonly(), bytes(further)


def _chars(nodes: Nodes, valid: Nodes) -> Column:
    """Return the column `chars`, counted again for texts that changed."""
    chars = array("i", nodes.chars)
    for row, (before, after) in enumerate(zip(nodes.start, valid.start, strict=True)):
        if before != after and chars[row]:
            chars[row] = len(" ".join(valid.text(row).split()))
    return memoryview(chars).toreadonly()
