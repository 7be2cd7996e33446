"""What a batch asks for."""

from dataclasses import dataclass

from bonmun import registry
from bonmun.errors import UnknownName
from bonmun.limits import DEFAULT_LIMITS, Limits
from bonmun.model.output import DEFAULT_OUTPUT, Output
from bonmun.registry import Method, SiteLookup

TEXTS = ("text", "markdown", "html")
"""The outputs that can be columns."""


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """How the pages of a batch are extracted, and which columns the answer has. It can be pickled.

    Names that do not exist raise `UnknownName` here, not on every page.

    >>> BatchSettings(texts=("text", "markdown"), blocks=True).texts
    ('text', 'markdown')
    >>> BatchSettings(texts=("pdf",))
    Traceback (most recent call last):
    bonmun.errors.UnknownName: no output column named 'pdf'; there are: html, markdown, text
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
    """Sites whose templates decide instead of `auto`. Their pages are judged by the templates as they are: a `Site`
    learns nothing from a batch, so that answers do not depend on the order of pages or the number of processes."""
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
        if isinstance(self.texts, str):
            raise TypeError(f"BatchSettings.texts must be a tuple of names, not {self.texts!r}")
        for name in self.texts:
            if name not in TEXTS:
                raise UnknownName("output column", name, TEXTS)
        for what, names in (("texts", self.texts), ("input columns", self._inputs)):
            if len(set(names)) < len(names):
                raise ValueError(f"BatchSettings has the same name twice in its {what}: {', '.join(names)}")
        if isinstance(self.method, str) and self.method not in registry.METHODS:
            known = registry.names("methods")
            if self.method not in known:
                raise UnknownName("method", self.method, known)
        if isinstance(self.prefer, str) and self.prefer not in registry.BETA:
            raise UnknownName("preference", self.prefer, registry.BETA)

    @property
    def _inputs(self) -> tuple[str, ...]:
        return self.html, self.url, self.charset, self.failure


DEFAULT_BATCH = BatchSettings()
