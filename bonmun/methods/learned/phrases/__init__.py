"""What the columns of the feature table say of a block, in words that the owner of a page would use."""

from typing import Final

from bonmun.methods.learned.phrases import about_names, about_place, about_surroundings, about_text
from bonmun.methods.learned.phrases.block_row import BlockRow
from bonmun.methods.learned.phrases.decisions import Decision

PHRASES: Final[dict[str, Decision]] = {
    **about_text.PHRASES,
    **about_place.PHRASES,
    **about_surroundings.PHRASES,
    **about_names.PHRASES,
}
"""A phrase for each column but those of the page as a whole, which are the same for all of its blocks."""

_SHARED_OF_KEPT: Final = about_names.SHARED | about_surroundings.SHARED
SHARED: Final = (_SHARED_OF_KEPT | about_text.SHARED, _SHARED_OF_KEPT)
"""For dropped and for kept blocks: the functions with a phrase that another of them may give of the same block."""

OF_BLOCKS: Final = about_text.OF_BLOCKS | about_place.OF_BLOCKS | about_surroundings.OF_BLOCKS | about_names.SHARED
"""Functions of several columns that look at the block, whatever the column: they are asked once."""

__all__ = ["OF_BLOCKS", "PHRASES", "SHARED", "BlockRow", "Decision"]
