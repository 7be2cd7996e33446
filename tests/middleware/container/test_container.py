"""Pages through the container: notifications, order, failures, accounting."""

import multiprocessing
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import bonmun
from bonmun.errors import BadStatus, FetchError, NotAPage, WorkerDied, WorkerNotStarted
from bonmun.middleware.delivery import RunReport
from bonmun.middleware.exchange import Network, Pages, Request, SourcePage
from bonmun.middleware.settings import ContainerSettings
from tests.middleware.container.parts import (
    FETCHED,
    PARSED,
    Crashing,
    Gated,
    MemoryStore,
    Recorder,
    SmallNetwork,
    html,
    page,
    pages,
)
from tests.middleware.local_server import Server, answer

ONE = ContainerSettings(jobs=1)


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    assert not multiprocessing.active_children()


def add_up(report: RunReport) -> bool:
    return report.taken == report.delivered + report.failed + report.left


# ── notifications ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_page_of_a_server_is_delivered_once_with_its_notifications_in_order(server: Server) -> None:
    urls = [server.serve(answer(html(number)), f"/{number}") for number in range(8)]
    missing = server.serve(answer(b"", "404 Not Found"), "/missing")
    wrapper = Recorder()
    source = Pages([Request(url) for url in [*urls[:4], missing, *urls[4:]]], "local")
    report = bonmun.Container(wrapper, SmallNetwork(), settings=ContainerSettings(jobs=2)).run([source])
    assert (report.taken, report.delivered, report.failed, report.left) == (9, 8, 1, 0)
    assert {url: wrapper.of(url) for url in urls} == dict.fromkeys(urls, FETCHED)
    assert wrapper.of(missing) == ["fetch started", "fetch failed"]
    assert isinstance(wrapper.failures[0], BadStatus)
    assert wrapper.calls[0] == ("init", "")
    assert wrapper.calls[-1] == ("dispose", "")
    assert wrapper.threads == {threading.get_ident()}


def test_pages_without_a_network_have_no_fetch() -> None:
    wrapper = Recorder()
    report = bonmun.Container(wrapper, settings=ONE).run([pages(3)])
    assert report == RunReport("Recorder", 3, 3, seconds=report.seconds)
    assert [wrapper.of(f"https://example.org/pages-{number}") for number in range(3)] == [PARSED] * 3


def test_a_data_set_has_source_network_and_timings(server: Server) -> None:
    url = server.serve(answer(html("tea")), "/tea")
    (dataset,) = bonmun.Container(network=SmallNetwork(), settings=ONE).stream([Pages([Request(url)], "local")])
    assert (dataset.title, dataset.source, dataset.url) == ("Page tea", "local", url)
    assert dataset.network is not None
    assert dataset.network.requested_url == url
    assert list(dataset.timings) == ["fetch", "read", "judge", "metadata", "text"]
    assert 0 < dataset.seconds < dataset.seconds + dataset.timings["fetch"]
    assert dataset.timings["fetch"] == dataset.network.seconds


def test_a_fetch_that_the_network_never_started_is_announced() -> None:
    class Refusing:
        def fetch(self, request: Request) -> SourcePage:
            raise NotImplementedError

        def stream(self, requests, on_start=None):  # type: ignore[no-untyped-def]
            for request in requests:
                yield request, FetchError("refused by robots.txt")

    wrapper = Recorder()
    bonmun.Container(wrapper, Refusing(), settings=ONE).run([Pages([Request("https://example.org/a")])])
    assert wrapper.of("https://example.org/a") == ["fetch started", "fetch failed"]


# ── order and back-pressure ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("ordered", [True, False])
def test_pages_come_in_order_or_as_they_complete(tmp_path: Path, ordered: bool) -> None:
    given = [page("slow", b"<p>A SLOW page that is read long after all the others, by design.</p>")]
    given += [page(number) for number in range(6)]
    settings = ContainerSettings(jobs=2, ordered=ordered, method=Gated(str(tmp_path), 6))
    urls = [dataset.url for dataset in bonmun.Container(settings=settings).stream([Pages(given)])]
    assert sorted(urls) == sorted(each.url for each in given)
    if ordered:
        assert urls == [each.url for each in given]
    else:
        assert urls[-1] == given[0].url


@pytest.mark.parametrize("ordered", [True, False])
def test_a_source_is_taken_only_as_far_ahead_as_pages_may_be_in_flight(ordered: bool) -> None:
    settings = ContainerSettings(jobs=1, in_flight=4, ordered=ordered)
    container = bonmun.Container(settings=settings)
    for number, _ in enumerate(container.stream([pages(30)]), 1):
        assert container.report.taken <= number + 4
    assert container.report.delivered == 30


def test_full_queues_hold_the_source_back() -> None:
    container = bonmun.Container(settings=ContainerSettings(jobs=1, queue=2, in_flight=10_000))
    for number, _ in enumerate(container.stream([pages(60)]), 1):
        # One with the worker, two in its queue, one being put there; two in the inbox; one that a worker returns.
        assert container.report.taken <= number + 8


# ── failures ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_page_that_crashes_its_worker_costs_only_itself() -> None:
    given = [page(number) for number in range(6)]
    given[2] = page("crash", b"<p>CRASH</p>")
    given[4] = page("raise", b"<p>RAISE</p>")
    wrapper = Recorder()
    settings = ContainerSettings(jobs=2, method=Crashing())
    report = bonmun.Container(wrapper, settings=settings).run([Pages(given)])
    assert (report.taken, report.delivered, report.failed_at) == (6, 4, {"parsing": 2})
    assert wrapper.of(given[2].url) == ["parsing started", "analysis failed"]
    assert sorted(type(error).__name__ for error in wrapper.failures) == ["ValueError", "WorkerDied"]
    assert any(isinstance(error, WorkerDied) and error.status == 3 for error in wrapper.failures)


@pytest.mark.parametrize("ordered", [True, False])
def test_every_page_of_a_mixed_stream_ends_exactly_once(server: Server, ordered: bool) -> None:
    gone = server.serve(answer(b"", "404 Not Found"), "/gone")
    good = [server.serve(answer(html(number)), f"/{number}") for number in range(10)]
    kinds = [b"<p>RAISE</p>", b"%PDF-1.7", html("fine"), b""]
    sources = [
        Pages([page(f"{name}-{number}", kinds[number % 4]) for number in range(40)], name) for name in ("a", "b", "c")
    ]
    requests = Pages([Request(url) for url in [*good, *[gone] * 10]], "requests")
    wrapper, store = Recorder(), MemoryStore()
    settings = ContainerSettings(jobs=2, ordered=ordered, method=Crashing(), queue=4, in_flight=20)
    report = bonmun.Container(wrapper, SmallNetwork(), store, settings).run([*sources, Broken(), requests])
    assert (report.taken, report.left) == (141, 0)
    assert report.failed_at == {"parsing": 60, "fetch": 10}
    assert report.delivered == len(store.saved) == 71
    assert sorted({stage for _, _, stage, _ in store.failed}) == ["fetch", "parsing", "source"]
    assert len(store.failed) == 70 + 1  # The broken source is recorded too.
    ends = [url for name, url in wrapper.calls if name in ("fetch failed", "analysis failed", "analysis finished")]
    assert len(ends) == 141
    assert len({*ends}) == 132, "one URL was requested ten times"


def test_a_file_that_is_no_page_fails_with_its_type() -> None:
    wrapper = Recorder()
    bonmun.Container(wrapper, settings=ONE).run([Pages([page("png", b"\x89PNG\r\n\x1a\n")])])
    assert [type(error) for error in wrapper.failures] == [NotAPage]


class Careless(Recorder):
    """Raises in every method once a page is concerned."""

    def note(self, name: str, url: str) -> None:
        super().note(name, url)
        if name != "init":
            raise RuntimeError(f"careless in {name}")


def test_exceptions_in_user_code_do_not_end_the_run(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    url, gone = server.serve(answer(html(1)), "/1"), server.serve(answer(b"", "404 Not Found"), "/gone")
    wrapper = Careless()
    container = bonmun.Container(wrapper, SmallNetwork(), settings=ONE)
    report = container.run([Pages([Request(url), Request(gone)]), pages(2)])
    assert (report.taken, report.delivered, report.failed_at) == (4, 0, {"wrapper": 3, "fetch": 1})
    assert wrapper.of(url) == [*FETCHED[:-1], "analysis failed"]
    assert "dispose" in dict(wrapper.calls)
    reported = {where for where, _ in wrapper.errors}
    assert {"on_fetch_started", "on_parsing_finished", "analyze_news", "on_analysis_failed", "dispose"} <= reported
    assert "on_error failed: careless in error" in caplog.text
    assert any("analyze_news: RuntimeError: careless" in error for error in report.errors)


class Broken:
    name = "broken"

    def items(self, network: Network) -> Iterator[Request | SourcePage]:
        yield page("before")
        raise OSError("the archive is damaged")


def test_a_source_that_raises_is_reported_and_the_others_go_on() -> None:
    wrapper = Recorder()
    report = bonmun.Container(wrapper, settings=ONE).run([Broken(), pages(5)])
    assert (report.taken, report.delivered) == (6, 6)
    assert [(where, str(error)) for where, error in wrapper.errors] == [("source broken", "the archive is damaged")]
    assert report.errors == ("source broken: OSError: the archive is damaged",)


def test_a_network_that_raises_fails_its_requests_and_not_the_files() -> None:
    class Down:
        def fetch(self, request: Request) -> SourcePage:
            raise NotImplementedError

        def stream(self, requests, on_start=None):  # type: ignore[no-untyped-def]
            next(iter(requests))
            raise OSError("no cable")

    wrapper = Recorder()
    requests = Pages([Request(f"https://example.org/{number}") for number in range(70)], "requests")
    report = bonmun.Container(wrapper, Down(), settings=ONE).run([requests, pages(2)])
    assert (report.taken, report.delivered, report.failed_at) == (72, 2, {"fetch": 70})
    assert [where for where, _ in wrapper.errors] == ["network"]


def test_the_same_request_twice_is_two_pages(server: Server) -> None:
    url = server.serve(answer(html(1)), "/1")
    wrapper = Recorder()
    report = bonmun.Container(wrapper, SmallNetwork(), settings=ONE).run([Pages([Request(url)] * 3)])
    assert (report.taken, report.delivered) == (3, 3)
    assert sorted(wrapper.of(url)) == sorted(FETCHED * 3)


def test_workers_that_cannot_start_end_the_run_and_dispose() -> None:
    class Local(Crashing):
        """Cannot be pickled: a class inside a function."""

    wrapper = Recorder()
    container = bonmun.Container(wrapper, settings=ContainerSettings(jobs=1, method=Local()))
    with pytest.raises(WorkerNotStarted):
        container.run([pages(3)])
    assert wrapper.calls[-1] == ("dispose", "")
    assert add_up(container.report)


# ── the store ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_page_is_saved_or_failed_exactly_once(server: Server) -> None:
    url, gone = server.serve(answer(html(1)), "/1"), server.serve(answer(b"", "404 Not Found"), "/gone")
    store = MemoryStore()
    given = [page("crash", b"<p>CRASH</p>"), page("file")]
    container = bonmun.Container(None, SmallNetwork(), store, ContainerSettings(jobs=1, method=Crashing()))
    delivered = {dataset.url: dataset for dataset in container.stream([Pages([Request(url), Request(gone), *given])])}
    assert sorted(saved for saved, _ in store.saved) == sorted([url, given[1].url])
    assert sorted((at, stage) for at, _, stage, _ in store.failed) == [(gone, "fetch"), (given[0].url, "parsing")]
    facts = dict(store.saved)[url]
    assert facts["source"] == "pages"
    assert facts["html_size"] == len(html(1))
    assert facts["timings"] == delivered[url].timings
    assert facts["network"] == delivered[url].network
    assert delivered[url].saved == "new"


def test_a_store_that_fails_costs_the_page_and_not_the_run() -> None:
    wrapper = Recorder()
    settings = ContainerSettings(jobs=1, method=Crashing())
    container = bonmun.Container(wrapper, store=MemoryStore(broken=True), settings=settings)
    report = container.run([Pages([page(1), page("crash", b"<p>CRASH</p>")])])
    assert (report.delivered, report.failed_at) == (0, {"store": 1, "parsing": 1})
    assert [where for where, _ in wrapper.errors] == ["store", "store"]
    assert wrapper.named("analyze_news") == []


def test_the_store_has_the_page_before_the_wrapper_hears_of_it() -> None:
    store = MemoryStore()

    class Looking(bonmun.Wrapper):
        seen: tuple[str, ...] = ()

        def analyze_news(self, dataset: bonmun.NewsDataSet) -> None:
            assert store.saved[-1][0] == dataset.url
            self.seen = (*self.seen, str(dataset.saved))

        def on_fetch_failed(self, request: Request, error: Exception) -> None:
            assert store.failed[-1][0] == request.url
            self.seen = (*self.seen, "failed")

    wrapper = Looking()
    refused = Request("http://127.0.0.1:1/")
    bonmun.Container(wrapper, SmallNetwork(), store, ONE).run([Pages([page(1), refused])])
    assert sorted(wrapper.seen) == ["failed", "new"]


def test_pages_that_the_store_has_are_not_taken_again() -> None:
    store = MemoryStore(known={"https://example.org/pages-1"})
    container = bonmun.Container(store=store, settings=ContainerSettings(jobs=1, skip_stored=True))
    report = container.run([pages(3)])
    assert (report.taken, report.skipped, report.delivered) == (2, 1, 2)
