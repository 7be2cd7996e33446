"""What pages say about the slots of their templates: `auto`'s verdicts pooled, less the texts that recur."""

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
"""A block's text in UTF-8, as it stands in the page's buffer: comparing it needs no copy in another form."""


@dataclass(frozen=True)
class JudgedPage:
    """A page with what `auto` thinks of it."""

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
        """What the page says of itself."""
        return read_metadata(self.page)

    @cached_property
    def identity(self) -> tuple[str, Text]:
        """The page's title and its longest kept text: the same for two copies of one article."""
        nodes = self.page.nodes
        titles = nodes.rows_of("title")
        kept = (text for text, keep in zip(self.texts, self.verdicts.keep, strict=True) if keep)
        return nodes.content(titles[0]) if titles else "", max(kept, key=len, default=b"")


@dataclass(frozen=True)
class PlacedPage:
    """A judged page in a tree of slots."""

    judged: JudgedPage
    slots: Sequence[int]
    """The slot of every block."""
    seen: frozenset[int]
    """All slots that the page has."""


def survey(pages: Sequence[JudgedPage]) -> tuple[SlotTree, list[PlacedPage]]:
    """The slots of all pages of a site."""
    tree = SlotTree()
    names = stable_names([judged.page for judged in pages])
    return tree, [_placed(tree, judged, named) for judged, named in zip(pages, names, strict=True)]


def _placed(tree: SlotTree, judged: JudgedPage, names: dict[int, Names]) -> PlacedPage:
    of_row = tree.add(judged.page, names)
    return PlacedPage(judged, [of_row[row] for row in judged.page.blocks.element], frozenset(of_row.values()))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the pages of one template say about each slot."""

    tree: SlotTree
    pages: Sequence[PlacedPage]
    counts: Sequence[int]
    """On how many of the pages a slot was seen."""
    content: Sequence[float]
    """Characters of its own blocks, weighed by how likely they are content."""
    noise: Sequence[float]
    repeated: frozenset[Text]


def gather(tree: SlotTree, pages: Sequence[PlacedPage], parameters: Parameters) -> Evidence:
    """Pool what some pages say."""
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
    """The texts that recur on pages with different content.

    One article that was saved twice is one page here: what its two copies share is no boilerplate.
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
