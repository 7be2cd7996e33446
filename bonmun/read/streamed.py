"""Streamed pages (React's `Suspense`, Next.js): parts that were sent late are put where a browser's script puts them.

React writes a late part hidden at the end of the page, `<div hidden id="S:1">`, and leaves a placeholder where it
belongs, `<template id="B:1">`, or `P:1` inside another part.
"""

import re
from bisect import bisect_left
from typing import NamedTuple

from bonmun.core import core
from bonmun.model.nodes import Nodes

_TAG = re.compile(
    rb'<div hidden id="S:(?P<part>[0-9a-f]{1,8})">|<template id="[BP]:(?P<place>[0-9a-f]{1,8})"></template>'
    rb"|<(?P<open>div|script)[\s>]|</(?P<close>div|script)\s*>"
)


class _Part(NamedTuple):
    """Where a part is in the page: its element, and the markup inside."""

    start: int
    stop: int
    inner: int
    inner_stop: int


class _Place(NamedTuple):
    """Where a placeholder is."""

    start: int
    stop: int
    part: bytes


def has_places(nodes: Nodes) -> bool:
    """Return whether a page has places for late parts."""
    return any((nodes.attr(row, "id") or "").startswith("B:") for row in nodes.rows_of("template"))


def with_parts_in_place(source: bytes) -> bytes:
    """Return a page with its late parts in their places; a part without a place stays where it is.

    >>> with_parts_in_place(b'<main><template id="B:0"></template></main><div hidden id="S:0"><p>Tea</div><script>')
    b'<main><p>Tea</main><script>'
    """
    parts, places = _found(source)
    first = {place.part: place for place in reversed(places) if place.part in parts}
    if not first:
        return source
    changes: list[_Part | _Place] = [*first.values(), *(parts[number] for number in first)]
    pieces, unplaced = list[memoryview](), set(first)
    ranges, page = [(0, len(source))], memoryview(source)
    changes.sort()
    starts = [change.start for change in changes]
    while ranges:
        at, stop = ranges.pop()
        index = bisect_left(starts, at)
        if index == len(starts) or starts[index] >= stop:
            pieces.append(page[at:stop])
            continue
        change = changes[index]
        pieces.append(page[at : change.start])
        ranges.append((change.stop, stop))
        if isinstance(change, _Place):
            unplaced.discard(change.part)
            ranges.append(parts[change.part][2:])
    # Parts whose places are in each other would be lost.
    return source if unplaced else b"".join(pieces)


def _found(source: bytes) -> tuple[dict[bytes, _Part], list[_Place]]:
    """Return the closed parts by their numbers, the first of each, and all placeholders in order."""
    compiled = core()
    if compiled is None:
        return found_by_reference(source)
    parts: dict[bytes, _Part] = {}
    late, places = (memoryview(columns).cast("i").tolist() for columns in compiled.late_parts(source))
    for start, stop, inner, inner_stop, *number in zip(*[iter(late)] * 6, strict=True):
        parts.setdefault(source[slice(*number)], _Part(start, stop, inner, inner_stop))
    return parts, [
        _Place(place[0], place[1], source[slice(*place[2:])]) for place in zip(*[iter(places)] * 4, strict=True)
    ]


def found_by_reference(source: bytes) -> tuple[dict[bytes, _Part], list[_Place]]:
    """The same in Python."""
    parts: dict[bytes, _Part] = {}
    places: list[_Place] = []
    open_divs: list[re.Match[bytes]] = []
    in_script = False
    for tag in _TAG.finditer(source):
        opened, closed = tag["open"], tag["close"]
        if in_script:  # whose text may look like tags
            in_script = closed != b"script"
        elif opened == b"script":
            in_script = True
        elif tag["place"]:
            places.append(_Place(tag.start(), tag.end(), tag["place"]))
        elif opened or tag["part"]:
            open_divs.append(tag)
        elif closed == b"div" and open_divs:
            first = open_divs.pop()
            if first["part"]:
                parts.setdefault(first["part"], _Part(first.start(), tag.end(), first.end(), tag.start()))
    return parts, places
