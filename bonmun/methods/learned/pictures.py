"""Pictures have no words to be judged by: the text around them decides."""

from collections.abc import Container

from bonmun.model.block import KINDS, Kind
from bonmun.model.figures import Surroundings
from bonmun.model.page import Page

_IMAGE = KINDS.index(Kind.IMAGE)


def keep_pictures_inside(page: Page, keep: bytearray, decided: Container[int] = ()) -> None:
    """Keep the pictures between two kept texts, captions and hidden texts aside, and drop the others.

    Pictures in `decided` are left alone.
    """
    pictures = [index for index, kind in enumerate(page.blocks.kind_code) if kind == _IMAGE and index not in decided]
    if pictures:
        texts = Surroundings(page, keep)
        for index in pictures:
            # A picture in a button is often an icon, and stays only where it did without these exceptions.
            keep[index] = texts.are_kept(index, 1) if page.blocks.flags[index] else texts.are_kept(index)
