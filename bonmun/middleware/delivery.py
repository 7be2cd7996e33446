"""The consumer's side of a container: calls into the wrapper and the store, one at a time, in one thread."""

import logging
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from types import MappingProxyType
from typing import Any, Protocol

from bonmun.errors import WorkerNotStarted
from bonmun.middleware.dataset import NewsDataSet
from bonmun.middleware.exchange import Network, NetworkFacts, Source
from bonmun.middleware.items import Item
from bonmun.middleware.settings import ContainerSettings
from bonmun.middleware.stages import Stages
from bonmun.middleware.wrapper import Wrapper
from bonmun.model.document import Document

_log = logging.getLogger("bonmun")
_MOST_ERRORS = 100
"""Maximum number of errors that a report remembers."""


class Keeper(Protocol):
    """Where a container keeps what it found, such as `bonmun.store`.

    Exactly one of `save` and `fail` is called for each page, from the thread that consumes; `has` from any thread.
    """

    def save(
        self,
        document: Document,
        *,
        url: str,
        source: str = "",
        html_size: int = 0,
        timings: Mapping[str, float] = MappingProxyType({}),
        network: NetworkFacts | None = None,
    ) -> Any:
        """Keep a document; the answer is `NewsDataSet.saved`."""

    def fail(self, url: str, source: str, stage: str, error: Exception) -> Any:
        """Record why a page has no document: `stage` is `fetch` or `parsing`; or why a source ended: `source`, and
        the URL is its name."""

    def has(self, url: str) -> bool:
        """Whether a page of that URL is kept."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """The count of a run: `taken == delivered + failed + left`.

    >>> RunReport("Titles", taken=3, delivered=2, failed=1).left
    0
    """

    wrapper: str = ""
    taken: int = 0
    """Pages and requests that the sources gave."""
    delivered: int = 0
    """Pages whose `analyze_news` returned."""
    failed: int = 0
    left: int = 0
    """Pages that were taken and have not ended: those in flight, or not fetched when the run was stopped."""
    skipped: int = 0
    """Pages that were not taken because the store has them."""
    failed_at: Mapping[str, int] = field(default_factory=dict)
    """The failed pages by stage: `fetch`, `parsing`, `store` or `wrapper`."""
    errors: tuple[str, ...] = ()
    """The first errors outside of pages: of sources, user code, stores."""
    seconds: float = 0.0
    stopped: bool = False


class Delivery:
    """One run: makes the calls that the stages post, and delivers the data sets; the `Receiver` of its `Stages`."""

    def __init__(self, wrapper: Wrapper, network: Network, store: Keeper | None, settings: ContainerSettings) -> None:
        self._wrapper, self._store, self._settings = wrapper, store, settings
        if store is not None:
            settings = replace(settings, documents=True)
        is_stored = store.has if store is not None and settings.skip_stored else None
        self._stages = Stages(self, network, settings, is_stored)
        self._ready: deque[tuple[Item, NewsDataSet]] = deque()
        self._held: dict[int, tuple[Item, NewsDataSet]] = {}
        self._delivered = 0
        self._failed: Counter[str] = Counter()
        self._errors: list[str] = []
        self._started = monotonic()
        self._end: float | None = None
        """When the patience after `stop` is over."""

    def run(self, sources: Sequence[Source | str]) -> Iterator[NewsDataSet]:
        """Yield the data sets of all sources; leaves nothing running, however it ends."""
        try:
            if (error := self._call("init")) is not None:
                raise error
            self._stages.start(sources)
            yield from self._consume()
        finally:
            try:
                self._stages.close()
            finally:
                self._call("dispose")

    def stop(self, *, now: bool = False) -> None:
        """Take nothing more; deliver what was fetched within the settings' patience."""
        end = monotonic() + (0.0 if now else self._settings.patience)
        self._end = end if self._end is None else min(end, self._end)
        self._stages.stop()

    @property
    def report(self) -> RunReport:
        """The count so far."""
        stages = self._stages
        return RunReport(
            wrapper=self._wrapper.wrapper_name,
            taken=stages.taken,
            delivered=self._delivered,
            failed=self._failed.total(),
            left=stages.left,
            skipped=stages.skipped,
            failed_at=dict(self._failed),
            errors=tuple(self._errors),
            seconds=monotonic() - self._started,
            stopped=self._end is not None,
        )

    def _consume(self) -> Iterator[NewsDataSet]:
        inbox = self._stages.inbox
        while not (self._stages.is_finished and inbox.is_empty):
            call = inbox.get(self._patience_left())
            if call is not None:
                call()
            while self._patience_left() != 0 and (ready := self._next_ready()) is not None:
                if (dataset := self._deliver(*ready)) is not None:
                    yield dataset
            if self._patience_left() == 0:
                return

    def _patience_left(self) -> float | None:
        return None if self._end is None else max(0.0, self._end - monotonic())

    def _next_ready(self) -> tuple[Item, NewsDataSet] | None:
        if not self._settings.ordered:
            return self._ready.popleft() if self._ready else None
        first = self._stages.first_open() if self._held else None
        return self._held.pop(first.number, None) if first else None

    def _deliver(self, item: Item, dataset: NewsDataSet) -> NewsDataSet | None:
        self._call("on_analysis_started", dataset)
        try:
            dataset = self._saved(dataset)
        except Exception as error:
            self.failed(error, "store")
            self._fail_analysis(item, "store", error)
            return None
        if (problem := self._call("analyze_news", dataset)) is not None:
            self._fail_analysis(item, "wrapper", problem)
            return None
        self._call("on_analysis_finished", dataset)
        self._delivered += 1
        self._stages.settle(item)
        return dataset

    def _saved(self, dataset: NewsDataSet) -> NewsDataSet:
        if self._store is None:
            return dataset
        saved = self._store.save(
            dataset.document,
            url=dataset.url,
            source=dataset.source,
            html_size=dataset.html_size,
            timings=dataset.timings,
            network=dataset.network,
        )
        return replace(dataset, saved=saved)

    def _fail_analysis(self, item: Item, stage: str, error: Exception) -> None:
        self._call("on_analysis_failed", item.page, error)
        self._end_failed(item, stage)

    def _end_failed(self, item: Item, stage: str) -> None:
        self._failed[stage] += 1
        self._stages.settle(item)

    def _record(self, url: str, source: str, stage: str, error: Exception) -> None:
        if self._store is not None:
            try:
                self._store.fail(url, source, stage, error)
            except Exception as problem:
                self.failed(problem, "store")

    def _call(self, name: str, *arguments: object) -> Exception | None:
        """Call a method of the wrapper; return its exception, which is reported."""
        try:
            getattr(self._wrapper, name)(*arguments)
        except Exception as error:
            self.failed(error, name)
            return error
        return None

    # ── what the stages report ────────────────────────────────────────────────────────────────────────────────────

    def fetch_started(self, item: Item) -> None:
        """The fetch of a page starts."""
        self._call("on_fetch_started", item.request)

    def fetch_finished(self, item: Item) -> None:
        """A page was fetched."""
        self._call("on_fetch_finished", item.page)

    def fetch_failed(self, item: Item, error: Exception) -> None:
        """A page could not be fetched."""
        self._record(item.url, item.source, "fetch", error)
        self._call("on_fetch_failed", item.request, error)
        self._end_failed(item, "fetch")

    def parsing_started(self, item: Item) -> None:
        """A worker took a page."""
        self._call("on_parsing_started", item.page)

    def parsing_finished(self, item: Item, dataset: NewsDataSet) -> None:
        """A worker returned its data."""
        for name, failure in dataset.method_failures.items():
            self.failed(failure.exception(), f"method {name}")
        self._call("on_parsing_finished", dataset)
        if self._settings.ordered:
            self._held[item.number] = item, dataset
        else:
            self._ready.append((item, dataset))

    def parsing_failed(self, item: Item, error: Exception) -> None:
        """A worker could not return its data."""
        if isinstance(error, WorkerNotStarted):  # No other page would do better.
            raise error
        self._record(item.url, item.source, "parsing", error)
        self._fail_analysis(item, "parsing", error)

    def source_failed(self, name: str, error: Exception) -> None:
        """A source ended with an error."""
        self._record(name, name, "source", error)
        self.failed(error, f"source {name}")

    def failed(self, error: Exception, where: str) -> None:
        """Something outside a page failed: report it to the wrapper."""
        if len(self._errors) < _MOST_ERRORS:
            self._errors.append(f"{where}: {type(error).__name__}: {error}")
        try:
            self._wrapper.on_error(error, where)
        except Exception as problem:
            _log.warning("on_error failed: %s", problem, exc_info=problem)
