"""A page as methods see it: its nodes, its blocks and where it came from."""

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

from bonmun.model.block import Blocks
from bonmun.model.links import absolute
from bonmun.model.nodes import Nodes


@dataclass(frozen=True, eq=False)
class Page:
    """A read page. Nothing here changes once it is made; what a method thinks of it stands in `Verdicts`."""

    nodes: Nodes
    blocks: Blocks
    url: str | None = None
    encoding: str | None = None
    """What the bytes were decoded as; `None` for a page given as text."""
    warnings: tuple[str, ...] = ()
    """What was odd about the input: a lying charset, a cut."""

    def blocks_in(self, row: int) -> range:
        """The blocks that stand in an element."""
        first = self.blocks.first
        start = bisect_left(first, row)
        return range(start, bisect_left(first, self.nodes.end[row], start))

    @cached_property
    def base_url(self) -> str | None:
        """What relative links start from: `<base href>`, resolved against the page's own URL."""
        for row in self.nodes.rows_of("base"):
            href = self.nodes.attr(row, "href")
            if href is not None:
                return absolute(href, self.url) or self.url
        return self.url
