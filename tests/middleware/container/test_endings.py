"""How a run ends: `dispose` always runs, nothing is left running, and the count is exact."""

import asyncio
import multiprocessing
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

import bonmun
from bonmun.middleware.exchange import Network, Pages, Request, SourcePage
from bonmun.middleware.settings import ContainerSettings
from tests.middleware.container.parts import Gated, Recorder, SmallNetwork, html, page, pages, until
from tests.middleware.container.test_container import ONE, add_up
from tests.middleware.local_server import Server, answer
from tests.signals import heed_interrupts


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    assert not multiprocessing.active_children()


class Endless:
    name = "endless"

    def items(self, network: Network) -> Iterator[Request | SourcePage]:
        return (page(number) for number in count())


class Idle:
    """A source that waits for pages which never come, like a watched folder."""

    name = "idle"

    def __init__(self) -> None:
        self.waiting, self.over = threading.Event(), threading.Event()

    def items(self, network: Network) -> Iterator[Request | SourcePage]:
        yield page("only")
        self.waiting.set()
        self.over.wait(60)


# ── dispose ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_dispose_runs_when_init_fails_half_way_and_the_error_is_raised() -> None:
    class HalfOpen(Recorder):
        def init(self) -> None:
            super().init()
            raise OSError("no disk")

    wrapper = HalfOpen()
    with pytest.raises(OSError, match="no disk"):
        bonmun.Container(wrapper, settings=ONE).run([pages(2)])
    assert [name for name, _ in wrapper.calls] == ["init", "error", "dispose"]


def test_an_iteration_that_ends_early_ends_the_run() -> None:
    wrapper = Recorder()
    container = bonmun.Container(wrapper, settings=ONE)
    stream = container.stream([Endless()])
    assert next(stream).title
    stream.close()
    assert wrapper.calls[-1] == ("dispose", "")
    assert add_up(container.report)
    assert container.report.delivered == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGINT")
def test_dispose_runs_after_ctrl_c() -> None:
    script = (
        "import bonmun\n"
        "from tests.middleware.container.test_endings import Endless\n"
        "class Printing(bonmun.Wrapper):\n"
        "    def analyze_news(self, dataset): print('page', flush=True)\n"
        "    def dispose(self): print('disposed', flush=True)\n"
        "if __name__ == '__main__': bonmun.Container(Printing()).run([Endless()])\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
        preexec_fn=heed_interrupts,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "page\n"
    process.send_signal(signal.SIGINT)
    printed, errors = process.communicate(timeout=300)
    assert printed.splitlines()[-1] == "disposed"
    assert "KeyboardInterrupt" in errors
    assert "Error" not in errors
    assert process.returncode != 0


# ── stop ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_stop_from_another_thread_ends_an_endless_run() -> None:
    wrapper = Recorder()
    container = bonmun.Container(wrapper, settings=ContainerSettings(jobs=2))

    def stop() -> None:
        until(lambda: container.report.delivered > 20)
        container.stop()

    stopper = threading.Thread(target=stop)
    stopper.start()
    report = container.run([Endless()])
    stopper.join()
    assert report.stopped
    assert add_up(report)
    assert report.delivered > 20
    assert report.left == 0, "pages that need no fetch are delivered"
    assert wrapper.calls[-1] == ("dispose", "")


@pytest.mark.parametrize("ordered", [True, False])
def test_stop_from_the_wrapper_delivers_what_was_fetched_and_leaves_the_rest(server: Server, ordered: bool) -> None:
    release = threading.Event()

    def late(connection: object) -> None:
        release.wait(30)

    never = server.serve(late, "/never")
    urls = [server.serve(answer(html(number)), f"/{number}") for number in range(20)]

    class Stopping(Recorder):
        def on_parsing_finished(self, dataset: bonmun.NewsDataSet) -> None:
            super().on_parsing_finished(dataset)
            container.stop()

    wrapper = Stopping()
    settings = ContainerSettings(jobs=1, ordered=ordered)
    container = bonmun.Container(wrapper, SmallNetwork(2), settings=settings)
    report = container.run([Pages([Request(url) for url in [never, *urls]])])
    release.set()
    assert report.stopped
    assert add_up(report)
    assert report.left > 0
    assert report.failed == 0
    assert report.delivered == len(wrapper.named("analysis finished")) == len(wrapper.named("fetch finished")) > 0


def test_stop_does_not_wait_for_a_source_that_waits() -> None:
    source = Idle()
    container = bonmun.Container(settings=ONE)

    def stop() -> None:
        source.waiting.wait(30)
        until(lambda: container.report.delivered)
        container.stop()

    threading.Thread(target=stop).start()
    started = time.monotonic()
    report = container.run([source])
    source.over.set()
    assert time.monotonic() - started < 30
    assert (report.taken, report.delivered, report.left) == (1, 1, 0)


def test_stop_now_leaves_pages_that_are_being_read(tmp_path: Path) -> None:
    settings = ContainerSettings(jobs=1, method=Gated(str(tmp_path), 1))

    class Impatient(Recorder):
        def on_parsing_started(self, page: SourcePage) -> None:
            super().on_parsing_started(page)
            container.stop(now=True)

    container = bonmun.Container(Impatient(), settings=settings)
    report = container.run([Pages([page("slow", b"<p>SLOW</p>")])])
    assert (report.taken, report.delivered, report.failed, report.left) == (1, 0, 0, 1)


def test_stop_without_a_run_does_nothing_and_a_container_can_run_again() -> None:
    container = bonmun.Container(settings=ONE)
    container.stop()
    assert [container.run([pages(2)]).delivered for _ in range(2)] == [2, 2]
    assert container.run([]).taken == 0


def test_a_container_runs_once_at_a_time() -> None:
    container = bonmun.Container(settings=ONE)
    stream = container.stream([Endless()])
    next(stream)
    with pytest.raises(RuntimeError, match="is running"):
        container.run([pages(1)])
    stream.close()
    assert container.run([pages(1)]).delivered == 1


# ── coroutines ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_asynchronous_twin_delivers_the_same() -> None:
    wrapper = Recorder()

    async def titles() -> list[str | None]:
        container = bonmun.Container(wrapper, settings=ContainerSettings(jobs=1, ordered=True))
        return [dataset.title async for dataset in container.astream([pages(3)])]

    assert asyncio.run(titles()) == [f"Page pages-{number}" for number in range(3)]
    assert len(wrapper.threads) == 1
    assert wrapper.calls[-1] == ("dispose", "")


def test_cancellation_stops_the_run() -> None:
    wrapper = Recorder()
    container = bonmun.Container(wrapper, settings=ONE)
    source = Idle()

    async def consume() -> None:
        async for _ in container.astream([source]):
            pass

    async def cancelled() -> None:
        task = asyncio.create_task(consume())
        await asyncio.to_thread(source.waiting.wait, 30)
        await asyncio.to_thread(until, lambda: container.report.delivered)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert wrapper.calls[-1] == ("dispose", "")
        source.over.set()

    asyncio.run(cancelled())


def test_an_abandoned_asynchronous_iteration_stops_the_run() -> None:
    wrapper = Recorder()

    async def first() -> str | None:
        stream = bonmun.Container(wrapper, settings=ONE).astream([Endless()])
        async for dataset in stream:
            await stream.aclose()
            return dataset.title
        return None

    assert asyncio.run(first()) == "Page 0"
    assert wrapper.calls[-1] == ("dispose", "")
