"""Readers' comments as threads: the elements that are one comment each, their parts, and who answers whom.

An element is a comment by its name (`comment_names`); where nothing is named, the repeated children of the comment area
are. Depth comes from classes such as ``depth-2``, from indentation, or from the nesting of elements.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, islice
from typing import Final

from bonmun.deadline import check
from bonmun.model.block import rows_shown
from bonmun.model.comment import Comment
from bonmun.model.judged_block import Block
from bonmun.model.nodes import Nodes
from bonmun.model.output import Output
from bonmun.model.page import Page
from bonmun.model.tags import TEXT
from bonmun.model.verdict import Verdicts
from bonmun.read.comment_fields import Fields, Piece, read_fields
from bonmun.read.comment_labels import Order, day_comes_first
from bonmun.read.comment_names import Role, indent, is_comment, is_of_other_pages, role_inside, stated_depth

MAX_COMMENTS: Final = 5000
"""Comments of a page that are read, the first ones: each takes some 50 µs."""
_MOST_DEPTH: Final = 32
"""Replies nested more deeply are siblings: writers recurse."""
_FIRST_CJK: Final = "\u2e80"
_SAMPLE: Final = 20
_MOST: Final = 0.5
"""Minimum share of the area's characters in repeated elements, and of comments with an author or date there."""


def read_comments(page: Page, verdicts: Verdicts, output: Output) -> tuple[Comment, ...]:
    """Return the threads of the comments on a page, in order."""
    area = _Area(page, verdicts.comments)
    comments = area.comments(area.named())
    if _stated(comments) < 2:  # perhaps it is the whole area that is named
        comments = max(comments, area.comments(area.repeated(), stated=True), key=_stated)
    return _threads(area, verdicts, output, comments)


@dataclass(slots=True)
class _Found:
    """A comment before its place in a thread is known."""

    row: int
    fields: Fields
    depth: int | None
    """As stated by the page."""
    indent: int


def _stated(comments: Sequence[_Found]) -> int:
    return sum(comment.fields.stated for comment in comments)


@dataclass(frozen=True)
class _Area:
    """The blocks of a page that are comments."""

    page: Page
    flags: Sequence[int]

    @cached_property
    def texts(self) -> list[int]:
        """The rows of the texts, in order."""
        nodes, blocks = self.page.nodes, self.page.blocks
        elsewhere = self._elsewhere()
        flagged = (index for index, flag in enumerate(self.flags) if flag and index not in elsewhere)
        shown = (row for index in flagged for row in rows_shown(nodes, blocks.first[index], blocks.stop[index], False))
        return [row for row in shown if nodes.chars[row]]

    def _elsewhere(self) -> set[int]:
        """The blocks of lists such as "recent comments", which are comments on other pages."""
        nodes, stop, inside = self.page.nodes, 0, set[int]()
        for row, tag in enumerate(nodes.tag):
            if row >= stop and tag != TEXT and is_of_other_pages(nodes, row):
                inside.update(self.page.blocks_in(row))
                stop = nodes.end[row]
        return inside

    def named(self) -> dict[int, list[int]]:
        """The elements named as comments: row → the ones around it with no text before it and no comment beside it."""
        nodes, texts = self.page.nodes, self.texts
        if not texts:
            return {}
        candidates = [row for row in range(texts[-1]) if nodes.tag[row] != TEXT and is_comment(nodes, row)]
        items: dict[int, list[int]] = {}
        shells: list[int] = []
        for row, following in zip(candidates, [*candidates[1:], len(nodes)], strict=False):
            if len(items) == MAX_COMMENTS:
                break
            place = bisect_left(texts, row)
            if place < len(texts) and texts[place] < min(following, nodes.end[row]):
                items[row] = [shell for shell in shells if nodes.end[shell] >= nodes.end[row]]
                shells = []
            else:
                shells.append(row)
        ends = _ends_of_level([nodes.depth[row] for row in items])
        next_rows = [*items, len(nodes)]
        return {
            row: [shell for shell in around if nodes.end[shell] <= next_rows[end]]
            for (row, around), end in zip(items.items(), ends, strict=True)
        }

    def repeated(self) -> dict[int, list[int]]:
        """The outermost siblings with the same tag and first class that hold most of the area's text."""
        nodes, texts = self.page.nodes, self.texts
        if not texts:
            return {}
        sums = [0, *accumulate(nodes.chars[row] for row in texts)]
        region = next(row for row in nodes.ancestors(texts[0]) if nodes.end[row] > texts[-1])
        while True:
            chars = {
                child: inside
                for child in nodes.children(region)
                if (inside := sums[bisect_left(texts, nodes.end[child])] - sums[bisect_left(texts, child)])
            }
            alike: dict[tuple[int, str], list[int]] = {}
            for child in chars:
                alike.setdefault((nodes.tag[child], _first_class(nodes, child)), []).append(child)
            for (tag, first_class), group in alike.items():
                if tag != TEXT and len(group) > 1 and sum(chars[row] for row in group) >= _MOST * sums[-1]:
                    return {row: [] for row in islice(_with_nested(nodes, group, first_class), MAX_COMMENTS)}
            largest = max(chars, key=chars.__getitem__, default=region)
            if nodes.tag[largest] == TEXT or largest == region or chars[largest] < _MOST * sums[-1]:
                return {}
            region = largest

    def comments(self, items: Mapping[int, Sequence[int]], stated: bool = False) -> list[_Found]:
        """Read the items; drop those that are no comments: headings, forms and buttons with such a name.

        With `stated`, most must have an author or a date.
        """
        nodes = self.page.nodes
        pieces, dates = _labelled(self, items)
        read: dict[int, Fields] = {}
        for row in items:
            check()
            read[row] = read_fields(nodes, pieces.get(row, ()), dates.get(row, ()))
        _join_texts(self, read)
        known = sum(fields.stated for fields in read.values())
        spoken = sum(bool(fields.body) for fields in read.values())
        if stated and known < max(2, _MOST * spoken):
            return []
        anonymous = not known and spoken > 1
        found = []
        for row, fields in read.items():
            if (fields.stated or anonymous) and (fields.body or fields.stated):
                around = (row, *reversed(items[row]))
                depths = (depth for element in around if (depth := stated_depth(nodes, element)) is not None)
                found.append(_Found(row, fields, next(depths, None), max(indent(nodes, element) for element in around)))
        return found


def _first_class(nodes: Nodes, row: int) -> str:
    """The first class of an element without its number; empty if it only tells its place among its siblings."""
    name = next(iter((nodes.attr(row, "class") or "").split()), "").rstrip("0123456789")
    return "" if name in ("odd", "even", "alt", "first", "last") else name


def _with_nested(nodes: Nodes, group: Sequence[int], first_class: str) -> Iterator[int]:
    """Siblings, and the elements inside them with the same tag and first class: replies."""
    for member in group:
        yield member
        inside = range(member + 1, nodes.end[member]) if first_class else ()
        tag = nodes.tag[member]
        yield from (row for row in inside if nodes.tag[row] == tag and _first_class(nodes, row) == first_class)


def _labelled(area: _Area, items: Mapping[int, Sequence[int]]) -> tuple[dict[int, list[Piece]], dict[int, list[int]]]:
    """The pieces of each item with their roles, and its elements that hold a date."""
    nodes, blocks = area.page.nodes, area.page.blocks
    owner, role, group = _roles(area, items)
    dates: dict[int, list[int]] = {}
    for row, kind in role.items():
        if kind is Role.DATE:
            dates.setdefault(owner[row], []).append(row)
    pieces: dict[int, list[Piece]] = {}
    for index in (index for index, flag in enumerate(area.flags) if flag):
        mine = -1
        for row in rows_shown(nodes, blocks.first[index], blocks.stop[index], False, images=True):
            element = row if row in owner else nodes.parent[row]
            if element not in owner or mine not in (-1, owner[element]):
                continue
            mine = owner[element]
            text = " ".join(nodes.text(row).split()) if nodes.chars[row] else ""
            pieces.setdefault(mine, []).append(Piece(index, row, role[element], group[element], text))
    return pieces, dates


def _roles(area: _Area, items: Mapping[int, Sequence[int]]) -> tuple[dict[int, int], dict[int, Role], dict[int, int]]:
    """For each element inside items: its item, its role, and the element that gave the role."""
    nodes = area.page.nodes
    starts = {shell: row for row, shells in items.items() for shell in shells} | {row: row for row in items}
    owner: dict[int, int] = {}
    role: dict[int, Role] = {}
    group: dict[int, int] = {}
    stop = 0
    for start in sorted(starts):
        if start < stop:
            continue
        stop = nodes.end[start]
        for row in range(start, stop):
            if nodes.tag[row] == TEXT:
                continue
            if row in starts:
                owner[row], role[row], group[row] = starts[row], Role.NONE, row
                continue
            parent = nodes.parent[row]
            owner[row], around = owner[parent], role[parent]
            role[row] = role_inside(nodes, row, around)
            renewed = role[row] is not around or (around is Role.AUTHOR and nodes.attr(row, "class") is not None)
            group[row] = row if renewed else group[parent]
    return owner, role, group


def _join_texts(area: _Area, read: dict[int, Fields]) -> None:
    """Give the text of an item without author and date to the item around it that has no text."""
    nodes = area.page.nodes
    opened: list[int] = []
    for row, fields in read.items():
        while opened and nodes.end[opened[-1]] <= row:
            opened.pop()
        outer = read[opened[-1]] if opened else None
        if outer and not fields.stated and fields.body and outer.stated and not outer.body:
            outer.body, fields.body = fields.body, []
        opened.append(row)


def _threads(area: _Area, verdicts: Verdicts, output: Output, found: list[_Found]) -> tuple[Comment, ...]:
    page = area.page
    verdicts = replace(verdicts, parts=dict(_parts(page, found)))
    order = _order_of_dates(page, found)
    parents, depths = _places(area, found)
    replies: list[list[Comment]] = [[] for _ in found]
    roots: list[Comment] = []
    for number in range(len(found) - 1, -1, -1):
        item, fields = found[number], found[number].fields
        indexes = dict.fromkeys(piece.block for piece in fields.body)
        comment = Comment(
            author=fields.author,
            date=fields.date(order),
            depth=depths[number],
            blocks=tuple(Block(page, verdicts, index, output=output) for index in indexes),
            replies=tuple(reversed(replies[number])),
            row=item.row,
            xpath=page.nodes.xpath(item.row),
        )
        if comment.blocks or comment.replies:
            (replies[parents[number]] if parents[number] >= 0 else roots).append(comment)
    return tuple(reversed(roots))


def _parts(page: Page, found: Sequence[_Found]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The blocks of which only some rows are a comment's text."""
    nodes, blocks = page.nodes, page.blocks
    for item in found:
        rows: dict[int, list[int]] = {}
        for piece in item.fields.body:
            rows.setdefault(piece.block, []).append(piece.row)
        for index, mine in rows.items():
            shown = rows_shown(nodes, blocks.first[index], blocks.stop[index], False, images=True)
            if sum(1 for _ in shown) > len(mine):
                yield index, tuple(mine)


def _order_of_dates(page: Page, found: Sequence[_Found]) -> Order:
    """The order of numbers in dates: as those show that can be read in one way only, else by language."""
    if any(
        char >= _FIRST_CJK for item in found[:_SAMPLE] for piece in item.fields.body for char in piece.text[:_SAMPLE]
    ):
        return Order.YEAR
    certain = [first for item in found for text in item.fields.dates if (first := day_comes_first(text)) is not None]
    if certain:
        return Order.DAY if 2 * sum(certain) >= len(certain) else Order.MONTH
    roots = page.nodes.rows_of("html")
    language = (page.nodes.attr(roots[0], "lang") or "en") if roots else "en"
    return Order.UNKNOWN if language.lower().startswith("en") else Order.DAY


def _places(area: _Area, found: Sequence[_Found]) -> tuple[list[int], list[int]]:
    """The index of the comment that each one answers, -1 for none, and its depth."""
    stated = [item.depth for item in found if item.depth is not None]
    flat = len({area.page.nodes.depth[item.row] for item in found}) == 1
    measures = stated if len(stated) == len(found) else [item.indent for item in found if flat]
    ends = _ends_of_level(measures) if len({*measures}) > 1 else _ends_of_scope(area, found)
    parents, depths, opened = list[int](), list[int](), list[int]()
    for number, end in enumerate(ends):
        while opened and ends[opened[-1]] <= number:
            opened.pop()
        above = opened[:_MOST_DEPTH]
        parents.append(above[-1] if above else -1)
        depths.append(len(above))
        if end > number + 1:
            opened.append(number)
    return parents, depths


def _ends_of_level(measures: Sequence[int]) -> list[int]:
    """For each measure the index of the next one that is not greater."""
    ends = [len(measures)] * len(measures)
    opened: list[int] = []
    for number, measure in enumerate(measures):
        while opened and measures[opened[-1]] >= measure:
            ends[opened.pop()] = number
        opened.append(number)
    return ends


def _ends_of_scope(area: _Area, found: Sequence[_Found]) -> list[int]:
    """For each comment the index of the first one that is no reply to it, by the nesting of elements.

    Replies are inside the element, or inside one around it that begins with it: a thread, with the replies in a list.
    """
    nodes, texts = area.page.nodes, area.texts
    rows = [item.row for item in found]
    levels = _ends_of_level([nodes.depth[row] for row in rows])
    ends = []
    for row, level in zip(rows, levels, strict=True):
        following = rows[level] if level < len(rows) else len(nodes)
        scope, first = row, bisect_left(texts, row)
        for ancestor in nodes.ancestors(row):
            if nodes.end[ancestor] > following or bisect_left(texts, ancestor) < first:
                break
            scope = ancestor
        ends.append(bisect_left(rows, nodes.end[scope]))
    return ends
