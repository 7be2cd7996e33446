"""Evidence per slot: the verdicts of `auto` pooled over pages, with recurring texts counted as noise."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from bonmun.model.metadata import Metadata
from bonmun.model.page import Page
from bonmun.model.verdict import Verdicts
from bonmun.read.metadata import read_metadata
from bonmun.sites.parameters import Parameters
from bonmun.sites.selectors import Names
from bonmun.sites.slots import SlotTree, stable_names

Text = bytes
"""A block's text as a slice of the page's UTF-8 buffer: compared without decoding."""


@dataclass(frozen=True)
class JudgedPage:
    """A page with its verdicts by `auto`."""

    page: Page
    verdicts: Verdicts

    @cached_property
    def texts(self) -> list[Text]:
        """The texts of all blocks."""
        blocks = self.page.blocks
        buffer = blocks.text_buffer
        return [buffer[start:stop] for start, stop in zip(blocks.text_start, blocks.text_stop, strict=True)]

    @cached_property
    def metadata(self) -> Metadata:
        """The page's metadata."""
        return read_metadata(self.page)

    @cached_property
    def identity(self) -> tuple[str, Text]:
        """The page's title and longest kept text: equal for two copies of one article."""
        nodes = self.page.nodes
        titles = nodes.rows_of("title")
        kept = (text for text, keep in zip(self.texts, self.verdicts.keep, strict=True) if keep)
        return nodes.content(titles[0]) if titles else "", max(kept, key=len, default=b"")


@dataclass(frozen=True)
class PlacedPage:
    """A judged page in the slot tree."""

    judged: JudgedPage
    slots: Sequence[int]
    """The slot of every block."""
    seen: frozenset[int]
    """All slots of the page."""


def survey(pages: Sequence[JudgedPage]) -> tuple[SlotTree, list[PlacedPage]]:
    """Build the slot tree of a site's pages, and place the pages in it."""
    tree = SlotTree()
    names = stable_names([judged.page for judged in pages])
    return tree, [_placed(tree, judged, named) for judged, named in zip(pages, names, strict=True)]


def _placed(tree: SlotTree, judged: JudgedPage, names: dict[int, Names]) -> PlacedPage:
    of_row = tree.add(judged.page, names)
    return PlacedPage(judged, [of_row[row] for row in judged.page.blocks.element], frozenset(of_row.values()))


@dataclass(frozen=True, slots=True)
class Evidence:
    """The pooled evidence of a template's pages, per slot."""

    tree: SlotTree
    pages: Sequence[PlacedPage]
    counts: Sequence[int]
    """The number of pages with the slot."""
    content: Sequence[float]
    """The characters of its own blocks, weighted by their probability of being content."""
    noise: Sequence[float]
    """The other characters of its own blocks."""
    repeated: frozenset[Text]
    """Texts that recur on different pages."""


def gather(tree: SlotTree, pages: Sequence[PlacedPage], parameters: Parameters) -> Evidence:
    """Pool the evidence of some pages."""
    repeated = repeated_texts([placed.judged for placed in pages], parameters)
    counts, content, noise = [0] * len(tree), [0.0] * len(tree), [0.0] * len(tree)
    for placed in pages:
        for slot in placed.seen:
            counts[slot] += 1
        judged = placed.judged
        columns = zip(judged.page.blocks.chars, judged.verdicts.keep, judged.verdicts.score[:], strict=True)
        for slot, text, (chars, keep, score) in zip(placed.slots, judged.texts, columns, strict=True):
            likely = 0.0 if text in repeated else chars * (keep + score) / 2
            content[slot] += likely
            noise[slot] += chars - likely
    return Evidence(tree, pages, counts, content, noise, repeated)


def repeated_texts(pages: Sequence[JudgedPage], parameters: Parameters) -> frozenset[Text]:
    """Return the texts that recur on pages with different content.

    Copies of one article count once: texts that they share are not boilerplate.
    """
    different = {judged.identity: judged for judged in reversed(pages)}
    counted: Counter[Text] = Counter()
    for judged in different.values():
        counted.update(set(judged.texts))
    often = max(2.0, parameters.repeated_share * len(different))
    return frozenset(
        text
        for text, count in counted.items()
        if count > 1 and text and (count >= often or len(text) >= parameters.repeated_length)
    )
