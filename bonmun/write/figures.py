"""The blocks that structured formats show: the kept ones, the captions of kept pictures, and media between kept texts.

Captions and media are no part of the text: on `wcxb_dev` and `news_dev` the texts that people made leave most captions
out. A caption that the method keeps stays in the text.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from bonmun.core import core
from bonmun.model.block import KINDS, Kind
from bonmun.model.document import Document
from bonmun.model.figures import (
    CAPTION_SIGNS,
    Surroundings,
    captions_of,
    figure_of,
    is_caption,
    is_named_caption,
    may_have_captions,
)
from bonmun.model.inline import Run
from bonmun.model.judged_block import Block
from bonmun.model.lazy import lazy
from bonmun.model.media import IMAGE, LAZY_PLACES, Medium, find_media, name_of, picture, searched_tags
from bonmun.model.tags import TAG_ID
from bonmun.model.verdict import Reason

_PICTURE, _CAPTION = KINDS.index(Kind.IMAGE), KINDS.index(Kind.CAPTION)
_IMAGE_TAG: Final = TAG_ID["img"]
_CAPTION_WORDS: Final = b"".join(sign + b"\0" for sign in CAPTION_SIGNS)
_KNOWN, _UNSURE = 1, 2  # answers of the core about a picture
NEAR: Final = 8
"""Blocks from one kept text to the next with a picture between them."""
_OF_PICTURE: Final = (Reason("caption", "its picture is kept"),)
_INSIDE: Final = (Reason("inside", "the text before and after it is kept"),)

_Place = tuple[int, int]
"""The row of a block, and a rank after it: captions follow their picture."""


@dataclass(frozen=True, eq=False, repr=False)
class Caption(Block):
    """A block that is shown as the caption of kept pictures."""

    pictures: int = 1
    """The number of shown pictures in its figure."""

    @property
    def kind(self) -> Kind:
        """Always a caption, whatever its element is."""
        return Kind.CAPTION

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why it was kept or shown."""
        return super().reasons if self.keep else _OF_PICTURE

    @lazy
    def runs(self) -> tuple[Run, ...]:
        """The text with its marks and links; pictures in it are shown on their own unless it is kept."""
        return tuple(run for run in super().runs if self.keep or run.src is None)


@dataclass(frozen=True, eq=False, repr=False)
class MediaBlock(Block):
    """A medium between kept texts; `index` is that of the block before it, whose score it has."""

    medium: Medium

    @property
    def kind(self) -> Kind:
        """An image, or a medium."""
        return Kind.IMAGE if self.medium.kind == IMAGE else Kind.MEDIA

    @property
    def keep(self) -> bool:
        """False: it is no part of the text."""
        return False

    @property
    def level(self) -> int:
        """0: neither a heading nor an item."""
        return 0

    @property
    def continues(self) -> bool:
        """Always false: it stands on its own."""
        return False

    @property
    def part(self) -> tuple[int, ...] | None:
        """Always whole."""
        return None

    @property
    def text(self) -> str:
        """Empty: its title is no text of the page."""
        return ""

    @property
    def plain_text(self) -> str | None:
        """Always `None`: it has no text."""
        return None

    @property
    def rows(self) -> tuple[int, ...]:
        """None: it has no text."""
        return ()

    @property
    def span(self) -> tuple[int, int] | None:
        """Start and end of its start tag in the page's UTF-8 bytes; `None` if the reader records no offsets."""
        starts, stops = self.page.nodes.source_start, self.page.nodes.source_stop
        return None if starts is None or stops is None else (starts[self.medium.row], stops[self.medium.row])

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why it is shown."""
        return _INSIDE

    def is_titled(self, caption: Caption) -> bool:
        """Whether its title is a caption."""
        return self.kind is Kind.MEDIA and caption.text.startswith(self.medium.title)

    @property
    def xpath(self) -> str:
        """The xpath of its element."""
        return self.page.nodes.xpath(self.medium.row)

    @lazy
    def runs(self) -> tuple[Run, ...]:
        """One run: an image, or a link with the title."""
        medium = self.medium
        if medium.kind == IMAGE:
            return (Run(medium.title, src=medium.address),)
        return (Run(medium.title, href=medium.address, media=medium.kind),)


def shown_blocks(document: Document) -> Sequence[Block]:
    """The kept blocks with the captions of kept pictures and the media between kept texts, in the order of the page.

    A caption follows the last picture of its figure. Pictures of which only a placeholder is known are left out. The
    switches of `document.output` hold; without links or images there are no media.
    """
    shown = shown_entries(document)
    if shown is None:
        return document.blocks
    kept = {block.index: block for block in document.blocks}
    return tuple(kept[entry] if isinstance(entry, int) else entry for entry in shown)


def shown_entries(document: Document) -> "list[int | Block] | None":
    """The same as indexes of kept blocks, with the captions and media among them; `None` for all kept blocks alone."""
    output = document.output
    if not output.images:
        return None
    signs = _signs(document)
    pictures, between = signs.pictures, list(_pictures_in_captions(document, signs.between))
    if signs.media and output.links:
        between += _media_between(document)
    if not between and not pictures:
        return None
    kept, kinds, firsts = document.kept, document.page.blocks.kind_code, document.page.blocks.first
    added: dict[_Place, Block] = {(block.medium.row, 0): block for block in between}
    known = _with_address(document, signs)
    if output.captions and (signs.captions or between):
        rows = [firsts[index] for index in pictures if index in known]
        _add_captions(document, sorted([*rows, *(block.medium.row for block in between)]), added)
    if not added and len(known) == len(pictures):
        return None
    return _merged([index for index in kept if kinds[index] != _PICTURE or index in known], firsts, added)


class _Signs(NamedTuple):
    """What a document may show beside its kept blocks."""

    media: bool
    """Whether there may be media between kept texts."""
    captions: bool
    """Whether a kept picture may have a caption."""
    pictures: Sequence[int]
    """The kept blocks that are pictures."""
    known: bytes
    """For each 1 if its address is known, 0 if it has none, 2 if only its runs can tell."""
    between: Iterable[tuple[int, int]]
    """The blocks with a text and a picture shortly between two kept ones, each behind the first of these."""


def _signs(document: Document) -> _Signs:
    compiled, page = core(), document.page
    if compiled is None:
        return _signs_by_reference(document)
    near, searched = _rows_near_kept(document), searched_tags(page.nodes)
    rows, words, bases = (near.start, near.stop), _CAPTION_WORDS, page.address_bases
    found = compiled.shown_signs(page.writer_page, document.kept, rows, searched, LAZY_PLACES, words, bases)
    media, captions, pictures, known, between = found
    pairs = iter(memoryview(between).cast("i") if between else ())
    return _Signs(media, captions, memoryview(pictures).cast("i"), known, zip(pairs, pairs, strict=True))


def _signs_by_reference(document: Document) -> _Signs:
    """The same in Python, where the compiled twin could not be built, without a look at media and captions."""
    kept, kinds = document.kept, document.page.blocks.kind_code
    pictures = [index for index in kept if kinds[index] == _PICTURE]
    return _Signs(True, True, pictures, bytes([_UNSURE]) * len(pictures), _blocks_with_pictures(document))


def _merged(kept: Sequence[int], firsts: Sequence[int], added: dict[_Place, Block]) -> "list[int | Block]":
    """The kept blocks with those added at their places; one at the row of a kept block replaces it."""
    shown: list[int | Block] = []
    at = 0
    for row, rank in sorted(added):
        stop = bisect_left(kept, row, at, key=firsts.__getitem__)
        same = stop < len(kept) and firsts[kept[stop]] == row
        shown += kept[at : stop + (same and rank > 0)]
        shown.append(added[row, rank])
        at = stop + same
    return shown + list(kept[at:])


def _with_address(document: Document, signs: _Signs) -> set[int]:
    """The pictures whose address is known."""
    return {
        index
        for index, known in zip(signs.pictures, signs.known, strict=True)
        if known == _KNOWN
        or (known == _UNSURE and Block(document.page, document.verdicts, index, output=document.output).runs)
    }


def _media_between(document: Document) -> list[MediaBlock]:
    """The media of the page that stand between kept texts."""
    page, blocks = document.page, document.page.blocks
    near, texts = _rows_near_kept(document), list[Surroundings]()

    def is_between(row: int) -> bool:
        if not texts:
            texts.append(Surroundings(page, document.verdicts.keep))
        return texts[0].are_kept_around(row)

    found = find_media(page, near, is_between) if near else []  # most media of a page are far from its text
    return [
        MediaBlock(page, document.verdicts, index, medium)
        for medium in found
        if (index := bisect_left(blocks.first, medium.row) - 1) >= 0
        and not (medium.kind == IMAGE and medium.row < blocks.stop[index])  # its block shows it
    ]


def _rows_near_kept(document: Document) -> range:
    """The rows behind the start of the block before the first kept one, up to the block behind the last kept one."""
    kept, firsts = document.verdicts.kept, document.page.blocks.first
    if not kept:
        return range(0)
    before, behind = kept[0] - 1, kept[-1] + 1
    return range(
        max(firsts[max(before, 0)], firsts[0] + 1), firsts[behind] if behind < len(firsts) else len(document.page.nodes)
    )


def _blocks_with_pictures(document: Document) -> Iterator[tuple[int, int]]:
    """The dropped blocks with a text and a picture between kept ones, each behind the kept block before it."""
    page = document.page
    chars, first, stop, tags = page.blocks.chars, page.blocks.first, page.blocks.stop, page.nodes.tag
    for before, after in pairwise(document.kept) if page.nodes.has_tag("img") else ():
        for index in range(before + 1, after) if after - before <= NEAR else ():
            if (
                chars[index]
                and stop[index] - first[index] > 1
                and _IMAGE_TAG in tags[first[index] : stop[index]].tolist()
            ):
                yield before, index


def _pictures_in_captions(document: Document, among: Iterable[tuple[int, int]]) -> Iterator[MediaBlock]:
    """The pictures in dropped captions between kept texts: such a block has a picture and its credit."""
    page = document.page
    for before, index in among:
        if is_caption(page, index):
            first, tags = page.blocks.first[index], page.nodes.tag[page.blocks.first[index] : page.blocks.stop[index]]
            if medium := picture(page, first + tags.tolist().index(_IMAGE_TAG)):
                yield MediaBlock(page, document.verdicts, before, medium)


def _add_captions(document: Document, rows: Sequence[int], added: dict[_Place, Block]) -> None:
    """Add the captions of the pictures at `rows`; kept ones become captions where they are."""
    page, verdicts = document.page, document.verdicts
    for index, pictures in _captions(document, rows).items():
        row = pictures[-1]
        caption = Caption(page, verdicts, index, len(pictures), output=document.output)
        medium = added.get((row, 0))
        if isinstance(medium, MediaBlock) and medium.is_titled(caption):
            if caption.keep:
                name = name_of(medium.medium.address)
                added[row, 0] = MediaBlock(page, verdicts, medium.index, medium.medium._replace(title=name))
            else:
                continue
        if not caption.keep:
            added[row, 1 + index] = caption
        elif page.blocks.kind_code[index] != _CAPTION or caption.pictures > 1:
            added[page.blocks.first[index], 0] = caption


def _captions(document: Document, rows: Sequence[int]) -> dict[int, list[int]]:
    """The captions with the rows of their pictures: all those of a figure, else the first one beside it."""
    page, keep = document.page, document.verdicts.keep
    captions: dict[int, list[int]] = {}
    for row in rows if may_have_captions(page) else ():
        after = bisect_left(page.blocks.first, row)
        here = after < len(page.blocks) and page.blocks.first[after] == row
        for index in captions_of(page, row, after - 1, after + here):
            prose = keep[index] and not is_named_caption(page, index)
            if not prose and (index not in captions or figure_of(page, row) >= 0):
                captions.setdefault(index, []).append(row)
    return captions
