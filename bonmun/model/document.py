"""The document: the result of an extraction."""

import datetime
import json
from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from bonmun import registry
from bonmun.deadline import within
from bonmun.errors import LimitExceeded
from bonmun.limits import DEFAULT_LIMITS, Limits
from bonmun.model.collector import paused
from bonmun.model.judged_block import Block
from bonmun.model.kept_notes import NO_NOTES, KeptNotes, kept_notes
from bonmun.model.lazy import lazy
from bonmun.model.metadata import Metadata
from bonmun.model.output import DEFAULT_OUTPUT, Output
from bonmun.model.page import Page
from bonmun.model.selection import selected
from bonmun.model.verdict import Analysis, Reason, Verdicts

if TYPE_CHECKING:
    from bonmun.analyze.analysed_document import AnalysedDocument
    from bonmun.analyze.keywords import Background, Keywords
    from bonmun.analyze.summary import Summary
    from bonmun.model.comment import Comment
    from bonmun.write.chunks import Chunk


class Status(StrEnum):
    """The outcome of an extraction.

    >>> import bonmun
    >>> bonmun.extract("<frameset></frameset>").status
    <Status.EMPTY: 'empty'>
    """

    OK = "ok"
    EMPTY = "empty"
    ABSTAINED = "abstained"


class LateParts(Protocol):
    """What makes the page and the verdicts of a document when they are asked for."""

    def page(self) -> Page:
        """Make the page."""

    def verdicts(self, page: Page) -> Verdicts:
        """Make the verdicts on it."""


class Document:
    """The main content of a page with the reasons for it. Never `None`: `status` tells whether anything was kept.

    Picklable. Two documents are equal if page, verdicts, method, output and metadata are.

    >>> import bonmun
    >>> doc = bonmun.extract("<title>Sea</title><body><p>The sea was calm that morning, and nobody spoke.</p>")
    >>> doc.status, doc.title, doc.text
    (<Status.OK: 'ok'>, 'Sea', 'The sea was calm that morning, and nobody spoke.')
    """

    output: Output = DEFAULT_OUTPUT
    """The parts that the writers show."""
    _late: "LateParts"
    _written: "tuple[object, bytes] | None" = None
    limits: Limits = DEFAULT_LIMITS
    """The limits of each output."""

    def __init__(
        self,
        page: Page,
        verdicts: Verdicts,
        method: str,
        metadata: Metadata | None = None,
        output: Output = DEFAULT_OUTPUT,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.page = page
        self.verdicts = verdicts
        self.method = method
        """The name of the method that decided."""
        if output is not DEFAULT_OUTPUT:
            self.output = output
        if limits is not DEFAULT_LIMITS:
            self.limits = limits
        if metadata is not None:
            self.metadata = metadata

    @classmethod
    def late(cls, parts: LateParts, method: str, written: "tuple[object, bytes]", limits: Limits) -> "Document":
        """A document whose page and verdicts are made when first asked for.

        `written`: the page as the compiled core writes it, and its kept blocks.
        """
        document = cls.__new__(cls)
        fields = vars(document)
        fields["_late"], fields["method"], fields["_written"] = parts, method, written
        if limits is not DEFAULT_LIMITS:
            fields["limits"] = limits
        return document

    @lazy
    def page(self) -> Page:
        """The page that was read."""
        return self._late.page()

    @lazy
    def verdicts(self) -> Verdicts:
        """The verdicts of the method."""
        return self._late.verdicts(self.page)

    def with_output(self, output: Output) -> "Document":
        """The same document with other parts shown by its writers.

        >>> import bonmun
        >>> doc = bonmun.extract("<title>Sea</title><body><p>The sea was calm that morning, and nobody spoke.</p>")
        >>> doc.with_output(bonmun.Output(title=True)).text
        'Sea\\n\\nThe sea was calm that morning, and nobody spoke.'
        """
        return Document(self.page, self.verdicts, self.method, vars(self).get("metadata"), output, self.limits)

    @lazy
    def all_blocks(self) -> Sequence[Block]:
        """Every block of the page, kept or dropped, in order."""
        return tuple(Block(self.page, self.verdicts, index) for index in range(len(self.page.blocks)))

    @lazy
    def kept(self) -> "array[int]":
        """The indexes of the kept blocks, without those that `output` switches off."""
        kept = self.verdicts.kept
        return kept if self.output.is_complete else array("i", selected(self.page, kept, self.output))

    @lazy
    def footnotes(self) -> KeptNotes:
        """The footnotes whose mark and body were kept."""
        return kept_notes(self.page, self.verdicts) if self.page.footnotes else NO_NOTES

    @lazy
    def blocks(self) -> Sequence[Block]:
        """The kept blocks, in order, without those that `output` switches off."""
        notes, output = self.footnotes, self.output
        blocks = tuple(Block(self.page, self.verdicts, index, output=output) for index in self.kept)
        return tuple(block.with_notes(notes) for block in blocks) if notes.labels else blocks

    @lazy
    def comments(self) -> "Sequence[Comment]":
        """The readers' comments, which are not part of the text; replies are inside the comments they answer."""
        if not any(self.verdicts.comments):
            return ()
        with within(self.limits.seconds):
            return registry.comment_reader()(self.page, self.verdicts, self.output)

    @lazy
    def comment_blocks(self) -> Sequence[Block]:
        """The blocks of the comment area, with bylines, buttons and all: `comments` has the comments alone."""
        flags = enumerate(self.verdicts.comments)
        return tuple(Block(self.page, self.verdicts, index, output=self.output) for index, comment in flags if comment)

    @property
    def status(self) -> Status:
        """`ok`, `empty` or `abstained`."""
        if self.verdicts.abstained:
            return Status.ABSTAINED
        return Status.OK if any(self.verdicts.keep) else Status.EMPTY

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Reasons that concern the page as a whole: why nothing was kept, why the method abstained."""
        return self.verdicts.notes

    @property
    def confidence(self) -> float:
        """0 … 1, the method's confidence in its answer."""
        return self.verdicts.confidence

    @property
    def page_type(self) -> str | None:
        """The type of the page, such as `article`; `None` if the method does not classify pages."""
        return self.verdicts.page_type

    @property
    def analysis(self) -> Analysis | None:
        """The method's intermediate results."""
        return self.verdicts.analysis

    @property
    def url(self) -> str | None:
        """The page's URL, as given."""
        return self.page.url

    @property
    def warnings(self) -> tuple[str, ...]:
        """Oddities of the input, such as a truncation, and degradations of the method; that the page was rendered."""
        rendered = (self.page.layout.note,) if self.page.layout else ()
        return self.page.warnings + rendered + self.verdicts.warnings

    @lazy
    def metadata(self) -> Metadata:
        """The page's metadata, read at first access."""
        with within(self.limits.seconds):
            return (self.verdicts.read_metadata or registry.metadata_reader())(self.page)

    @property
    def title(self) -> str | None:
        """The title, without the site's name."""
        return self.metadata.title

    @property
    def author(self) -> str | None:
        """The author or authors."""
        return self.metadata.author

    @property
    def authors(self) -> tuple[str, ...]:
        """The names of the authors."""
        return self.metadata.authors

    @property
    def date(self) -> datetime.date | None:
        """The day of publication; `published` has its time."""
        return self.metadata.date

    @property
    def published(self) -> datetime.datetime | None:
        """The date with its time and zone, where the page states them."""
        return self.metadata.published

    @property
    def modified(self) -> datetime.datetime | None:
        """When the page was last changed."""
        return self.metadata.modified

    @property
    def site(self) -> str | None:
        """The site's name, else its host."""
        return self.metadata.site

    @property
    def hostname(self) -> str | None:
        """The host of the page's URL."""
        return self.metadata.hostname

    @lazy
    def language(self) -> str | None:
        """The language: `ko`, `en`, `zh-TW`. Alone it is read without the other metadata."""
        if "metadata" in vars(self) or self.verdicts.read_metadata:
            return self.metadata.language
        with within(self.limits.seconds):
            return registry.language_reader()(self.page)

    @lazy
    def text(self) -> str:
        """Plain text: one line per block, an empty line between paragraphs."""
        written = registry.plain_text()(*self._written) if self._written else None
        if written is None:
            return self.write("text")
        self._check_length(len(written))
        return written

    @lazy
    def markdown(self) -> str:
        """CommonMark with GFM tables."""
        return self.write("markdown")

    @lazy
    def html(self) -> str:
        """Sanitised HTML, safe to show."""
        return self.write("html")

    def to_text(self, output: Output | None = None) -> str:
        """Plain text with the parts that `output` names."""
        return self.write("text", output)

    def to_markdown(self, output: Output | None = None, *, front_matter: bool = False, title: bool = False) -> str:
        """Markdown with the parts that `output` names.

        `front_matter` and `title` are short for those switches of `output`.

        >>> import bonmun
        >>> doc = bonmun.extract("<title>Sea</title><body><p>The sea was calm that morning, and nobody spoke.</p>")
        >>> print(doc.to_markdown(title=True))
        # Sea
        <BLANKLINE>
        The sea was calm that morning, and nobody spoke.
        """
        output = output or self.output
        front_matter, title = front_matter or output.front_matter, title or output.title
        return self.write("markdown", replace(output, front_matter=front_matter, title=title))

    def to_html(self, output: Output | None = None) -> str:
        """Sanitised HTML with the parts that `output` names."""
        return self.write("html", output)

    def to_json(self, output: Output | None = None) -> str:
        """Versioned JSON; the schema is `bonmun/write/document.schema.json`."""
        return self.write("json", output)

    def to_dict(self, output: Output | None = None) -> dict[str, object]:
        """The same as `to_json`, as plain data."""
        data: dict[str, object] = json.loads(self.to_json(output))
        return data

    def to_xml(self, output: Output | None = None) -> str:
        """XML, the exchange format; the schema is `bonmun/write/document.xsd`."""
        return self.write("xml", output)

    def explain(self) -> str:
        """The page with every verdict drawn on it: one self-contained HTML file without scripts."""
        return self.write("explain")

    def explain_rendered(self) -> str:
        """The screenshot of a rendered page with every verdict drawn on it: one HTML file without scripts.

        `RenderError` if the page has no screenshot: `RenderSettings.screenshot` takes one.
        """
        return self.write("rendered")

    def write(self, format: str, output: Output | None = None) -> str:
        """The document in any registered format, with the parts that `output` names.

        Beyond the `seconds` or `output` of `limits` it raises `LimitExceeded`.
        """
        document = self if output is None or output == self.output else self.with_output(output)
        with within(self.limits.seconds), paused(len(self.page.nodes)):
            written = registry.writer(format)(document)
        self._check_length(len(written))
        return written

    def _check_length(self, characters: int) -> None:
        if characters > self.limits.output:
            raise LimitExceeded("output", characters, self.limits.output)

    def keywords(self, most: int = 10, background: "Background | None" = None) -> "Keywords":
        """The keywords and key phrases of the text, with their places in the blocks.

        A `background` of other documents lowers the weight of common words.

        >>> import bonmun
        >>> doc = bonmun.extract("<title>Tea</title><p>Tea needs water. Water has to boil for black tea.")
        >>> [keyword.text for keyword in doc.keywords(2)]
        ['Tea', 'water']
        """
        with within(self.limits.seconds):
            return self._analysed.keywords(most, background)

    def summary(self, most: int = 3) -> "Summary":
        """The most representative sentences, in text order; `str` of it is plain text."""
        with within(self.limits.seconds):
            return self._analysed.summary(most)

    def chunks(
        self,
        max_tokens: int | None = None,
        *,
        max_chars: int | None = None,
        by: str = "heading",
        format: str = "markdown",
        tokens: "Callable[[str], int] | None" = None,
    ) -> "tuple[Chunk, ...]":
        """Cut the document into chunks for retrieval, each with its heading path, blocks and offsets.

        `by` is ``"heading"`` or ``"size"``, `format` is ``"markdown"`` or ``"text"``, and `tokens` counts the tokens of
        a text. Tables and code are never cut. Without a limit, each section is a chunk.

        >>> import bonmun
        >>> html = "<h1>Tea</h1><p>Tea is made of leaves.</p><h2>Water</h2><p>Water has to boil for black tea.</p>"
        >>> for chunk in bonmun.extract(html).chunks(max_chars=50):
        ...     print(chunk.headings, chunk.text.splitlines())
        ('Tea',) ['# Tea', '', 'Tea is made of leaves.']
        ('Tea', 'Water') ['## Water', '', 'Water has to boil for black tea.']
        """
        with within(self.limits.seconds), paused(len(self.page.nodes)):
            made = registry.chunker()(self, max_tokens, max_chars=max_chars, by=by, format=format, tokens=tokens)
        self._check_length(sum(len(chunk.text) for chunk in made))
        return made

    @lazy
    def _analysed(self) -> "AnalysedDocument":
        return registry.analyser()(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Document):
            return NotImplemented
        names = ("page", "method", "output", "verdicts", "metadata")
        return self is other or all(getattr(self, name) == getattr(other, name) for name in names)

    def __hash__(self) -> int:
        return hash((self.page, self.method))

    def __getstate__(self) -> dict[str, Any]:
        """Page, verdicts, method, output and limits; metadata if known. The rest is derived again after loading."""
        own = vars(self)
        state = {"page": self.page, "verdicts": self.verdicts, "method": self.method}
        return state | {name: own[name] for name in ("output", "limits", "metadata") if name in own}

    def _repr_html_(self) -> str:
        """The document in a notebook: title and metadata, and the content to unfold."""
        return registry.display()(self)

    def __repr__(self) -> str:
        kept = len(self.blocks)
        return f"<Document {self.status} {self.title!r} {kept} of {len(self.all_blocks)} blocks by {self.method}>"
