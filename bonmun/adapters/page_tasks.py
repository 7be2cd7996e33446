"""The work on a page that a crawl gives away; apart from Scrapy, which worker processes need not load."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.adapters.sources import GivenPage
from bonmun.model.document import Document
from bonmun.pipeline import extract
from bonmun.scale.rows import Row, page_row
from bonmun.scale.settings import BatchSettings

if TYPE_CHECKING:
    from bonmun.store.saving import PreparedPage


@dataclass(frozen=True, slots=True)
class RowTask:
    """`page_row` as a picklable function.

    >>> RowTask(BatchSettings())(GivenPage("tea.html", "<p>Tea is made of leaves and water."))["status"]
    'ok'
    """

    settings: BatchSettings

    def __call__(self, page: GivenPage) -> Row:
        """Return the row of a page; one that fails is a row with its error."""
        return page_row(page.html, page.url, page.charset, self.settings)


@dataclass(frozen=True, slots=True)
class StoringTask:
    """The document of a page or, for a page with the name of its source, its rows for the store. Picklable."""

    settings: BatchSettings

    def __call__(self, given: tuple[GivenPage, str | None]) -> "Document | PreparedPage":
        """Return what the page gives; raise its error."""
        page, source = given
        method, prefer = self.settings.method, self.settings.prefer
        document = extract(page.html, url=page.url, charset=page.charset, method=method, prefer=prefer)
        if source is None:
            return document
        from bonmun.store.saving import Record

        return Record(document, page.url or page.source, source, len(page.html)).prepared()
