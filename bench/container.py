"""The container over a local HTTP server: `python bench/container.py [--pages N] [--rounds N] [--jobs N …]`.

A server in a process of its own serves the pages of cjk_dev and the first N of wcxb_dev. A wrapper of a dozen lines
gets every page; that each comes exactly once, with all notifications in order, is checked. The throughput is compared
with plain loops over the same pages in this process: `extract` with title and text of pages in memory, and the same
after fetching each page; and with such loops in several processes at once, the most that the cores give.

Rounds of all are interleaved, so that other load on the machine affects all alike. Shown are the best round of each,
and the median ratio in the same round, for the whole run and after its first tenth: starting a worker takes a third of
a second of CPU time. CPU time is that of this process and its workers, the server's is not in it. Each page is taken
`--times` times.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from corpus import pages

import bonmun
from bench.page_server import PageServer
from bonmun.middleware.exchange import Network, Pages, Request, SourcePage
from bonmun.middleware.network import FetchPolicy, fetch
from bonmun.middleware.network_manager import NetworkManager
from bonmun.middleware.network_settings import NetworkSettings
from bonmun.middleware.settings import ContainerSettings

HERE = FetchPolicy(allow_private=True)
ORDER = [
    *("fetch started", "fetch finished", "parsing started", "parsing finished"),
    *("analysis started", "analyze_news", "analysis finished"),
]


class Headlines(bonmun.Wrapper):
    """The wrapper of the README: a line for each page."""

    def init(self) -> None:
        self.headlines: list[str] = []
        self.times: list[float] = []

    def analyze_news(self, dataset: bonmun.NewsDataSet) -> None:
        self.headlines.append(f"{dataset.title}: {len(dataset.text)} characters")
        self.times.append(perf_counter())

    def dispose(self) -> None:
        self.disposed = True


class Checking(Headlines):
    """The same wrapper, which remembers the calls for each URL."""

    def init(self) -> None:
        super().init()
        self.calls: dict[str, list[str]] = {}

    def analyze_news(self, dataset: bonmun.NewsDataSet) -> None:
        super().analyze_news(dataset)
        self._note(dataset.url, "analyze_news")

    def _note(self, url: str, call: str) -> None:
        self.calls.setdefault(url, []).append(call)

    def on_fetch_started(self, request: Request) -> None:
        self._note(request.url, "fetch started")

    def on_fetch_finished(self, page: SourcePage) -> None:
        self._note(page.url, "fetch finished")

    def on_parsing_started(self, page: SourcePage) -> None:
        self._note(page.url, "parsing started")

    def on_parsing_finished(self, dataset: bonmun.NewsDataSet) -> None:
        self._note(dataset.url, "parsing finished")

    def on_analysis_started(self, dataset: bonmun.NewsDataSet) -> None:
        self._note(dataset.url, "analysis started")

    def on_analysis_finished(self, dataset: bonmun.NewsDataSet) -> None:
        self._note(dataset.url, "analysis finished")


def serve(bodies: list[bytes], port: "Connection[int, None]") -> None:
    """Serve page N as `/N`, in a process of its own, until it is killed."""
    server = PageServer(bodies)
    port.send(server.server_port)
    server.serve_forever()


@contextmanager
def serving(bodies: list[bytes]) -> Iterator[list[str]]:
    """Start the server; yield the URLs of all pages."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(bodies, theirs), daemon=True)
    process.start()
    try:
        base = f"http://127.0.0.1:{ours.recv()}"
        yield [f"{base}/{number}" for number in range(len(bodies))]
    finally:
        process.kill()
        process.join()
        ours.close()
        theirs.close()


def bodies(count: int, cjk: int | None = None) -> list[bytes]:
    """The pages of cjk_dev and the first of wcxb_dev."""
    records = [*islice(pages("cjk_dev"), cjk), *islice(pages("wcxb_dev"), count)]
    return [record["html"].encode("utf-8", "replace") for record in records]


def in_memory(contents: list[bytes], urls: list[str]) -> list[float]:
    """The plain loop over pages in memory."""
    times = []
    for content, url in zip(contents, urls, strict=True):
        document = bonmun.extract(content, url=url, charset="utf-8")
        f"{document.title}: {len(document.text)} characters"
        times.append(perf_counter())
    return times


def side_by_side(contents: list[bytes], urls: list[str], processes: int) -> list[float]:
    """Plain loops in several processes that share nothing: the most that the machine's cores give."""
    shares = [(contents[number::processes], urls[number::processes]) for number in range(processes)]
    context = get_context("fork")
    pipes = [context.Pipe() for _ in shares]

    def loop(number: int) -> None:
        pipes[number][1].send(in_memory(*shares[number]))

    loops = [context.Process(target=loop, args=(number,)) for number in range(processes)]
    for process in loops:
        process.start()
    times = [time for ours, _ in pipes for time in ours.recv()]
    for process in loops:
        process.join()
    return sorted(times)


def fetched(urls: list[str]) -> list[float]:
    """The plain loop that fetches each page first."""
    times = []
    for url in urls:
        got = fetch(url, HERE)
        document = bonmun.extract(got.content, url=got.url, charset=got.content_type)
        f"{document.title}: {len(document.text)} characters"
        times.append(perf_counter())
    return times


def run_container(
    network: Network | None, items: list[Any], jobs: int, documents: bool = True, wrapper: Headlines | None = None
) -> list[float]:
    """The container over the same pages."""
    wrapper = wrapper or Headlines()
    settings = ContainerSettings(jobs=jobs, documents=documents)
    report = bonmun.Container(wrapper, network, settings=settings).run([Pages(items)])
    assert (report.taken, report.delivered) == (len(items), len(items)), report
    assert len(wrapper.headlines) == len(items)
    return wrapper.times


def check(urls: list[str], network: Network) -> None:
    """Every page exactly once, with all notifications in order."""
    wrapper = Checking()
    run_container(network, [Request(url) for url in urls], 0, wrapper=wrapper)
    assert wrapper.calls == dict.fromkeys(urls, ORDER)


class Measured(NamedTuple):
    """Seconds a page."""

    whole: float
    steady: float
    """After the first tenth."""
    cpu: float


def measured(run: Callable[[], list[float]]) -> Measured:
    """Measure one run."""
    started, before = perf_counter(), os.times()
    times = run()
    whole, after = perf_counter() - started, os.times()
    tenth, count = len(times) // 10, len(times)
    steady = (times[-1] - times[tenth]) / (count - 1 - tenth)
    return Measured(whole / count, steady, (sum(after[:4]) - sum(before[:4])) / count)


def main() -> None:
    """Check, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    contents = bodies(options.pages)
    with ExitStack() as stack:
        urls = stack.enter_context(serving(contents))
        # One host without latency has all pages: politeness is off, and a few threads do.
        settings = NetworkSettings(per_host=4, concurrency=4, delay=0, allow_private=True)
        network = stack.enter_context(NetworkManager(settings))
        check(urls, network)
        print(f"{len(urls)} pages: each delivered once, all notifications in order", flush=True)
        runs = all_runs(contents * options.times, urls * options.times, network, options.jobs)
        rounds = [{name: measured(run) for name, run in runs.items()} for _ in range(options.rounds)]
    show(rounds)


def all_runs(
    contents: list[bytes], urls: list[str], network: Network, jobs: list[int]
) -> dict[str, Callable[[], list[float]]]:
    """The plain loops, then the containers, by name."""
    requests: list[Any] = [Request(url) for url in urls]
    files: list[Any] = [SourcePage(url, body, "utf-8") for url, body in zip(urls, contents, strict=True)]
    runs: dict[str, Callable[[], list[float]]] = {
        "extract, pages in memory": partial(in_memory, contents, urls),
        "fetch and extract": partial(fetched, urls),
    }
    for number in jobs:
        runs[f"extract in {number} processes that share nothing"] = partial(side_by_side, contents, urls, number)
        name = f"container, {number} jobs"
        runs[name] = partial(run_container, network, requests, number)
        runs[f"{name}, no documents"] = partial(run_container, network, requests, number, documents=False)
        runs[f"{name}, pages in memory"] = partial(run_container, None, files, number)
    return runs


def show(rounds: list[dict[str, Measured]]) -> None:
    """Print each run with its ratio to the two plain loops."""
    alone, fetching, *_ = rounds[0]
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; ratios: median of {len(rounds)} rounds")
    for name in rounds[0]:
        best = Measured(*(min(parts) for parts in zip(*(times[name] for times in rounds), strict=True)))
        ratios = [
            median(getattr(times[plain], part) / getattr(times[name], part) for times in rounds)
            for plain in (alone, fetching)
            for part in ("whole", "steady")
        ]
        print(
            f"{name}: {1 / best.steady:,.0f} pages a second, {1000 * best.cpu:.1f} ms CPU a page;"
            f" × extract {ratios[0]:.2f}, steady {ratios[1]:.2f};"
            f" × fetch and extract {ratios[2]:.2f}, steady {ratios[3]:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
