"""The document: what users hold."""

import datetime
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from bonmun import registry
from bonmun.model.block import Kind, rows_shown, text_of
from bonmun.model.inline import Run, runs
from bonmun.model.metadata import Metadata
from bonmun.model.page import Page
from bonmun.model.tags import HIDDEN
from bonmun.model.verdict import Analysis, Reason, Verdicts

if TYPE_CHECKING:
    from bonmun.analyze.analysed_document import AnalysedDocument
    from bonmun.analyze.keywords import Background, Keywords
    from bonmun.analyze.summary import Summary


class Status(StrEnum):
    """How an extraction ended."""

    OK = "ok"
    EMPTY = "empty"
    ABSTAINED = "abstained"


@dataclass(frozen=True, eq=False)
class Block:
    """One block of a page with the verdict on it."""

    page: Page
    verdicts: Verdicts
    index: int
    """Its place among all blocks of the page."""

    @property
    def keep(self) -> bool:
        """Whether it is what the reader came for."""
        return bool(self.verdicts.keep[self.index])

    @property
    def score(self) -> float:
        """0 … 1, how sure the method is that it is."""
        return self.verdicts.score[self.index]

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why it was kept or dropped."""
        return self.verdicts.reasons[self.index]

    @property
    def part(self) -> tuple[int, ...] | None:
        """The rows kept, where the method kept only a part of the block."""
        return self.verdicts.parts.get(self.index)

    @property
    def kind(self) -> Kind:
        """paragraph, heading, item, term, definition, cell, code, quote, caption or image."""
        return self.page.blocks.kind[self.index]

    @property
    def level(self) -> int:
        """A heading's level, the nesting of a list item or quote (1 = outermost); 0 for the rest."""
        return self.page.blocks.level[self.index]

    @property
    def continues(self) -> bool:
        """Whether only a single line break stands between this block and the one before."""
        return bool(self.page.blocks.continues[self.index])

    @property
    def hidden(self) -> bool:
        """Whether the page hides it until a script shows it."""
        return bool(self.page.blocks.flags[self.index] & HIDDEN)

    @property
    def text(self) -> str:
        """The text as a reader sees it; empty for an image."""
        if self.part is None:
            return self.page.blocks.text_at(self.index)
        return text_of(self.page.nodes, self.part, preformatted=self.kind is Kind.CODE)

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows of its text nodes in `page.nodes`."""
        blocks, nodes = self.page.blocks, self.page.nodes
        if self.part is not None:
            return self.part
        first, stop = blocks.first[self.index], blocks.stop[self.index]
        return tuple(row for row in rows_shown(nodes, first, stop, self.hidden) if nodes.chars[row])

    @cached_property
    def xpath(self) -> str:
        """The element that the block fills; its first node where other blocks stand in the same element."""
        blocks, nodes, at = self.page.blocks, self.page.nodes, self.index
        element, first = blocks.element[at], blocks.first[at]
        beside = (blocks.first[near] for near in (at - 1, at + 1) if 0 <= near < len(blocks))
        alone = not any(element <= row < nodes.end[element] for row in beside)
        return nodes.xpath(element if alone and self.kind is not Kind.IMAGE else first)

    @property
    def span(self) -> tuple[int, int] | None:
        """Where its text stands in the page's UTF-8 bytes, from the first character to the last; `None`: unknown.

        The bytes are the page's own where it came in UTF-8, else those it was decoded to.
        """
        starts, stops = self.page.nodes.source_start, self.page.nodes.source_stop
        rows = self.rows or (self.page.blocks.first[self.index],)
        if starts is None or stops is None:
            return None
        return min(starts[row] for row in rows), max(stops[row] for row in rows)

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """The text with its marks, links and images; the texts of its text runs together are `text`."""
        blocks, nodes = self.page.blocks, self.page.nodes
        rows = self.part
        if rows is None:
            first, stop = blocks.first[self.index], blocks.stop[self.index]
            rows = tuple(rows_shown(nodes, first, stop, self.hidden, images=True))
        return tuple(runs(nodes, rows, blocks.element[self.index], self.page.base_url, self.kind is Kind.CODE))

    @property
    def code_language(self) -> str | None:
        """The language of a code block, where the page names it (``class="language-python"``)."""
        if self.kind is not Kind.CODE:
            return None
        nodes, first = self.page.nodes, self.page.blocks.first[self.index]
        for row in list(nodes.ancestors(first))[:4]:
            for word in (nodes.attr(row, "class") or "").split():
                prefix, dash, language = word.partition("-")
                if dash and prefix in ("language", "lang") and language.replace("-", "").isalnum():
                    return language
        return None

    def __repr__(self) -> str:
        mark = "+" if self.keep else "-"
        return f"<Block {mark} {self.kind} {self.score:.2f} {self.text[:60]!r}>"


class Document:
    """What a reader came for, with the reasons: never `None`; `status` says whether anything was found, and why not.

    >>> import bonmun
    >>> doc = bonmun.extract("<title>Sea</title><body><p>The sea was calm that morning, and nobody spoke.</p>")
    >>> doc.status, doc.title, doc.text
    (<Status.OK: 'ok'>, 'Sea', 'The sea was calm that morning, and nobody spoke.')
    """

    def __init__(self, page: Page, verdicts: Verdicts, method: str, read_metadata: Callable[[Page], Metadata]) -> None:
        self.page = page
        self.verdicts = verdicts
        self.method = method
        """Who decided."""
        self._read_metadata = read_metadata

    @cached_property
    def all_blocks(self) -> Sequence[Block]:
        """Every block of the page, kept or dropped, in order."""
        return tuple(Block(self.page, self.verdicts, index) for index in range(len(self.page.blocks)))

    @cached_property
    def blocks(self) -> Sequence[Block]:
        """The kept blocks, in order."""
        return tuple(Block(self.page, self.verdicts, index) for index, keep in enumerate(self.verdicts.keep) if keep)

    @cached_property
    def comments(self) -> Sequence[Block]:
        """Readers' comments on an article, block by block: they are no part of its text."""
        return tuple(
            Block(self.page, self.verdicts, index) for index, ours in enumerate(self.verdicts.comments) if ours
        )

    @property
    def status(self) -> Status:
        """`ok`, `empty` or `abstained`."""
        if self.verdicts.abstained:
            return Status.ABSTAINED
        return Status.OK if any(self.verdicts.keep) else Status.EMPTY

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """What there is to say of the page as a whole: why nothing was found, why the method abstained."""
        return self.verdicts.notes

    @property
    def confidence(self) -> float:
        """0 … 1, how much the method trusts its answer."""
        return self.verdicts.confidence

    @property
    def page_type(self) -> str | None:
        """What kind of page it is, where the method tells."""
        return self.verdicts.page_type

    @property
    def analysis(self) -> Analysis | None:
        """The method's intermediate results."""
        return self.verdicts.analysis

    @property
    def url(self) -> str | None:
        """Where the page came from, as given."""
        return self.page.url

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was odd about the input, a lying charset or a cut, and what the method had to do without."""
        return self.page.warnings + self.verdicts.warnings

    @cached_property
    def metadata(self) -> Metadata:
        """All that the page says about itself."""
        return self._read_metadata(self.page)

    @property
    def title(self) -> str | None:
        """The title of what the reader came for, without the site's name."""
        return self.metadata.title

    @property
    def author(self) -> str | None:
        """Who wrote it."""
        return self.metadata.author

    @property
    def date(self) -> datetime.date | None:
        """When it was published."""
        return self.metadata.date

    @property
    def language(self) -> str | None:
        """The language it is in: `ko`, `en`, `zh-TW`."""
        return self.metadata.language

    @cached_property
    def text(self) -> str:
        """Plain text: one line per block, an empty line between paragraphs."""
        return self.write("text")

    @cached_property
    def markdown(self) -> str:
        """CommonMark with GFM tables."""
        return self.write("markdown")

    @cached_property
    def html(self) -> str:
        """Sanitised HTML, safe to show."""
        return self.write("html")

    def to_markdown(self, *, front_matter: bool = False, title: bool = False) -> str:
        """Markdown, if asked for with YAML front matter and with the title as a heading unless the text begins with it.

        >>> import bonmun
        >>> doc = bonmun.extract("<title>Sea</title><body><p>The sea was calm that morning, and nobody spoke.</p>")
        >>> print(doc.to_markdown(title=True))
        # Sea
        <BLANKLINE>
        The sea was calm that morning, and nobody spoke.
        """
        return registry.writer("markdown")(self, front_matter=front_matter, title=title)

    def to_json(self) -> str:
        """Versioned JSON, as `bonmun/write/document.schema.json` describes it."""
        return self.write("json")

    def to_dict(self) -> dict[str, object]:
        """The same as plain data."""
        data: dict[str, object] = json.loads(self.to_json())
        return data

    def to_xml(self) -> str:
        """XML, as `bonmun/write/document.xsd` describes it: the exchange format."""
        return self.write("xml")

    def explain(self) -> str:
        """The page with every verdict drawn on it, as one self-contained HTML file in which no script runs."""
        return self.write("explain")

    def write(self, format: str) -> str:
        """The document in any registered format."""
        return registry.writer(format)(self)

    def keywords(self, most: int = 10, background: "Background | None" = None) -> "Keywords":
        """The keywords and key phrases of the text, with their places in the blocks.

        Weighed against other documents where there is a `background` of them.

        >>> import bonmun
        >>> doc = bonmun.extract("<title>Tea</title><p>Tea needs water. Water has to boil for black tea.")
        >>> [keyword.text for keyword in doc.keywords(2)]
        ['Tea', 'water']
        """
        return self._analysed.keywords(most, background)

    def summary(self, most: int = 3) -> "Summary":
        """The sentences that say most of what the text says, in its order; `str` of it is plain text."""
        return self._analysed.summary(most)

    @cached_property
    def _analysed(self) -> "AnalysedDocument":
        return registry.analyser()(self)

    def __repr__(self) -> str:
        kept = len(self.blocks)
        return f"<Document {self.status} {self.title!r} {kept} of {len(self.all_blocks)} blocks by {self.method}>"
