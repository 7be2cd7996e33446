"""The wrapper of the process itself: counts, metrics and log lines from the container's notifications."""

import logging
from collections.abc import Callable
from traceback import format_exception
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bonmun.errors import BonmunError, StoreError
from bonmun.middleware.exchange import Request, SourcePage
from bonmun.middleware.wrapper import Wrapper
from bonmun.run.logs import note
from bonmun.run.metrics import Metrics
from bonmun.run.tally import Tally
from bonmun.workers.failure import Failure

if TYPE_CHECKING:
    from bonmun.middleware.dataset import NewsDataSet
    from bonmun.run.site_learning import SiteLearning

_log = logging.getLogger("bonmun.run")


class Monitor(Wrapper):
    """Tells tally, metrics and log what happens to every page, and gives pages to the learning of sites."""

    def __init__(
        self,
        tally: Tally,
        metrics: Metrics,
        sites: "SiteLearning | None" = None,
        drop: Callable[[str], object] = lambda url: None,
    ) -> None:
        """Make a monitor; `drop` takes a request off the queue whose page failed under another URL."""
        self._tally, self._metrics, self._sites, self._drop = tally, metrics, sites, drop

    def analyze_news(self, dataset: "NewsDataSet") -> None:
        """Use the page for its site."""
        if self._sites is not None:
            self._sites.add(dataset)

    def on_fetch_finished(self, page: SourcePage) -> None:
        """Count a page from the network."""
        self._came(page)

    def on_fetch_failed(self, request: Request, error: Exception) -> None:
        """Count a page that could not be fetched."""
        self._failed("fetch", request.url, request.source, error)

    def on_parsing_started(self, page: SourcePage) -> None:
        """Count a page from a file."""
        if page.network is None:
            self._came(page)

    def on_parsing_finished(self, dataset: "NewsDataSet") -> None:
        """Count a parsed page."""
        self._count("parsed", dataset.url)
        for stage, seconds in dataset.timings.items():
            if stage != "fetch":
                self._metrics.seconds(stage, seconds)

    def on_analysis_finished(self, dataset: "NewsDataSet") -> None:
        """Count a page that is stored and delivered."""
        self._count("analysed", dataset.url)
        outcome = str(getattr(dataset.saved, "outcome", "delivered"))
        self._tally.saved(outcome)
        self._metrics.saved(outcome)
        self._tally.title(host_of(dataset.url), dataset.title or dataset.url)
        note(
            _log,
            logging.INFO,
            "page stored",
            url=dataset.url,
            source=dataset.source,
            outcome=outcome,
            title=dataset.title,
            characters=len(dataset.text),
            seconds=round(sum(dataset.timings.values()), 4),
        )

    def on_analysis_failed(self, page: SourcePage, error: Exception) -> None:
        """Count a page that could not be read, judged or stored."""
        self._failed("analysis", page.url, page.source, error)
        requested = page.network.requested_url if page.network else page.url
        if requested != page.url and not isinstance(error, StoreError):
            self._drop(requested)

    def on_error(self, error: Exception, where: str) -> None:
        """Note an error outside a page."""
        kind = Failure.of(error).kind
        self._metrics.failure(where.partition(" ")[0], kind)
        self._tally.error("", f"{where}: {kind}: {error}")
        traceback = None if isinstance(error, BonmunError) else "".join(format_exception(error))
        note(_log, logging.ERROR, f"{where} failed", error=kind, message=str(error), traceback=traceback)

    def _came(self, page: SourcePage) -> None:
        self._count("fetched", page.url)
        if page.network is not None:
            self._metrics.seconds("fetch", page.network.seconds)
            self._metrics.received(page.network.received_bytes)

    def _count(self, stage: str, url: str) -> None:
        host = host_of(url)
        self._tally.count(stage, host)
        self._metrics.page(stage, host)

    def _failed(self, stage: str, url: str, source: str, error: Exception) -> None:
        kind = Failure.of(error).kind
        self._count("failed", url)
        self._metrics.failure(stage, kind)
        self._tally.error("", f"{kind}: {error}" if url in str(error) else f"{url}: {kind}: {error}")
        note(_log, logging.WARNING, f"{stage} failed", url=url, source=source, error=kind, message=str(error))


def host_of(url: str) -> str:
    """Return the host of a URL for counts; an empty string for files.

    >>> host_of("https://News.example.org:8080/a"), host_of("file:///tmp/a.html")
    ('news.example.org', '')
    """
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
