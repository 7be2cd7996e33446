"""Speed-up by threads: `python bench/threads.py [--work parse text …] [--threads 1 2] [--pages N]`.

The compiled core releases the GIL; the remaining Python code does not. Wall-clock time in many short rounds, thread
counts interleaved, so that other load on the machine affects all alike: the best round of each count, and the median
speed-up over the first count in the same round.
"""

import argparse
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

from corpus import pages

import bonmun
from bonmun.read.parse import parse

Work = Callable[[bytes], object]
WORK: dict[str, Work] = {
    "parse": parse,
    "read": lambda source: bonmun.read_page(source).blocks,
    "text": lambda source: bonmun.extract(source).text,
    "markdown": lambda source: bonmun.extract(source).markdown,
    "html": lambda source: bonmun.extract(source).html,
    "json": lambda source: bonmun.extract(source).to_json(),
}


def seconds(work: Work, sources: list[bytes], threads: int) -> float:
    """Wall-clock time in which that many threads do the work on all sources once."""
    shares = [sources[number::threads] for number in range(threads)]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(len, [b""] * threads))  # start the threads
        started = perf_counter()
        list(pool.map(partial(do_all, work), shares))
        return perf_counter() - started


def do_all(work: Work, sources: list[bytes]) -> None:
    """Do the work on each source; the answers are forgotten."""
    for source in sources:
        work(source)


def measure(name: str, sources: list[bytes], counts: list[int], turns: int) -> None:
    """Measure one kind of work and print."""
    work = WORK[name]
    work(sources[0])  # the model is loaded
    rounds = [{threads: seconds(work, sources, threads) for threads in counts} for _ in range(turns)]
    first = counts[0]
    alone = min(times[first] for times in rounds)
    for threads in counts:
        best = min(times[threads] for times in rounds)
        typical = median(times[first] / times[threads] for times in rounds)
        speed_up = f"{alone / best:.2f} × {first} thread at best, {typical:.2f} × in the median round"
        print(f"{name}, {threads} threads: {1000 * best / len(sources):.3f} ms per page, {speed_up}", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", nargs="+", choices=WORK, default=["parse", "text", "json"])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=25)
    options = parser.parse_args()
    sources = [page["html"].encode("utf-8", "replace") for page in islice(pages("wcxb_dev"), options.pages)]
    megabytes = sum(map(len, sources)) / 1e6
    print(f"{len(sources)} pages, {megabytes:.0f} MB, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for name in options.work:
        measure(name, sources, options.threads, options.rounds)


if __name__ == "__main__":
    main()
