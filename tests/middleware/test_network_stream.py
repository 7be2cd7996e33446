"""Streams: several hosts at once, politeness, retries, back-pressure, and a prompt end."""

import itertools
import signal
import socket
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from bonmun.errors import BadStatus, BonmunError, FetchError
from bonmun.middleware.exchange import Request, SourcePage
from bonmun.middleware.network_manager import NetworkManager
from tests.middleware.local_server import PAGE, Answer, answer, elapsed, redirect, serving
from tests.middleware.network_server import KeepAliveServer, all_of, failure, get, settings, two_hosts, wait_for


@pytest.fixture
def server() -> Iterator[KeepAliveServer]:
    with serving(KeepAliveServer()) as running:
        assert isinstance(running, KeepAliveServer)
        yield running


def gaps(server: KeepAliveServer) -> list[float]:
    times = [at for at, _, _ in server.seen]
    return [after - before for before, after in itertools.pairwise(times)]


def held(until: threading.Event, response: bytes = answer()) -> Answer:
    """A response that waits for an event."""

    def hold(connection: socket.socket) -> None:
        until.wait(10)
        connection.sendall(response)

    return hold


def silent(reached: threading.Event) -> Answer:
    """A response that never comes; ends when the client disconnects."""

    def wait(connection: socket.socket) -> None:
        reached.set()
        connection.recv(1)

    return wait


def network_threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("bonmun-")]


@pytest.mark.parametrize("workers", [2, 8])
def test_a_slow_host_delays_only_itself(workers: int) -> None:
    go_on = threading.Event()
    with two_hosts() as (slow, fast):
        urls = [slow.serve(held(go_on), f"/{number}") for number in range(30)]
        urls += [fast.serve(answer(), f"/{number}") for number in range(30)]
        with NetworkManager(settings(concurrency=workers)) as network:
            stream = network.stream(map(Request, urls))
            first = [next(stream)[0].url for _ in range(30)]
            assert set(first) == set(urls[30:])
            assert len(slow.seen) <= 1
            go_on.set()
            assert {request.url for request, _ in stream} == set(urls[:30])


def test_a_host_with_a_long_crawl_delay_delays_only_itself() -> None:
    with two_hosts() as (polite, quick):
        polite.serve(answer(b"User-agent: *\nCrawl-delay: 30"), "/robots.txt")
        urls = [polite.serve(answer(), f"/{number}") for number in range(5)]
        urls += [quick.serve(answer(), f"/{number}") for number in range(5)]
        with NetworkManager(settings(concurrency=2, honour_robots=True)) as network:
            stream = network.stream(map(Request, urls))
            done = [next(stream)[0].url for _ in range(5)]
            stream.close()
    assert set(done) <= {*urls[5:], *urls[:1]}
    assert len(polite.seen) <= 2


def test_the_delay_between_requests_to_a_host_is_kept(server: KeepAliveServer) -> None:
    server.serve(redirect("/0"), "/5")
    urls = [server.serve(answer(), f"/{number}") for number in range(5)]
    with NetworkManager(settings(delay=0.1)) as network:
        all_of(network, urls)
        all_of(network, [urls[0].replace("/0", "/5")])
    assert len(server.seen) == 7
    assert min(gaps(server)) >= 0.095


def test_streams_and_fetches_share_the_hosts_turns(server: KeepAliveServer) -> None:
    urls = [server.serve(answer(), f"/{number}") for number in range(3)]
    with NetworkManager(settings(delay=0.1)) as network:
        threads = [threading.Thread(target=all_of, args=(network, urls)) for _ in range(2)]
        threads += [threading.Thread(target=network.fetch, args=(Request(url),)) for url in urls]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(server.seen) == 9
    assert min(gaps(server)) >= 0.095


@pytest.mark.parametrize("allowed", [1, 2])
def test_no_more_requests_at_a_time_than_a_host_may_have(server: KeepAliveServer, allowed: int) -> None:
    lock, meeting, now, most = threading.Lock(), threading.Barrier(allowed), 0, 0

    def count(connection: socket.socket) -> None:
        nonlocal now, most
        with lock:
            now, most = now + 1, max(most, now + 1)
        meeting.wait(10)
        with lock:
            now -= 1
        connection.sendall(answer())

    urls = [server.serve(count, f"/{number}") for number in range(12)]
    with NetworkManager(settings(per_host=allowed, seconds=20.0)) as network:
        results = all_of(network, urls)
    assert all(isinstance(result, SourcePage) for result in results.values())
    assert most == allowed


@pytest.mark.parametrize("status", ["429 Slow Down", "503 Busy", "500 Oops", "502 Bad", "504 Late"])
def test_a_server_error_is_tried_again(server: KeepAliveServer, status: str) -> None:
    url = server.serve([answer(b"", status), answer(b"", status), answer()])
    page = get(url, retries=2)
    assert page.content == PAGE
    assert page.network is not None
    assert page.network.attempts == 3
    server.serve(answer(b"", status))
    error = failure(url, retries=2)
    assert isinstance(error, BadStatus)
    assert f"answered {status[:3]}" in str(error)
    assert len(server.seen) == 6


def test_retry_after_is_obeyed_in_seconds(server: KeepAliveServer) -> None:
    url = server.serve([answer(b"", "429 Slow", Retry_After="1"), answer()])
    assert get(url).content == PAGE
    assert gaps(server)[0] >= 0.995


def test_retry_after_is_obeyed_as_a_date(server: KeepAliveServer) -> None:
    date = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=2)
    url = server.serve([answer(b"", "503 Busy", Retry_After=format_datetime(date, usegmt=True)), answer()])
    assert get(url).content == PAGE
    assert datetime.now(UTC) >= date


@pytest.mark.timed
@pytest.mark.parametrize("wait", ["86400", "Fri, 31 Dec 9999 23:59:59 GMT", "9" * 400, "soon", "-5", "\xff"])
def test_retry_after_is_capped_and_nonsense_ignored(server: KeepAliveServer, wait: str) -> None:
    url = server.serve(answer(b"", "503 Busy", Retry_After=wait))
    server.seen.clear()
    start = time.monotonic()
    assert isinstance(failure(url, max_wait=0.1), BadStatus)
    assert elapsed(start) < 2
    assert len(server.seen) == 3


def test_a_host_that_asks_to_wait_is_left_alone(server: KeepAliveServer) -> None:
    urls = [server.serve([answer(b"", "429 Slow", Retry_After="1"), answer()], f"/{number}") for number in range(2)]
    with NetworkManager(settings(max_wait=0.3)) as network:
        results = all_of(network, urls)
    assert all(isinstance(result, SourcePage) for result in results.values())
    assert gaps(server)[0] >= 0.295


def test_back_off_grows_and_has_jitter(server: KeepAliveServer) -> None:
    failure(server.serve(answer(b"", "500 Oops")), retries=3, backoff=0.1)
    waits = gaps(server)
    assert [wait >= least for wait, least in zip(waits, (0.049, 0.099, 0.199), strict=True)] == [True] * 3


def test_an_endless_stream_is_read_lazily_and_pauses_for_its_consumer(server: KeepAliveServer) -> None:
    url = server.serve(answer())
    read, closed = 0, threading.Event()

    def endless() -> Iterator[Request]:
        nonlocal read
        try:
            while True:
                read += 1
                yield Request(f"{url}?{read}")
        finally:
            closed.set()

    with NetworkManager(settings(concurrency=4, ahead=10)) as network:
        stream = network.stream(endless())
        assert read == 0
        for _ in range(5):
            next(stream)
        wait_for(lambda: len(server.seen) >= 9)
        time.sleep(0.1)
        assert len(server.seen) <= 5 + 4 + 4
        assert read <= 5 + 4 + 4 + 10 + 1
        stream.close()
        assert closed.wait(30)
        wait_for(lambda: not network_threads())


@pytest.mark.timed
def test_closing_a_stream_ends_what_is_under_way(server: KeepAliveServer) -> None:
    reached = threading.Event()
    urls = [server.serve(answer(), "/good"), server.serve(silent(reached), "/silent")]
    with NetworkManager(settings(seconds=60.0)) as network:
        stream = network.stream(map(Request, [*urls, *urls]))
        assert isinstance(next(stream)[1], SourcePage)
        assert reached.wait(30)
        start = time.monotonic()
        stream.close()
        assert elapsed(start) < 1.5
        wait_for(lambda: not network_threads())
        assert network.fetch(Request(urls[0])).content == PAGE


@pytest.mark.timed
def test_closing_the_manager_ends_its_fetches(server: KeepAliveServer) -> None:
    reached = threading.Event()
    url = server.serve(silent(reached))
    network = NetworkManager(settings(seconds=60.0))
    errors: list[BonmunError] = []

    def fetch() -> None:
        with pytest.raises(FetchError, match="closed") as caught:
            network.fetch(Request(url))
        errors.append(caught.value)

    thread = threading.Thread(target=fetch)
    thread.start()
    assert reached.wait(30)
    network.close()
    thread.join(30)
    assert len(errors) == 1


@pytest.mark.parametrize("streamed", [True, False])
def test_an_interrupt_stops_everything(server: KeepAliveServer, streamed: bool) -> None:
    gone = threading.Event()

    def interrupt(connection: socket.socket) -> None:
        ident = threading.main_thread().ident
        assert ident is not None
        signal.pthread_kill(ident, signal.SIGINT)
        connection.recv(1)
        gone.set()

    url = server.serve(interrupt)
    with NetworkManager(settings(seconds=60.0)) as network:
        with pytest.raises(KeyboardInterrupt):
            if streamed:
                list(network.stream([Request(url)] * 3))
            else:
                network.fetch(Request(url))
        assert gone.wait(30)
        wait_for(lambda: not network_threads())
        assert network.fetch(Request(server.serve(answer(), "/next"))).content == PAGE


def test_every_request_starts_once_on_a_network_thread_before_its_result(server: KeepAliveServer) -> None:
    server.serve(redirect("/0"), "/moved")
    urls = [server.serve(answer(), f"/{number}") for number in range(5)]
    urls += [urls[0].replace("/0", "/moved"), urls[0].replace("/0", "/missing"), "not a URL"]
    started: list[tuple[str, str]] = []

    def on_start(request: Request) -> None:
        started.append((request.url, threading.current_thread().name))

    with NetworkManager(settings()) as network:
        for request, _ in network.stream(map(Request, urls), on_start):
            assert request.url in dict(started)
    assert sorted(url for url, _ in started) == sorted(urls)
    assert all(name.startswith("bonmun-network") for _, name in started)


def test_an_exception_of_the_requests_is_raised_after_the_results(server: KeepAliveServer) -> None:
    url = server.serve(answer())

    def failing() -> Iterator[Request]:
        yield Request(url)
        raise LookupError("no more")

    results = []
    with NetworkManager(settings()) as network, pytest.raises(LookupError, match="no more"):
        for result in network.stream(failing()):
            results.append(result)
    assert [request.url for request, _ in results] == [url]
    wait_for(lambda: not network_threads())


def test_an_exception_of_on_start_is_raised(server: KeepAliveServer) -> None:
    def on_start(request: Request) -> None:
        raise LookupError("not me")

    with NetworkManager(settings()) as network, pytest.raises(LookupError, match="not me"):
        list(network.stream([Request(server.serve(answer()))], on_start))


def test_a_fetch_beside_a_full_stream_does_not_wait_for_it(server: KeepAliveServer) -> None:
    urls = [server.serve(answer(), f"/{number}") for number in range(10)]
    with NetworkManager(settings(concurrency=1, ahead=1)) as network:
        for request, _ in network.stream(map(Request, urls)):
            assert network.fetch(request).content == PAGE


def test_the_requests_may_use_the_network_themselves(server: KeepAliveServer) -> None:
    url = server.serve(answer())
    with NetworkManager(settings(concurrency=1)) as network:

        def found() -> Iterator[Request]:
            for number in range(5):
                assert network.fetch(Request(url)).content == PAGE
                yield Request(f"{url}?{number}")

        assert len(list(network.stream(found()))) == 5


def test_an_empty_stream_ends() -> None:
    with NetworkManager(settings()) as network:
        assert list(network.stream([])) == []
