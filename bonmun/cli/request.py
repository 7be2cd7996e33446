"""The task of a worker process: read one page, extract, write the document in one format."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun import registry
from bonmun.cli.chunk_records import chunk_records
from bonmun.cli.fields import CHUNKS, record_of
from bonmun.cli.filters import Filters, Traits, traits_of
from bonmun.cli.pages import read
from bonmun.cli.sources import PageSource, SourceKind
from bonmun.limits import DEFAULT_LIMITS, Limits
from bonmun.model.output import DEFAULT_OUTPUT, Output
from bonmun.rendering.settings import RenderSettings

if TYPE_CHECKING:
    from bonmun.inputs.saved_page import Raw
    from bonmun.model.document import Document
    from bonmun.model.page import Page

TABLE = "table"
"""The verdicts as a table for a terminal: not a document, so not a registered format."""
_GRACE_SECONDS = 10.0
"""For importing the pipeline and for writing, beyond the limit on reading and extracting."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """Width and style of the terminal that shows a table."""

    width: int = 80
    styled: bool = False


@dataclass(frozen=True, slots=True)
class WrittenDocument:
    """A document as text, with a note for standard error: why it is empty, warnings about the page."""

    text: str
    note: str | None = None
    status: str = "ok"
    title: str | None = None
    """For a manifest; None if nothing needs it."""
    traits: Traits | None = None
    """For filters; None without any."""


@dataclass(frozen=True, slots=True)
class MethodOptions:
    """Options of the extraction method."""

    site: str | None = None
    """A site file, or a folder of site files; its templates decide on pages that they match."""
    prefer: str = "balance"
    abstain_below: float = 0.0
    model: str | None = None
    """A model file for the method `auto`; None for the shipped model."""


@dataclass(frozen=True, slots=True)
class Request:
    """How to extract and write every page; call it with one."""

    method: str = "auto"
    format: str = "text"
    url: str | None = None
    charset: str | None = None
    allow_private: bool = False
    limits: Limits = DEFAULT_LIMITS
    terminal: Terminal = Terminal()
    options: MethodOptions = MethodOptions()
    output: Output = DEFAULT_OUTPUT
    fields: tuple[str, ...] = ()
    """The fields of a compact record instead of the whole document."""
    filters: Filters | None = None
    max_tokens: int | None = None
    """The limit of a chunk."""
    render: RenderSettings | None = None
    """Draw every page in a browser first."""
    with_title: bool = False
    """Return the title too, for a manifest."""

    def __call__(self, source: PageSource) -> WrittenDocument:
        """Extract a source and write its document."""
        # Imported here, in the worker: the parent process never needs it and starts faster.
        from bonmun.cli.given_model import given_model
        from bonmun.cli.known_sites import known_sites
        from bonmun.pipeline import extract

        raw = read(source, self.limits.bytes, allow_private=self.allow_private)
        document = extract(
            raw.content if self.render is None else self._drawn(raw, self.render),
            url=self.url or raw.url,
            method=given_model(self.options.model) if self.options.model else self.method,
            charset=self.charset or raw.content_type,
            limits=self.limits,
            sites=known_sites(self.options.site) if self.options.site else None,
            prefer=self.options.prefer,
            abstain_below=self.options.abstain_below,
        )
        return WrittenDocument(
            self._written(document.with_output(self.output)),
            _note(document, reasons=self.options.site is not None),
            document.status.value,
            document.title if self.with_title else None,
            traits_of(document, self.filters) if self.filters else None,
        )

    def seconds(self, source: PageSource) -> float:
        """Return the time limit for a source, after which its process is killed."""
        allowed = self.limits.seconds + _GRACE_SECONDS
        if source.kind is SourceKind.URL:
            from bonmun.middleware.network import DEFAULT_POLICY

            allowed += DEFAULT_POLICY.seconds
        return allowed + (registry.rendering_seconds(self.render) if self.draws else 0.0)

    @property
    def draws(self) -> bool:
        """Whether pages are drawn in a browser."""
        return self.render is not None or registry.needs_layout(self.method)

    def _drawn(self, raw: "Raw", settings: RenderSettings) -> "Page":
        from bonmun.deadline import within
        from bonmun.read.page import read_page

        with within(self.limits.seconds):
            page = read_page(
                raw.content, url=self.url or raw.url, charset=self.charset or raw.content_type, limits=self.limits
            )
        return registry.renderer()(page, settings)

    def _written(self, document: "Document") -> str:
        if self.format == TABLE:
            return self._table(document)
        if self.format == CHUNKS:
            return json.dumps(chunk_records(document, self.max_tokens), ensure_ascii=False)
        if self.fields:
            return json.dumps(record_of(document, self.fields), ensure_ascii=False)
        return document.write("json" if self.format == "jsonl" else self.format)

    def _table(self, document: "Document") -> str:
        from io import StringIO

        from rich.console import Console

        from bonmun.write.explain_table import table

        out = StringIO()
        Console(file=out, width=self.terminal.width, force_terminal=self.terminal.styled).print(table(document))
        return out.getvalue()


def _note(document: "Document", *, reasons: bool = False) -> str | None:
    """Return status and warnings of a document; with `reasons`, also why a site's template did not decide."""
    notes = [f"warning: {warning}" for warning in document.warnings if warning != "rendered"]  # as asked for
    if reasons and document.status == "ok":
        notes += map(str, document.reasons)
    if document.status != "ok":
        notes.insert(0, f"{document.status}: {'; '.join(map(str, document.reasons)) or 'no reason given'}")
    return "; ".join(notes) or None
