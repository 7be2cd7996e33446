"""The class that users write: what to do with a page's data, and what to hear about its progress."""

# ruff: noqa: B027  # Empty methods of an abstract class: a subclass overrides those it needs.

import logging
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from bonmun.middleware.exchange import Request, SourcePage

if TYPE_CHECKING:
    from bonmun.middleware.dataset import NewsDataSet

_log = logging.getLogger("bonmun")


class Wrapper(ABC):
    """The user's end of a `Container`: subclass it and write `analyze_news`.

    The container calls all methods from one thread, that of `run` or of the iteration over `stream`, and never two at
    once. An exception in one is reported to `on_error`; the container goes on.

    The notifications of one page come in this order; pages from files and archives have none of the fetch::

        on_fetch_started → on_fetch_finished → on_parsing_started → on_parsing_finished
            → on_analysis_started → analyze_news → on_analysis_finished

    Each page ends with exactly one of `on_fetch_failed`, `on_analysis_failed` and `on_analysis_finished`.

    >>> import bonmun
    >>> from bonmun.middleware.exchange import Pages, SourcePage
    >>> class Titles(bonmun.Wrapper):
    ...     def init(self):
    ...         self.titles = []
    ...
    ...     def analyze_news(self, dataset):
    ...         self.titles.append(dataset.title)
    ...
    ...     def dispose(self):
    ...         print(*self.titles)
    >>> page = SourcePage("https://example.org/tea", b"<title>Tea</title><p>Tea is made of leaves and hot water.</p>")
    >>> bonmun.Container(Titles()).run([Pages([page])]).delivered
    Tea
    1
    """

    @property
    def wrapper_name(self) -> str:
        """The name in logs and reports; the name of the class unless overridden."""
        return type(self).__name__

    def init(self) -> None:
        """Prepare, before the first source is asked. An exception here ends the run, after `dispose`."""

    @abstractmethod
    def analyze_news(self, dataset: "NewsDataSet") -> None:
        """Take the data of one page."""

    def dispose(self) -> None:
        """Clean up. Always called at the end: after Ctrl-C, and if `init` raised half-way."""

    def on_fetch_started(self, request: Request) -> None:
        """The network starts to fetch a page."""

    def on_fetch_finished(self, page: SourcePage) -> None:
        """A page was fetched."""

    def on_fetch_failed(self, request: Request, error: Exception) -> None:
        """A page could not be fetched; it ends here."""

    def on_parsing_started(self, page: SourcePage) -> None:
        """A worker process starts to read and judge a page."""

    def on_parsing_finished(self, dataset: "NewsDataSet") -> None:
        """The worker is done; the data set has its timings."""

    def on_analysis_started(self, dataset: "NewsDataSet") -> None:
        """The page's turn has come: it is stored, then given to `analyze_news`."""

    def on_analysis_finished(self, dataset: "NewsDataSet") -> None:
        """`analyze_news` returned; the page ends here."""

    def on_analysis_failed(self, page: SourcePage, error: Exception) -> None:
        """A page could not be read, judged or stored, or `analyze_news` raised; it ends here."""

    def on_error(self, error: Exception, where: str) -> None:
        """Something outside a page failed, or code of the user: `where` names the method, source or store.

        Logs a warning with the traceback unless overridden.
        """
        _log.warning("%s: %s failed: %s", self.wrapper_name, where, error, exc_info=error)


class Silent(Wrapper):
    """The wrapper of a container that only streams.

    >>> Silent().wrapper_name
    'Silent'
    """

    def analyze_news(self, dataset: "NewsDataSet") -> None:
        """Leave the data set to the iteration."""
