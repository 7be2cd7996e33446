"""A crawl: sources → pages → network → workers → store."""

from contextlib import ExitStack
from dataclasses import replace

from bonmun.middleware.container import Container
from bonmun.middleware.network_manager import NetworkManager
from bonmun.middleware.settings import ContainerSettings
from bonmun.serve.jobs.delivery import CrawlKeeper, CrawlMonitor, PendingPages, StoredSites
from bonmun.serve.jobs.reading import SourceReading
from bonmun.serve.jobs.run import Run


class CrawlRun(Run):
    """The run of a crawl, with a network and workers of its own."""

    _container: Container | None = None

    def stop(self, reason: str) -> None:
        """End the run soon. A container that is not running yet finds no page."""
        super().stop(reason)
        if self._container is not None:
            self._container.stop()

    def _work(self) -> str:
        job, store, stop, progress = self.job, self._store, self._stop, self._progress
        with ExitStack() as stack:
            network = self._network()
            reading = SourceReading(job, store, network, progress, stop)
            stack.callback(reading.close)
            stack.enter_context(network)  # closed before: a source in the middle of a fetch ends
            stack.callback(stop.set)
            keeper = CrawlKeeper(job, store, progress, stop)
            container = Container(CrawlMonitor(keeper, progress, stop), network, keeper, self._container_settings())
            self._container = container
            reading.start()
            container.run([PendingPages(job.source, self._pages, reading, stop)])
        if keeper.error is not None:
            raise keeper.error
        return "" if self._reason else self._failure()

    def _network(self) -> NetworkManager:
        given, limits = self._settings.jobs.network, self._settings.limits
        private = self._settings.allow_private
        return NetworkManager(replace(given, allow_private=private, max_bytes=min(given.max_bytes, limits.bytes)))

    def _container_settings(self) -> ContainerSettings:
        settings = self._settings.jobs
        return ContainerSettings(
            method=self.job.spec["method"],
            sites=StoredSites(self._store) if self.job.spec["method"] == "auto" else None,
            limits=self._settings.limits,
            jobs=settings.workers,
            memory=self._settings.memory,
            nice=settings.nice,
            patience=settings.patience,
            queue=8,
            in_flight=100,
        )

    def _failure(self) -> str:
        """Return a message if nothing came of the job because all its sources failed."""
        sources = self._pages.totals("source")
        if not sources["failed"] or self._pages.totals()["done"] or sources["done"]:
            return ""
        first = self._pages.failures(1, 1)[0]
        return f"{first.urls[0]}: {first.message}"
