"""The numbers, styles and checkboxes of a list's items."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from bonmun.model.nodes import Nodes
from bonmun.model.tags import TAG_ID

_NUMBER = re.compile(r"[0-9]{1,8}")  # CommonMark reads nine digits, and the list still has to count on
_STYLES: Final = frozenset("aAiI")
_ITEM, _ORDERED, _INPUT = TAG_ID["li"], TAG_ID["ol"], TAG_ID["input"]
_NEAR: Final = 8
"""Rows from an item to its checkbox, at most."""


Counted = dict[int, dict[int, int]]
"""The numbers of all items of a list, by the row of the list: parts of one list share them."""


def start_and_numbers(
    nodes: Nodes, row: int, items: Sequence[int], counted: Counted
) -> tuple[int | None, tuple[int, ...]]:
    """The first number of a list, and the numbers of its items if they do not count up by one; `None` if unordered.

    `items` are the rows of the kept items. Numbers below 0 or of more than eight digits are ignored.
    """
    if row < 0 or nodes.tag[row] != _ORDERED:
        return None, ()
    start = _number(nodes, row, "start")
    down = is_reversed(nodes, row)
    if not down and not ("value" in nodes.attr_id and any(_number(nodes, item, "value") is not None for item in items)):
        return 1 if start is None else start, ()
    number_of = counted.get(row)
    if number_of is None:
        number_of = counted[row] = dict(_counted(nodes, row, start, -1 if down else 1))
    numbers: list[int] = []
    for item in items:
        numbers.append(number_of.get(item, numbers[-1] + 1 if numbers else 1))
    if min(numbers) < 0:
        return 1, ()
    consecutive = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    return numbers[0], () if consecutive else tuple(numbers)


def is_reversed(nodes: Nodes, row: int) -> bool:
    """Whether a list counts down."""
    return row >= 0 and nodes.attr(row, "reversed") is not None


def style_of(nodes: Nodes, row: int) -> str | None:
    """The type of an ordered list that is not numbered in decimals."""
    style = nodes.attr(row, "type") if row >= 0 else None
    return style if style in _STYLES else None


def _counted(nodes: Nodes, row: int, start: int | None, step: int) -> Iterator[tuple[int, int]]:
    """Yield all items of a list and their numbers, as browsers count."""
    items = [child for child in nodes.children(row) if nodes.tag[child] == _ITEM]
    number = start if start is not None else len(items) if step < 0 else 1
    for item in items:
        value = _number(nodes, item, "value")
        number = number if value is None else value
        yield item, number
        number += step


def _number(nodes: Nodes, row: int, name: str) -> int | None:
    value = (nodes.attr(row, name) or "").strip() if row >= 0 else ""
    return int(value) if _NUMBER.fullmatch(value) else None


def checkboxes(nodes: Nodes, items: Sequence[int]) -> tuple[bool | None, ...]:
    """For each item whether its checkbox is checked, `None` without one; empty if no item has one.

    A checkbox of a task list is disabled, or its classes say so; others are fields of a form.
    """
    if "disabled" not in nodes.attr_id and "checked" not in nodes.attr_id:
        return ()  # spares nearly all pages the search
    checked = tuple(_is_checked(nodes, item) for item in items)
    return checked if any(box is not None for box in checked) else ()


def _is_checked(nodes: Nodes, item: int) -> bool | None:
    """Whether the checkbox in front of an item's text is checked; `None` for an item without one."""
    for row in range(item + 1, min(item + _NEAR, nodes.end[item])) if item >= 0 else ():
        if nodes.chars[row]:
            return None
        if nodes.tag[row] == _INPUT:
            names = f"{nodes.attr(row, 'class') or ''} {nodes.attr(item, 'class') or ''}"
            is_task = nodes.attr(row, "disabled") is not None or "task" in names
            if not is_task or (nodes.attr(row, "type") or "").lower() != "checkbox":
                return None
            return nodes.attr(row, "checked") is not None
    return None
