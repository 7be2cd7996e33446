"""Nodes without the characters that XML forbids, raw or from references such as ``&#1;``."""

from collections.abc import Sequence
from dataclasses import replace

from bonmun.core import core
from bonmun.model.nodes import Column, Nodes, copied
from bonmun.model.tags import TAGS
from bonmun.model.valid_text import has_forbidden, valid_text


def with_valid_text(nodes: Nodes, checked: bytes | None = None) -> Nodes:
    """Return the page with valid texts, attribute values and names; the page itself if it has no other.

    `checked`: bytes that are known to have no forbidden characters.

    >>> from bonmun.read.parse import parse
    >>> with_valid_text(parse("<p>te&#1;a")).text(4)
    'tea'
    """
    buffer_is_valid = nodes.buffer is checked or not has_forbidden(nodes.buffer)
    if buffer_is_valid and not has_forbidden(nodes.spill) and not _has_other_names(nodes):
        return nodes
    spill, chars = bytearray(nodes.spill), copied(nodes.chars)
    start, stop = copied(nodes.start), copied(nodes.stop)
    for row in forbidden_ranges(nodes, nodes.start, nodes.stop):
        text = valid_text(nodes.text(row))
        start[row], stop[row] = _appended(nodes, spill, text)
        chars[row] = chars[row] and len(" ".join(text.split()))
    attr_start, attr_stop = copied(nodes.attr_start), copied(nodes.attr_stop)
    for index in forbidden_ranges(nodes, nodes.attr_start, nodes.attr_stop):
        value = valid_text(nodes.attr_bytes(index).decode("utf-8", "replace"))
        attr_start[index], attr_stop[index] = _appended(nodes, spill, value)
    return replace(
        nodes,
        start=memoryview(start).toreadonly(),
        stop=memoryview(stop).toreadonly(),
        chars=memoryview(chars).toreadonly(),
        attr_start=memoryview(attr_start).toreadonly(),
        attr_stop=memoryview(attr_stop).toreadonly(),
        spill=bytes(spill),
        tag_names=TAGS + tuple(map(_valid_name, nodes.tag_names[len(TAGS) :])),
        attr_names=tuple(map(_valid_name, nodes.attr_names)),
    )


def _has_other_names(nodes: Nodes) -> bool:
    """Whether a name is invalid. The buffer of the compiled reader has all names, that of the other reader none."""
    return nodes.source_start is None and has_forbidden("".join((*nodes.tag_names, *nodes.attr_names)).encode())


def _valid_name(name: str) -> str:
    """Replace, never drop: a shorter name could be another's."""
    if valid_text(name) == name:
        return name
    return "".join(char if valid_text(char) == char else "\ufffd" for char in name)


def _appended(nodes: Nodes, spill: bytearray, text: str) -> tuple[int, int]:
    """Where a text starts and stops that is put behind the spill."""
    start = len(nodes.buffer) + len(spill)
    spill += text.encode()
    return start, len(nodes.buffer) + len(spill)


def forbidden_ranges(nodes: Nodes, starts: Column, stops: Column) -> Sequence[int]:
    """The indexes of the ranges of text that have forbidden characters."""
    compiled = core()
    if compiled:
        return memoryview(compiled.forbidden_ranges(starts, stops, nodes.buffer, nodes.spill)).cast("i")
    return forbidden_ranges_by_reference(nodes, starts, stops)


def forbidden_ranges_by_reference(nodes: Nodes, starts: Column, stops: Column) -> list[int]:
    """The same in Python."""
    buffer, end, spill = nodes.buffer, len(nodes.buffer), nodes.spill
    return [
        index
        for index, (first, last) in enumerate(zip(starts, stops, strict=True))
        if has_forbidden(buffer[first:last] if first < end else spill[first - end : last - end])
    ]
