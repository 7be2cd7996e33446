"""The threads of a container: sources, network, and workers that parse. Bounded queues connect them.

::

    source threads ──requests──▶ network thread ──pages──▶ worker processes ──▶ inbox ──▶ the consumer's thread
          └──────────────── pages that need no network ────────▲

A full queue blocks whoever fills it, back to the sources. Whatever happens is posted to the inbox as a call, which the
consumer makes: user code runs in no thread of this module.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count
from time import monotonic

from bonmun.errors import BonmunError, FetchError, SourceError, WorkerError
from bonmun.middleware.channel import Call, Channel
from bonmun.middleware.dataset import NewsDataSet
from bonmun.middleware.exchange import Network, Request, Source, SourceItem, SourcePage, Unfetched
from bonmun.middleware.items import Item, Receiver
from bonmun.middleware.page_task import Job, PageTask, WorkerTask
from bonmun.middleware.plugins import load_all
from bonmun.middleware.settings import ContainerSettings
from bonmun.workers.pool import WorkerPool

_GRACE_SECONDS = 10.0  # to start a process and to return its answer, beyond the seconds of the page
_JOIN_SECONDS = 1.0
"""How long to wait for a thread that has nothing left to do; one inside a source or a network cannot be interrupted."""


class Stages:
    """Takes pages from sources, fetches and parses them; one use."""

    def __init__(
        self,
        receiver: Receiver,
        network: Network,
        settings: ContainerSettings,
        is_stored: Callable[[str], bool] | None = None,
    ) -> None:
        self._receiver, self._network, self._settings, self._is_stored = receiver, network, settings, is_stored
        self.inbox: Channel[Call] = Channel(settings.queue)
        self._requests: Channel[Item] = Channel(settings.queue)
        task = PageTask.of(settings)
        self._task = WorkerTask(task, settings.documents)
        self._pool: WorkerPool[Job, NewsDataSet] = WorkerPool(
            self._task,
            jobs=settings.jobs,
            seconds=task.seconds + _GRACE_SECONDS,
            memory=settings.memory,
            queue=settings.queue,
            nice=settings.nice,
        )
        self._changed = threading.Condition()
        self._numbers = count()
        self._open: dict[int, Item] = {}
        self._awaited: dict[Request, deque[Item]] = {}
        self._running_sources = 0
        self._threads: list[threading.Thread] = []
        self._sources: dict[threading.Thread, Source] = {}
        """The sources that were begun, with their threads."""
        self._forms: dict[str, Callable[[str], Source]] = {}
        """The sources of plug-ins, by the name before the colon."""
        self.taken = self.skipped = 0
        self.stopping = False

    def start(self, sources: Sequence[Source | str]) -> None:
        """Start a thread for each source, and one for the network."""
        if any(isinstance(source, str) for source in sources):
            sources = _grouped(sources)
            loaded = load_all("sources")
            self._forms = loaded.plugins
            for error in loaded.failures:
                self._receiver.failed(error, "plug-in")
        self._running_sources = len(sources)
        calls: list[Callable[[], None]] = [partial(self._take_all, source) for source in sources]
        for call in (*calls, self._fetch_all):
            thread = threading.Thread(target=call, name="bonmun-container", daemon=True)
            self._threads.append(thread)
            thread.start()

    def stop(self) -> None:
        """Take nothing more and fetch nothing more; pages that were fetched go on. Safe in a signal handler."""
        self.stopping = True
        self._requests.close(discard=True)
        self.inbox.wake()
        with self._changed:  # A condition's lock is re-entrant: a signal handler may hold it already.
            self._changed.notify_all()

    def close(self) -> None:
        """End everything; items inside are lost."""
        self.stop()
        self.inbox.close(discard=True)
        self._pool.close(now=True)
        self._stop_sources()
        end = monotonic() + _JOIN_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, end - monotonic()))

    def _stop_sources(self) -> None:
        """End the sources that wait for something to happen, such as a watched folder."""
        with self._changed:
            waiting = [source for thread, source in self._sources.items() if thread.is_alive()]
        for source in waiting:
            try:
                getattr(source, "stop", _nothing)()
            except Exception as error:
                self._receiver.failed(error, f"source {source.name}")

    def settle(self, item: Item) -> None:
        """Note the end of an item."""
        with self._changed:
            self._open.pop(item.number, None)
            self._changed.notify_all()

    @property
    def left(self) -> int:
        """Items that were taken and have not ended."""
        with self._changed:
            return len(self._open)

    @property
    def is_finished(self) -> bool:
        """Whether every source is exhausted and every item has ended; if stopping, every item that was fetched."""
        with self._changed:
            if self.stopping:
                return not any(item.page for item in self._open.values())
            return not self._running_sources and not self._open

    def first_open(self) -> Item | None:
        """The item that was taken first among those that will still end."""
        with self._changed:
            return next((item for item in self._open.values() if item.page or not self.stopping), None)

    # ── sources ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _take_all(self, given: Source | str) -> None:
        name = given if isinstance(given, str) else getattr(given, "name", type(given).__name__)
        try:
            source = _source_of(given, self._forms) if isinstance(given, str) else given
            with self._changed:
                self._sources[threading.current_thread()] = source
            self._take_from(iter(source.items(self._network)), name)
        except (
            BaseException
        ) as error:  # Also of a plug-in that calls sys.exit: a source that is not counted off hangs the run.
            problem = error if isinstance(error, Exception) else SourceError(f"{name}: {error!r}")
            self._post(self._receiver.source_failed, name, problem)
        with self._changed:
            self._running_sources -= 1
            last = not self._running_sources
        if last:
            self._requests.close()
        self.inbox.wake()

    def _take_from(self, items: Iterator[SourceItem], name: str) -> None:
        own: list[Item] = []
        try:
            while self._wait_for_room(own):
                try:
                    given = next(items)
                except StopIteration:
                    return
                if self.stopping:
                    return
                if isinstance(given, Unfetched) or not self._skips(given.url):
                    own.append(self._take(given, name))
        finally:
            _close(items)

    def _take(self, given: SourceItem, name: str) -> Item:
        item = self._taken(given, name)
        if isinstance(given, Unfetched):
            self._fail_fetch(item, given.error)
        elif item.page is None:
            self._requests.put(item)
        else:
            if item.request is not None:  # The source fetched it.
                self._announce(item)
                self._post(self._receiver.fetch_finished, item)
            self._parse(item, item.page)
        return item

    def _skips(self, url: str) -> bool:
        """Whether the store has a page already."""
        try:
            is_stored = self._is_stored is not None and self._is_stored(url)
        except Exception as error:  # Rather the page again than none of the source.
            self._post(self._receiver.failed, error, "store")
            return False
        with self._changed:
            self.skipped += is_stored
        return is_stored

    def _wait_for_room(self, own: list[Item]) -> bool:
        """Wait until few of a source's items are open; `False` when stopping."""
        with self._changed:
            self._changed.wait_for(lambda: self.stopping or self._count_open(own) < self._settings.in_flight)
            return not self.stopping

    def _count_open(self, own: list[Item]) -> int:
        if len(own) >= self._settings.in_flight:
            own[:] = [item for item in own if item.number in self._open]
        return len(own)

    def _taken(self, given: SourceItem, source: str) -> Item:
        page = given if isinstance(given, SourcePage) else None
        request = _request_of(given)
        name = (page or request or Request("")).source or source
        page = _named(page, name) if page else None
        with self._changed:
            item = Item(next(self._numbers), name, request, page)
            self._open[item.number] = item
            self.taken += 1
            return item

    # ── network ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _fetch_all(self) -> None:
        first = self._requests.get()
        if first is None:  # Without a request, no network is needed.
            return
        error: Exception = FetchError("the network gave no answer")
        try:
            self._handle(self._network.stream(self._next_requests(first), on_start=self._on_start))
        except BaseException as problem:
            error = problem if isinstance(problem, Exception) else FetchError(repr(problem))
            self._post(self._receiver.failed, error, "network")
        while (item := self._requests.get()) is not None:
            self._fail_fetch(item, error)
        for item in self._take_awaited():
            self._fail_fetch(item, error)

    def _handle(self, answers: Iterable[tuple[Request, SourcePage | BonmunError]]) -> None:
        try:
            for request, answer in answers:
                if self.stopping:
                    return
                self._answered(request, answer)
        finally:
            _close(answers)

    def _next_requests(self, first: Item) -> Iterator[Request]:
        item: Item | None = first
        while item is not None and item.request is not None:
            with self._changed:
                self._awaited.setdefault(item.request, deque()).append(item)
            yield item.request
            item = self._requests.get()

    def _on_start(self, request: Request) -> None:
        with self._changed:
            awaited = self._awaited.get(request, ())
            item = next((item for item in awaited if not item.fetch_started), None)
            if item is None:  # Another attempt.
                return
            item.fetch_started = True
        self._post(self._receiver.fetch_started, item)

    def _answered(self, request: Request, answer: SourcePage | BonmunError) -> None:
        with self._changed:
            awaited = self._awaited.get(request)
            item = awaited.popleft() if awaited else None
            if not awaited:
                self._awaited.pop(request, None)
        if item is None:
            self._post(self._receiver.failed, FetchError(f"{request.url}: answered twice"), "network")
        elif isinstance(answer, SourcePage):
            self._announce(item)
            item.page = _named(answer, item.source)
            self._post(self._receiver.fetch_finished, item)
            self._parse(item, item.page)
        else:
            self._fail_fetch(item, answer)

    def _fail_fetch(self, item: Item, error: Exception) -> None:
        self._announce(item)
        self._post(self._receiver.fetch_failed, item, error)

    def _announce(self, item: Item) -> None:
        """Report the start of a fetch that the network answered without one, as for a URL that robots.txt forbids."""
        if not item.fetch_started:
            item.fetch_started = True
            self._post(self._receiver.fetch_started, item)

    def _take_awaited(self) -> list[Item]:
        """The items whose requests the network took and did not answer; none when stopping: they are left."""
        with self._changed:
            items = [item for awaited in self._awaited.values() for item in awaited]
            self._awaited.clear()
        return [] if self.stopping else items

    # ── parsing ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _parse(self, item: Item, page: SourcePage) -> None:
        try:
            sites = self._settings.sites
            job = Job(page, sites.site(page.url) if sites is not None else None)
        except Exception as error:
            self._post(self._receiver.parsing_failed, item, error)
            return
        with suppress(WorkerError):  # The pool is closed: the item is left.
            started = partial(self._post, self._receiver.parsing_started, item)
            self._pool.submit(job, on_start=started).add_done_callback(partial(self._parsed, item, job))

    def _parsed(self, item: Item, job: Job, future: "Future[NewsDataSet]") -> None:
        if future.cancelled():
            return
        error = future.exception()
        if isinstance(error, Exception):
            self._post(self._receiver.parsing_failed, item, error)
            return
        dataset = self._task.received(future.result(), job)
        self._post(self._receiver.parsing_finished, item, dataset)

    def _post(self, call: Callable[..., None], *arguments: object) -> None:
        self.inbox.put(partial(call, *arguments))


def _request_of(given: SourceItem) -> Request | None:
    """The request for a page, also of one that the source fetched itself; `None` for a page of a file."""
    if isinstance(given, SourcePage):
        return Request(given.network.requested_url, given.source) if given.network else None
    return given.request if isinstance(given, Unfetched) else given


def _nothing() -> None:
    """Do nothing: most sources need no `stop`."""


def _close(iterator: object) -> None:
    """Close a generator; other iterators cannot be."""
    close = getattr(iterator, "close", None)
    if close is not None:
        close()


def _named(page: SourcePage, source: str) -> SourcePage:
    return page if page.source else replace(page, source=source)


def _grouped(sources: Sequence[Source | str]) -> list[Source | str]:
    """The sources with all plain URLs as one: each source has a thread."""
    from bonmun.middleware.sources import Urls

    urls = [source for source in sources if _is_url(source)]
    others = [source for source in sources if not _is_url(source)]
    return [*others, Urls([str(url) for url in urls])] if urls else others


def _is_url(source: Source | str) -> bool:
    return isinstance(source, str) and source.startswith(("http://", "https://"))


def _source_of(text: str, forms: dict[str, Callable[[str], Source]]) -> Source:
    from bonmun.middleware.sources import source_of  # Imported late: it knows every kind of source.

    return source_of(text, forms)
