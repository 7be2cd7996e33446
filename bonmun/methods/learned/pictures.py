"""Pictures have no words to be judged by: the text around them decides."""

from collections.abc import Collection, Sequence

from bonmun.model.block import KINDS, Kind
from bonmun.model.figures import Surroundings
from bonmun.model.page import Page

_IMAGE = KINDS.index(Kind.IMAGE)


def drop_pictures(page: Page, keep: bytearray, decided: Collection[int] = ()) -> list[int]:
    """Drop the pictures, except those in `decided`; return those not far from the kept text."""
    pictures = [index for index, kind in enumerate(page.blocks.kind_code) if kind == _IMAGE and index not in decided]
    for index in pictures:
        keep[index] = 0
    near = range(keep.find(1) - 1, keep.rfind(1) + 2)
    return [index for index in pictures if index in near]


def keep_pictures_inside(page: Page, keep: bytearray, pictures: Sequence[int]) -> None:
    """Keep those pictures that are between two kept texts, captions aside, and those whose caption is kept."""
    if pictures:
        texts = Surroundings(page, keep)
        for index in pictures:
            row = page.blocks.first[index]
            keep[index] = texts.are_kept(index) or texts.caption_is_kept(row, index - 1, index + 1)
