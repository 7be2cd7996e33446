"""Captions of pictures, and the texts that a picture stands between."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import compress, islice
from typing import Final

from bonmun.model.block import KINDS, Kind
from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.model.tags import TAG_ID

_PICTURE, _CAPTION, _PARAGRAPH, _CELL = map(KINDS.index, (Kind.IMAGE, Kind.CAPTION, Kind.PARAGRAPH, Kind.CELL))
_TEXTS_OF_FIGURES: Final = frozenset({_CAPTION, _PARAGRAPH, _CELL})
_ARE_TEXTS: Final = bytes(kind not in (_PICTURE, _CAPTION) for kind in range(256))  # table of `bytes.translate`
_FIGURE, _IMAGE, _TABLE, _TABLE_CAPTION = (TAG_ID[name] for name in ("figure", "img", "table", "caption"))
_NAMES_CAPTION = re.compile(r"caption|credit|cutline|legende", re.IGNORECASE)
_NAMES_PICTURE = re.compile(r"caption|image|img|photo|picture|foto|figure", re.IGNORECASE)
CLIMB: Final = 6  # elements between a picture and its figure
NAMED: Final = 3  # elements between a text and one named after captions
_MOST_CAPTIONS: Final = 3  # blocks beside a picture
_PASSED: Final = _MOST_CAPTIONS + 1  # texts on either side of a picture that are asked: captions, then a kept one
_MOST_BLOCKS: Final = 24  # of a figure: a larger one holds more than a picture and its caption
_MOST_ROWS: Final = 200  # of an element named after captions
MOST_NAMES: Final = 2048
"""Bytes of a class: that of an element around many pictures is read for each of them."""
LONGEST_CAPTION: Final = 1000  # characters of all captions of a picture
CAPTION_SIGNS: Final = (b"capt", b"cred", b"cutl", b"legende")
"""Those of `Page.rows_named_captions`."""


class Surroundings:
    """The texts of a page that are no captions, to tell whether a place is in the middle of the kept text."""

    def __init__(self, page: Page, keep: Sequence[int]) -> None:
        self._page, self._keep, self._kinds = page, keep, bytes(page.blocks.kind_code.tolist())
        self._texts = list(compress(range(len(keep)), self._kinds.translate(_ARE_TEXTS)))
        self._has_captions = _CAPTION in self._kinds

    def are_kept(self, index: int) -> bool:
        """Whether the texts before and after the start of block `index`, which is no text, are kept; captions aside."""
        texts, keep = self._texts, self._keep
        after = bisect_left(texts, index)
        before = max(after - _PASSED, 0)
        if not 0 < after < len(texts) or 1 not in keep[texts[before] : index]:
            return False  # most pictures of a page are far from its text
        if 1 not in keep[index : texts[min(after + _PASSED, len(texts)) - 1] + 1]:
            return False
        return self._is_kept(texts[before:after][::-1]) and self._is_kept(texts[after : after + _PASSED])

    def are_kept_around(self, row: int) -> bool:
        """Whether a row without text is in a kept block, or between kept texts."""
        blocks = self._page.blocks
        after = bisect_right(blocks.first, row)
        if after and row < blocks.stop[after - 1] and blocks.chars[after - 1]:
            return bool(self._keep[after - 1])
        return self.are_kept(after) or self.caption_is_kept(row, after - 1, after)

    def caption_is_kept(self, row: int, before: int, after: int) -> bool:
        """Whether the `figcaption` next to a picture at `row` between these blocks is kept: it brings its picture."""
        for index in (before, after) if self._has_captions else ():
            if 0 <= index < len(self._kinds) and self._kinds[index] == _CAPTION and self._keep[index]:
                figure = figure_of(self._page, row)
                return figure >= 0 and figure == figure_of(self._page, self._page.blocks.first[index])
        return False

    def _is_kept(self, near: list[int]) -> bool:
        """Whether the first of some texts is kept; captions are passed over."""
        for index in near:
            if self._keep[index]:
                return True
            if not is_caption(self._page, index):
                return False
        return False


def is_caption(page: Page, index: int) -> bool:
    """Whether a text is a caption: by its element, by the names of the elements around it, or inside a figure."""
    blocks, nodes = page.blocks, page.nodes
    if blocks.kind_code[index] == _CAPTION:
        return True
    if blocks.kind_code[index] not in _TEXTS_OF_FIGURES or blocks.chars[index] > LONGEST_CAPTION:
        return False
    figure = figure_of(page, blocks.first[index])
    return (figure >= 0 and _holds_picture(nodes, figure)) or is_named_caption(page, index)


def is_named_caption(page: Page, index: int) -> bool:
    """Whether a text is a caption by its element, by the names of the elements around it, or in a picture's table."""
    if page.blocks.kind_code[index] == _CAPTION:
        return True
    nodes, candidates = page.nodes, page.rows_named_captions
    for row in islice(nodes.ancestors(page.blocks.first[index]), NAMED) if candidates else ():
        if row in candidates and _NAMES_CAPTION.search(nodes.attr(row, "class", MOST_NAMES) or ""):
            return not _holds_picture(nodes, row)
    figure = figure_of(page, page.blocks.first[index])
    return figure >= 0 and nodes.tag[figure] == _TABLE and _holds_picture(nodes, figure)


def captions_of(page: Page, row: int, before: int, after: int) -> list[int]:
    """The captions of the picture at `row` between the blocks `before` and `after`: of its figure, else beside it."""
    figure = figure_of(page, row)
    if figure >= 0:
        inside = page.blocks_in(figure)
        if len(inside) > _MOST_BLOCKS:
            return []
        kinds = page.blocks.kind_code
        texts = [index for index in inside if kinds[index] in _TEXTS_OF_FIGURES and _is_shown(page, index)]
        short = sum(page.blocks.chars[index] for index in texts) <= LONGEST_CAPTION
        return [index for index in texts if figure_of(page, page.blocks.first[index]) == figure] if short else []
    return _beside(page, after, 1) or _beside(page, before, -1)


def may_have_captions(page: Page) -> bool:
    """Whether some text of a page can be a caption of a picture: most pages with pictures have none."""
    nodes = page.nodes
    return (
        nodes.may_have(_FIGURE)
        or nodes.may_have(_TABLE)
        or bool(page.rows_named_captions)
        or bool(page.blocks.of_kind(_CAPTION))
    )


def figure_of(page: Page, row: int) -> int:
    """The nearest `figure`, or layout table named after pictures, around a row; -1 for none."""
    nodes = page.nodes
    for _ in range(CLIMB):
        row = nodes.parent[row]
        if row < 0:
            return -1
        if nodes.tag[row] == _FIGURE or (nodes.tag[row] == _TABLE and _is_frame(page, row)):
            return row
    return -1


def _is_frame(page: Page, table: int) -> bool:
    """Whether a table is a layout of a picture and its caption."""
    nodes = page.nodes
    return (
        table not in page.blocks.tables
        and nodes.end[table] - table <= _MOST_ROWS
        and bool(_NAMES_PICTURE.search(nodes.attr(table, "class", MOST_NAMES) or ""))
    )


def _beside(page: Page, index: int, step: int) -> list[int]:
    """The captions from a block on, in one direction."""
    beside: list[int] = []
    while 0 <= index < len(page.blocks) and len(beside) < _MOST_CAPTIONS:
        fits = page.blocks.kind_code[index] in _TEXTS_OF_FIGURES and 0 < page.blocks.chars[index] <= LONGEST_CAPTION
        if not fits or page.blocks.flags[index] or not is_named_caption(page, index):
            break
        row = page.blocks.first[index]
        of_table = any(page.nodes.tag[above] == _TABLE_CAPTION for above in islice(page.nodes.ancestors(row), NAMED))
        if of_table or figure_of(page, row) >= 0:
            break
        beside.append(index)
        index += step
    return beside[::step]


def _is_shown(page: Page, index: int) -> bool:
    return bool(page.blocks.chars[index]) and not page.blocks.flags[index]


def _holds_picture(nodes: Nodes, row: int) -> bool:
    """Whether an element holds a picture, or is too large to be a caption."""
    return nodes.end[row] - row > _MOST_ROWS or _IMAGE in nodes.tag[row : nodes.end[row]].tolist()
