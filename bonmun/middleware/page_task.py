"""The work on one page in a worker process: read, judge, metadata, text; each stage timed."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from time import get_clock_info, perf_counter, thread_time
from typing import TYPE_CHECKING, cast

from bonmun import registry
from bonmun.deadline import within
from bonmun.limits import DEFAULT_LIMITS, Limits
from bonmun.middleware.dataset import Judged, NewsDataSet
from bonmun.middleware.exchange import SourcePage
from bonmun.middleware.settings import ContainerSettings
from bonmun.model.page import Page
from bonmun.model.verdict import Verdicts
from bonmun.pipeline import extract
from bonmun.read.page import read_page
from bonmun.workers.failure import Failure
from bonmun.workers.packed import Packed

if TYPE_CHECKING:
    from bonmun.rendering.settings import RenderSettings

_clock = thread_time if get_clock_info("thread_time").resolution < 1e-4 else perf_counter
"""CPU time, which other load on the machine does not change; Windows measures it in steps of 16 ms."""


@dataclass(frozen=True, slots=True)
class Job:
    """A page on its way to a worker."""

    page: SourcePage
    site: registry.Method | None = None
    """The known site of the page, which decides instead of the method."""


@dataclass(frozen=True, slots=True)
class PageTask:
    """A function of a job, picklable. The seconds of `limits` hold for all stages but the browser's together.

    >>> dataset = PageTask()(Job(SourcePage("https://example.org/", b"<p>Tea is made of leaves and of hot water.")))
    >>> sorted(dataset.timings)
    ['judge', 'metadata', 'read', 'text']
    """

    method: str | registry.Method = "auto"
    methods: tuple[str | registry.Method, ...] = ()
    limits: Limits = DEFAULT_LIMITS
    prefer: str = "balance"
    abstain_below: float = 0.0
    render: "RenderSettings | None" = None

    @classmethod
    def of(cls, settings: ContainerSettings) -> "PageTask":
        """Return the task of a container."""
        return cls(
            settings.method,
            settings.methods,
            settings.limits,
            settings.prefer,
            settings.abstain_below,
            settings.render,
        )

    @property
    def seconds(self) -> float:
        """The most that a page takes."""
        methods = (self.method, *self.methods)
        draws = self.render is not None or any(map(registry.needs_layout, methods))
        return self.limits.seconds + (registry.rendering_seconds(self.render) if draws else 0.0)

    def __call__(self, job: Job) -> NewsDataSet:
        """Return the data set of a page; raise the error of the stage that failed."""
        source, timings = job.page, dict[str, float]()
        if isinstance(self.method, str):
            _load(self.method)
        with within(self.limits.seconds):
            with _timed(timings, "read"):
                page = read_page(
                    source.content, url=source.url or None, charset=source.content_type, limits=self.limits
                )
            page = self._drawn(page, job)
            with _timed(timings, "judge"):
                document = extract(
                    page,
                    method=job.site or self.method,
                    limits=self.limits,
                    prefer=self.prefer,
                    abstain_below=self.abstain_below,
                )
            with _timed(timings, "metadata"):
                metadata = document.metadata
            with _timed(timings, "text"):
                text = document.text
            verdicts, failures = self._other_verdicts(page, timings)
        if source.network is not None:
            timings = {"fetch": source.network.seconds, **timings}
        return NewsDataSet(
            url=source.url,
            source=source.source,
            html_size=len(source.content),
            node_count=len(page.nodes),
            block_count=len(page.blocks),
            metadata=metadata,
            text=text,
            timings=timings,
            packed=Packed(Judged(document, verdicts)),
            network=source.network,
            method_failures=failures,
        )

    def _drawn(self, page: Page, job: Job) -> Page:
        """Return the page as a browser draws it, if somebody needs that: once for all methods."""
        methods = (job.site or self.method, *self.methods)
        draws = self.render is not None or any(map(registry.needs_layout, methods))
        return registry.renderer()(page, self.render) if draws else page

    def _other_verdicts(self, page: Page, timings: dict[str, float]) -> tuple[dict[str, Verdicts], dict[str, Failure]]:
        verdicts, failures = dict[str, Verdicts](), dict[str, Failure]()
        for given in self.methods:
            name = given if isinstance(given, str) else given.name
            try:
                method = registry.method(given) if isinstance(given, str) else given
                with _timed(timings, f"judge:{name}"):
                    verdicts[name] = method.judge(page)
            except Exception as error:  # Another opinion that fails must not cost the page.
                failures[name] = replace(Failure.of(error), error=None)  # It may not be picklable.
        return verdicts, failures


@dataclass(frozen=True, slots=True)
class WorkerTask:
    """A `PageTask` whose result travels light; `received` is the other end."""

    task: PageTask
    documents: bool = True
    """Whether the document travels; else it is made again when it is asked for."""

    def __call__(self, job: Job) -> NewsDataSet:
        """Return the data set without the content of the page, which the other process has."""
        dataset = self.task(job)
        packed = cast("Packed[Judged]", dataset.packed)
        return replace(dataset, packed=packed.without(job.page.content) if self.documents else None)

    def received(self, dataset: NewsDataSet, job: Job) -> NewsDataSet:
        """Return the data set as the worker made it."""
        if isinstance(dataset.packed, Packed):
            return replace(dataset, packed=dataset.packed.given(job.page.content))
        return replace(dataset, packed=JudgedAgain(self.task, job))


class JudgedAgain:
    """The heavy part of a data set that did not come from the worker: made again from the page at first access."""

    def __init__(self, task: PageTask, job: Job) -> None:
        self._task, self._job = task, job

    @cached_property
    def value(self) -> Judged:
        """The document and the other verdicts."""
        return cast("Packed[Judged]", self._task(self._job).packed).value

    def __reduce__(self) -> tuple[type["JudgedAgain"], tuple[PageTask, Job]]:
        return JudgedAgain, (self._task, self._job)


@lru_cache(8)
def _load(method: str) -> None:
    """Load a method with its model and readers once per process: the timings of the first page are not its own."""
    with suppress(Exception):  # A method that fails on this page may do better on others.
        document = extract(
            "<title>Tea</title><p>Tea is made of leaves, and of water that has just boiled.</p>", method=method
        )
        _ = document.title, document.text


@contextmanager
def _timed(timings: dict[str, float], stage: str) -> Iterator[None]:
    started = _clock()
    yield
    timings[stage] = _clock() - started
