"""What user code, sources, networks and stores may do wrong without a lost page, a wrong count or a hang."""

import multiprocessing
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import bonmun
from bonmun.errors import BadStatus, FetchError, SourceError, StoreFull, WorkerDied
from bonmun.middleware.exchange import Network, Pages, Request, SourceItem, SourcePage, Unfetched
from bonmun.middleware.lazy_network import LazyNetwork
from bonmun.middleware.settings import ContainerSettings
from bonmun.middleware.sources import WatchedFolder
from tests.middleware.container.parts import MemoryStore, Recorder, SmallNetwork, html, page, pages, until
from tests.middleware.container.test_container import ONE, add_up
from tests.middleware.container.test_endings import Endless, Idle
from tests.middleware.local_server import Server, answer


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    assert not multiprocessing.active_children()
    until(lambda: not [thread for thread in threading.enumerate() if thread.name.startswith("bonmun")])


# ── sources ───────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Failing:
    """Yields a page, then raises."""

    error: BaseException
    name: str = "failing"

    def items(self, network: Network) -> Iterator[SourceItem]:
        yield page("before")
        raise self.error


@pytest.mark.parametrize("error", [SourceError("malformed"), ValueError("a bug"), SystemExit(3), KeyboardInterrupt()])
def test_a_source_that_raises_anything_is_reported_and_recorded(error: BaseException) -> None:
    wrapper, store = Recorder(), MemoryStore()
    report = bonmun.Container(wrapper, None, store, ONE).run([Failing(error), pages(3)])
    assert (report.taken, report.delivered, report.left) == (4, 4, 0)
    ((url, source, stage, recorded),) = store.failed
    assert (url, source, stage) == ("failing", "failing", "source")
    assert wrapper.errors == [("source failing", recorded)]
    assert recorded is error or (isinstance(recorded, SourceError) and type(error).__name__ in str(recorded))


def test_what_a_source_failed_to_fetch_is_counted_reported_and_recorded() -> None:
    wrapper, store = Recorder(), MemoryStore()
    failed = Unfetched(Request("https://example.org/dead"), BadStatus("the server answered 404"))
    report = bonmun.Container(wrapper, None, store, ONE).run([Pages([page("a"), failed, page("b")], "crawl")])
    assert (report.taken, report.delivered, report.failed_at, report.left) == (3, 2, {"fetch": 1}, 0)
    assert wrapper.of("https://example.org/dead") == ["fetch started", "fetch failed"]
    assert store.failed == [("https://example.org/dead", "crawl", "fetch", failed.error)]


def test_a_source_that_yields_nonsense_is_reported() -> None:
    wrapper = Recorder()
    report = bonmun.Container(wrapper, settings=ONE).run([Pages([page("a"), None], "odd")])  # type: ignore[list-item]
    assert (report.taken, report.delivered) == (1, 1)
    assert [where for where, _ in wrapper.errors] == ["source odd"]


def test_a_generator_is_closed_in_its_own_thread_when_the_run_stops() -> None:
    closed = threading.Event()

    class Held:
        name = "held"

        def items(self, network: Network) -> Iterator[SourceItem]:
            try:
                for number in count():
                    yield page(number)
            finally:
                closed.set()

    class Stopping(Recorder):
        def analyze_news(self, dataset: bonmun.NewsDataSet) -> None:
            container.stop()

    container = bonmun.Container(Stopping(), settings=ONE)
    report = container.run([Held()])
    assert closed.wait(30)
    assert add_up(report)


@pytest.mark.timed
def test_many_sources_that_wait_do_not_delay_the_end() -> None:
    sources, stopped = [Idle() for _ in range(20)], 0.0
    container = bonmun.Container(settings=ONE)
    for number, _ in enumerate(container.stream(sources), 1):
        if number == len(sources):
            stopped = time.monotonic()
            container.stop()
    seconds = time.monotonic() - stopped
    for source in sources:
        source.over.set()
    assert (container.report.taken, container.report.left) == (20, 0)
    assert seconds < 8


def test_a_watched_folder_ends_with_the_run(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(html("a"))

    class Stopping(Recorder):
        def analyze_news(self, dataset: bonmun.NewsDataSet) -> None:
            container.stop()

    container = bonmun.Container(Stopping(), settings=ONE)
    report = container.run([WatchedFolder(tmp_path, interval=0.05)])
    assert (report.taken, report.delivered) == (1, 1)


def test_a_source_whose_stop_fails_is_reported() -> None:
    class Stubborn(Idle):
        def stop(self) -> None:
            self.over.set()
            raise OSError("no")

    class Stopping(Recorder):
        def analyze_news(self, dataset: bonmun.NewsDataSet) -> None:
            source.waiting.wait(30)
            container.stop()

    source, wrapper = Stubborn(), Stopping()
    container = bonmun.Container(wrapper, settings=ONE)
    container.run([source])
    assert [where for where, _ in wrapper.errors] == ["source idle"]


def test_a_source_that_outlives_the_run_starts_no_network() -> None:
    network = LazyNetwork()
    network.close()
    with pytest.raises(FetchError, match="run has ended"):
        network.fetch(Request("https://example.org/"))


# ── networks ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("error", [OSError("no route"), SystemExit(3)])
def test_a_network_that_raises_anything_fails_its_requests(error: BaseException) -> None:
    class Broken(SmallNetwork):
        def stream(self, requests: Any, on_start: Any = None) -> Iterator[Any]:
            next(iter(requests))
            raise error
            yield

    wrapper, store = Recorder(), MemoryStore()
    requests = [Request(f"https://example.org/{number}") for number in range(5)]
    report = bonmun.Container(wrapper, Broken(), store, ONE).run([Pages(requests), pages(2)])
    assert (report.delivered, report.failed_at, report.left) == (2, {"fetch": 5}, 0)
    assert len(store.failed) == 5


# ── wrappers ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "method", ["analyze_news", "on_parsing_started", "on_parsing_finished", "on_analysis_finished"]
)
@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_inside_the_wrapper_ends_the_run_with_an_exact_count(
    method: str, kind: type[BaseException]
) -> None:
    def interrupt(*_: object) -> None:
        raise kind

    wrapper, store = Recorder(), MemoryStore()
    setattr(wrapper, method, interrupt)
    container = bonmun.Container(wrapper, None, store, ONE)
    with pytest.raises(kind):
        container.run([Endless()])
    assert wrapper.calls[-1] == ("dispose", "")
    assert add_up(container.report)
    assert len(store.saved) <= 1


def test_stop_now_is_not_taken_back_by_stop() -> None:
    class Impatient(Recorder):
        def on_parsing_started(self, page: SourcePage) -> None:
            container.stop(now=True)
            container.stop()

    container = bonmun.Container(Impatient(), settings=ContainerSettings(jobs=1, patience=60))
    report = container.run([pages(5)])
    assert report.delivered == 0
    assert add_up(report)


def test_stop_in_init_takes_nothing() -> None:
    class Early(Recorder):
        def init(self) -> None:
            container.stop()

    wrapper = Early()
    container = bonmun.Container(wrapper, settings=ONE)
    report = container.run([Endless()])
    assert (report.taken, report.stopped) == (0, True)
    assert wrapper.calls[-1] == ("dispose", "")


@dataclass(frozen=True)
class Exiting:
    """Ends its worker by an exception that is no `Exception`."""

    name: str = "exiting"

    def judge(self, page: bonmun.Page) -> bonmun.Verdicts:
        raise SystemExit("no more")


def test_a_method_that_exits_costs_its_page() -> None:
    wrapper = Recorder()
    settings = ContainerSettings(jobs=1, method=Exiting())
    report = bonmun.Container(wrapper, settings=settings).run([pages(2)])
    assert report.failed_at == {"parsing": 2}
    assert {type(error) for error in wrapper.failures} == {WorkerDied}


# ── stores ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_store_that_cannot_say_what_it_has_costs_no_page() -> None:
    class Blind(MemoryStore):
        def has(self, url: str) -> bool:
            raise OSError("locked")

    wrapper, store = Recorder(), Blind()
    report = bonmun.Container(wrapper, None, store, ContainerSettings(jobs=1, skip_stored=True)).run([pages(3)])
    assert (report.delivered, report.skipped, len(store.saved)) == (3, 0, 3)
    assert [where for where, _ in wrapper.errors] == ["store"] * 3


FULL_DISK = """
import resource, signal, sys
import bonmun
from bonmun.middleware.exchange import Pages, SourcePage
from bonmun.middleware.settings import ContainerSettings
from bonmun.store import open_store
from tests.middleware.container.parts import Recorder, page

if __name__ == "__main__":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    wrapper = Recorder()
    with open_store(sys.argv[1]) as store:
        store.save(bonmun.extract(page(0).content), url=page(0).url)
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, resource.RLIM_INFINITY))
        texts = [b"<p>" + b" ".join(b"w%d" % (n * 7919 + i) for i in range(4000)) + b"." for n in range(30)]
        given = [SourcePage(f"https://example.org/{n}", text) for n, text in enumerate(texts, 1)]
        report = bonmun.Container(wrapper, None, store, ContainerSettings(jobs=1)).run([Pages(given)])
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        stored = len(list(store.documents())) - 1
    print(report.taken, report.delivered, report.failed_at.get("store"), report.left, stored)
    print(len(wrapper.named("analysis failed")), *sorted({type(error).__name__ for error in wrapper.failures}))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_a_full_disk_fails_pages_one_by_one_and_keeps_those_before(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(tmp_path / "news.db")],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[3],
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    counts, failures = done.stdout.splitlines()
    taken, delivered, failed, left, stored = map(int, counts.split())
    assert (taken, left) == (30, 0)
    assert delivered + failed == 30
    assert delivered == stored
    assert failed > 0
    assert failures.split() == [str(failed), StoreFull.__name__]


# ── abandoned iterations ──────────────────────────────────────────────────────────────────────────────────────────


def test_an_abandoned_iteration_at_the_end_of_the_interpreter_is_silent() -> None:
    script = (
        "import bonmun\n"
        "from tests.middleware.container.test_endings import Endless\n"
        "from bonmun.middleware.settings import ContainerSettings\n"
        "if __name__ == '__main__':\n"
        "    stream = bonmun.Container(settings=ContainerSettings(jobs=1)).stream([Endless()])\n"
        "    print(next(stream).title)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=Path(__file__).parents[3], timeout=300
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "Page 0\n", "")


def test_the_same_url_twice_is_fetched_and_stored_twice(server: Server) -> None:
    url = server.serve(answer(html("tea")), "/tea")
    wrapper, store = Recorder(), MemoryStore()
    sources = [Pages([Request(url)] * 3, "a"), Pages([Request(url)] * 2, "b")]
    report = bonmun.Container(wrapper, SmallNetwork(), store, ONE).run(sources)
    assert (report.taken, report.delivered, len(store.saved)) == (5, 5, 5)
    assert sorted(facts["source"] for _, facts in store.saved) == ["a"] * 3 + ["b"] * 2
