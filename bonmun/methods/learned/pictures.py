"""Pictures have no words to be judged by: the text around them decides."""

from collections.abc import Container

from bonmun.model.block import KINDS, Kind
from bonmun.model.figures import Surroundings
from bonmun.model.page import Page

_IMAGE = KINDS.index(Kind.IMAGE)


def keep_pictures_inside(page: Page, keep: bytearray, decided: Container[int] = ()) -> None:
    """Keep the pictures between two kept texts, captions aside, and those whose caption is kept.

    The others are dropped, except those in `decided`, which are left alone.
    """
    kinds = page.blocks.kind_code.tolist()
    if _IMAGE not in kinds:
        return
    pictures = [index for index, kind in enumerate(kinds) if kind == _IMAGE and index not in decided]
    for index in pictures:
        keep[index] = 0
    near = range(keep.find(1) - 1, keep.rfind(1) + 2)
    if inside := [index for index in pictures if index in near]:
        texts = Surroundings(page, keep)
        for index in inside:
            row = page.blocks.first[index]
            keep[index] = texts.are_kept(index) or texts.caption_is_kept(row, index - 1, index + 1)
