"""Pages, wrappers, methods, stores and a small network for the tests of the container."""

import os
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import bonmun
from bonmun.errors import BonmunError
from bonmun.middleware.exchange import NetworkFacts, Pages, Request, SourcePage
from bonmun.middleware.network import FetchPolicy, fetch
from bonmun.registry import method

SENTENCE = "The river rose in the night, and by morning the lower road was gone under brown water."


def html(title: object) -> bytes:
    return f"<title>Page {title}</title><h1>Page {title}</h1><p>{SENTENCE} It was number {title}.</p>".encode()


def page(title: object, content: bytes | None = None) -> SourcePage:
    return SourcePage(f"https://example.org/{title}", html(title) if content is None else content)


def pages(count: int, name: str = "pages") -> Pages:
    return Pages([page(f"{name}-{number}") for number in range(count)], name)


class Recorder(bonmun.Wrapper):
    """Remembers every call with its URL; fails on a second call at the same time or from another thread."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []
        self.errors: list[tuple[str, Exception]] = []
        self.failures: list[Exception] = []
        self.threads: set[int] = set()
        self._inside = threading.Lock()

    def note(self, name: str, url: str) -> None:
        assert self._inside.acquire(blocking=False), "two calls at once"
        try:
            self.threads.add(threading.get_ident())
            self.calls.append((name, url))
        finally:
            self._inside.release()

    def of(self, url: str) -> list[str]:
        return [name for name, called in self.calls if called == url]

    def named(self, name: str) -> list[str]:
        return [url for called, url in self.calls if called == name]

    def init(self) -> None:
        self.note("init", "")

    def dispose(self) -> None:
        self.note("dispose", "")

    def analyze_news(self, dataset: bonmun.NewsDataSet) -> None:
        self.note("analyze_news", dataset.url)

    def on_fetch_started(self, request: Request) -> None:
        self.note("fetch started", request.url)

    def on_fetch_finished(self, page: SourcePage) -> None:
        self.note("fetch finished", page.url)

    def on_fetch_failed(self, request: Request, error: Exception) -> None:
        self.failures.append(error)
        self.note("fetch failed", request.url)

    def on_parsing_started(self, page: SourcePage) -> None:
        self.note("parsing started", page.url)

    def on_parsing_finished(self, dataset: bonmun.NewsDataSet) -> None:
        self.note("parsing finished", dataset.url)

    def on_analysis_started(self, dataset: bonmun.NewsDataSet) -> None:
        self.note("analysis started", dataset.url)

    def on_analysis_finished(self, dataset: bonmun.NewsDataSet) -> None:
        self.note("analysis finished", dataset.url)

    def on_analysis_failed(self, page: SourcePage, error: Exception) -> None:
        self.failures.append(error)
        self.note("analysis failed", page.url)

    def on_error(self, error: Exception, where: str) -> None:
        self.errors.append((where, error))
        self.note("error", where)


PARSED = ["parsing started", "parsing finished", "analysis started", "analyze_news", "analysis finished"]
FETCHED = ["fetch started", "fetch finished", *PARSED]


@dataclass(frozen=True)
class Crashing:
    """Ends its process on pages that say so."""

    name: str = "crashing"

    def judge(self, page: bonmun.Page) -> bonmun.Verdicts:
        if any("CRASH" in text for text in page.blocks.text):
            os._exit(3)
        if any("RAISE" in text for text in page.blocks.text):
            raise ValueError("no verdict")
        return method("density").judge(page)


@dataclass(frozen=True)
class Gated:
    """Leaves a file for each page; a page that says SLOW waits for the files of all others."""

    folder: str
    others: int
    name: str = "gated"

    def judge(self, page: bonmun.Page) -> bonmun.Verdicts:
        folder = Path(self.folder)
        if any("SLOW" in text for text in page.blocks.text):
            until(lambda: len(list(folder.iterdir())) >= self.others)
        else:
            (folder / str(page.url).rpartition("/")[2]).touch()
        return method("density").judge(page)


def until(condition: Callable[[], object], seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.01)


@dataclass
class MemoryStore:
    """A store that remembers the calls."""

    broken: bool = False
    known: set[str] = field(default_factory=set)
    saved: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    failed: list[tuple[str, str, str, Exception]] = field(default_factory=list)

    def save(self, document: bonmun.Document, *, url: str, **facts: Any) -> str:
        if self.broken:
            raise OSError("disk full")
        self.saved.append((url, {"text": document.text, **facts}))
        return "new"

    def fail(self, url: str, source: str, stage: str, error: Exception) -> None:
        if self.broken:
            raise OSError("disk full")
        self.failed.append((url, source, stage, error))

    def has(self, url: str) -> bool:
        return url in self.known


class SmallNetwork:
    """The safe fetch of the core in some threads."""

    def __init__(self, threads: int = 4, seconds: float = 10.0) -> None:
        self._threads, self._policy = threads, FetchPolicy(allow_private=True, seconds=seconds)

    def fetch(self, request: Request) -> SourcePage:
        started = time.perf_counter()
        got = fetch(request.url, self._policy)
        seconds = time.perf_counter() - started
        facts = NetworkFacts(
            request.url, 200, "HTTP/1.1", (), 1, False, len(got.content), seconds, datetime.now(tz=UTC)
        )
        return SourcePage(got.url, got.content, got.content_type, request.source, facts)

    def stream(
        self, requests: Iterable[Request], on_start: Callable[[Request], object] | None = None
    ) -> Iterator[tuple[Request, SourcePage | BonmunError]]:
        answers: queue.SimpleQueue[tuple[Request, SourcePage | BonmunError] | None] = queue.SimpleQueue()
        iterator, lock, room = iter(requests), threading.Lock(), threading.BoundedSemaphore(2 * self._threads)

        def work() -> None:
            while True:
                room.acquire()
                with lock:
                    request = next(iterator, None)
                if request is None:
                    break
                if on_start is not None:
                    on_start(request)
                try:
                    answers.put((request, self.fetch(request)))
                except BonmunError as error:
                    answers.put((request, error))
            room.release()
            answers.put(None)

        for _ in range(self._threads):
            threading.Thread(target=work, daemon=True).start()
        working = self._threads
        while working:
            answer = answers.get()
            if answer is None:
                working -= 1
            else:
                yield answer
                room.release()
