"""A page on its way through the container, and who hears of it."""

from dataclasses import dataclass
from typing import Protocol

from bonmun.middleware.dataset import NewsDataSet
from bonmun.middleware.exchange import Request, SourcePage


@dataclass(eq=False, slots=True)
class Item:
    """A page on its way through the container."""

    number: int
    """Its place in the order of taking."""
    source: str
    request: Request | None
    page: SourcePage | None
    fetch_started: bool = False

    @property
    def url(self) -> str:
        """The final URL of the page, or the one requested."""
        return self.page.url if self.page else self.request.url if self.request else ""


class Receiver(Protocol):
    """What hears of the stages, in the consumer's thread."""

    def fetch_started(self, item: Item) -> None:
        """The fetch of a page starts."""

    def fetch_finished(self, item: Item) -> None:
        """A page was fetched."""

    def fetch_failed(self, item: Item, error: Exception) -> None:
        """A page could not be fetched."""

    def parsing_started(self, item: Item) -> None:
        """A worker took a page."""

    def parsing_finished(self, item: Item, dataset: NewsDataSet) -> None:
        """A worker returned its data."""

    def parsing_failed(self, item: Item, error: Exception) -> None:
        """A worker could not return its data."""

    def source_failed(self, name: str, error: Exception) -> None:
        """A source ended with an error."""

    def failed(self, error: Exception, where: str) -> None:
        """Something outside a page failed."""
