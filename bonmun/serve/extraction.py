"""A page extracted and written in one format: the work behind ``POST /v1/extract``, the reader and batches."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bonmun.limits import Limits
from bonmun.model.document import Document
from bonmun.model.output import Output
from bonmun.pipeline import extract
from bonmun.serve.given_page import GivenPage
from bonmun.serve.work import drawing_seconds
from bonmun.sites.site import Site

MEDIA_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "json": "application/json",
        "text": "text/plain",
        "markdown": "text/markdown",
        "html": "text/html",
        "xml": "application/xml",
        "tei": "application/tei+xml",
        "explain": "text/html",
    }
)
"""The media type of each format; negotiation picks the first format of its type."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """A document in one format, ready to be sent."""

    content: bytes
    status: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Options:
    """How a page is extracted and written."""

    method: str
    prefer: str | float
    format: str
    output: Output
    limits: Limits
    sites: bool = True
    """Whether the rules of a learned site decide in place of `auto`."""


@dataclass(frozen=True, slots=True)
class ExtractWork:
    """Extract a page and write it in one format."""

    page: GivenPage
    options: Options
    site: Site | None = None
    """The known site of the page, whose rules decide instead of `auto`."""

    @property
    def seconds(self) -> float:
        """Twice the limit: extraction and output."""
        return 2 * self.options.limits.seconds + drawing_seconds(self.options.method)

    def run(self) -> Extracted:
        """Return the document, written."""
        document = extracted(self.page, self.options, self.site)
        text = document.write(self.options.format, self.options.output)
        return Extracted(text.encode("utf-8", "replace"), document.status.value, document.confidence)


def extracted(page: GivenPage, options: Options, site: Site | None = None) -> Document:
    """Return the document of a page."""
    return judged(page, options.method, options.prefer, options.limits, site)


def judged(page: GivenPage, method: str, prefer: str | float, limits: Limits, site: Site | None) -> Document:
    """Return a page as a method sees it; the rules of its site decide in place of `auto`."""
    return extract(
        page.content, url=page.url, charset=page.content_type, method=method, prefer=prefer, limits=limits, sites=site
    )
