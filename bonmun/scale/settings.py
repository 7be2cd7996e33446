"""What a batch asks for."""

from dataclasses import dataclass

from bonmun.errors import UnknownName
from bonmun.limits import DEFAULT_LIMITS, Limits
from bonmun.model.output import DEFAULT_OUTPUT, Output
from bonmun.registry import Method, SiteLookup

TEXTS = ("text", "markdown", "html")
"""The outputs that can be columns."""


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """How the pages of a batch are extracted, and which columns the answer has. It can be pickled.

    >>> BatchSettings(texts=("text", "markdown"), blocks=True).texts
    ('text', 'markdown')
    """

    texts: tuple[str, ...] = ("text",)
    """Outputs that are columns: `text`, `markdown`, `html`."""
    blocks: bool = False
    """Whether the kept blocks are a nested column."""
    timings: bool = True
    """Whether `timings` is filled; without them, equal pages give equal rows."""
    method: str | Method = "auto"
    prefer: str | float = "balance"
    abstain_below: float = 0.0
    sites: SiteLookup | None = None
    """Sites whose templates decide instead of `auto`."""
    output: Output = DEFAULT_OUTPUT
    limits: Limits = DEFAULT_LIMITS
    """Limits of each page."""
    html: str = "html"
    """The input column with the pages: bytes or text."""
    url: str = "url"
    """The input column with their addresses; it may be missing."""
    charset: str = "charset"
    """The input column with the charsets of HTTP headers; it may be missing."""
    failure: str = "failure"
    """The input column of structs `type`, `message`: the errors of pages that were not read; it may be missing."""

    def __post_init__(self) -> None:
        for name in self.texts:
            if name not in TEXTS:
                raise UnknownName("output column", name, TEXTS)


DEFAULT_BATCH = BatchSettings()
