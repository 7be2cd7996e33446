"""Pictures have no words to be judged by: the text around them decides."""

from array import array
from collections.abc import Collection, Sequence

from bonmun.core import core
from bonmun.methods.learned.candidates import joined
from bonmun.model.block import KINDS, Kind
from bonmun.model.figures import CAPTION_SIGNS, Surroundings
from bonmun.model.page import Page

_IMAGE = KINDS.index(Kind.IMAGE)
_CAPTIONS = joined(CAPTION_SIGNS)


def keep_pictures_inside(
    page: Page, keep: bytearray, decided: Collection[int] = (), measured: object | None = None
) -> None:
    """Keep the pictures between two kept texts, captions aside, and those whose caption is kept.

    The others are dropped, except those in `decided`, which are left alone. `measured`: the page as `_core` measured
    it, which leaves only those beside captions to be looked at here.
    """
    compiled = core()
    if compiled and measured is not None:
        found = compiled.pictures(measured, keep, array("i", decided), _CAPTIONS)
        inside: Sequence[int] = memoryview(found).cast("i").tolist() if found else ()
    else:
        inside = _drop_all(page, keep, decided)
    if inside:
        texts = Surroundings(page, keep)
        for index in inside:
            row = page.blocks.first[index]
            keep[index] = texts.are_kept(index) or texts.caption_is_kept(row, index - 1, index + 1)


def _drop_all(page: Page, keep: bytearray, decided: Collection[int]) -> list[int]:
    """Drop the pictures; return those not far from the kept text."""
    pictures = [index for index, kind in enumerate(page.blocks.kind_code) if kind == _IMAGE and index not in decided]
    for index in pictures:
        keep[index] = 0
    near = range(keep.find(1) - 1, keep.rfind(1) + 2)
    return [index for index in pictures if index in near]
