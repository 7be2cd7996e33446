"""What a worker process does with one source: read it, extract, write the document in one format."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.cli.sources import Kind, Source, read
from bonmun.limits import Limits

if TYPE_CHECKING:
    from bonmun.model.document import Document

_LIMITS = Limits()
TABLE = "table"
"""The verdicts as a table for a terminal: not a document, so not a registered format."""
_GRACE_SECONDS = 10.0
"""For starting and for writing, beyond what reading and extracting may take."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where a table will be shown."""

    width: int = 80
    styled: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """A document, written; and what there is to say of it: why it is empty, what was odd about the page."""

    text: str
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """How a method is to decide."""

    site: str | None = None
    """A saved site, or a folder of such, that decides where it knows the page."""
    prefer: str = "balance"
    abstain_below: float = 0.0


@dataclass(frozen=True, slots=True)
class Request:
    """What is wanted of every source; calling it answers it for one."""

    method: str = "auto"
    format: str = "text"
    url: str | None = None
    charset: str | None = None
    allow_private: bool = False
    limits: Limits = _LIMITS
    terminal: Terminal = Terminal()
    choice: Choice = Choice()

    def __call__(self, source: Source) -> Answer:
        """Return the document of a source, written."""
        # Imported here, in the worker: the first process starts quickly and never needs it.
        from bonmun.cli.known_sites import known_sites
        from bonmun.pipeline import extract

        raw = read(source, self.limits.bytes, allow_private=self.allow_private)
        document = extract(
            raw.content,
            url=self.url or raw.url,
            method=self.method,
            charset=self.charset or raw.content_type,
            limits=self.limits,
            sites=known_sites(self.choice.site) if self.choice.site else None,
            prefer=self.choice.prefer,
            abstain_below=self.choice.abstain_below,
        )
        return Answer(self._written(document), _note(document, reasons=self.choice.site is not None))

    def seconds(self, source: Source) -> float:
        """Return how long a source may take before its process is stopped."""
        allowed = self.limits.seconds + _GRACE_SECONDS
        if source.kind is Kind.URL:
            from bonmun.middleware.network import DEFAULT_POLICY

            allowed += DEFAULT_POLICY.seconds
        return allowed

    def _written(self, document: "Document") -> str:
        return self._table(document) if self.format == TABLE else document.write(self.format)

    def _table(self, document: "Document") -> str:
        from io import StringIO

        from rich.console import Console

        from bonmun.write.explain_table import table

        out = StringIO()
        Console(file=out, width=self.terminal.width, force_terminal=self.terminal.styled).print(table(document))
        return out.getvalue()


def _note(document: "Document", *, reasons: bool = False) -> str | None:
    """What there is to say of a document; with `reasons`, also why a site's template did not decide."""
    notes = [f"warning: {warning}" for warning in document.warnings]
    if reasons and document.status == "ok":
        notes += map(str, document.reasons)
    if document.status != "ok":
        notes.insert(0, f"{document.status}: {'; '.join(map(str, document.reasons)) or 'no reason given'}")
    return "; ".join(notes) or None
