"""How much faster several threads read than one: `python bench/threads.py [--threads 1 2] [--pages N]`.

The compiled reader lets go of the interpreter while it works; what is left of Python code still takes turns. Measured
by the wall clock in many short rounds, one number of threads after the other, so that other work on the machine meets
all alike: the best round of each, and the median over the rounds of how much faster it was than its neighbour with one.
"""

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

from corpus import pages

from bonmun.read.parse import parse


def seconds(sources: list[bytes], threads: int) -> float:
    """Wall-clock time in which that many threads read all sources once."""
    shares = [sources[number::threads] for number in range(threads)]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(len, [b""] * threads))  # the threads are up
        started = perf_counter()
        list(pool.map(read_all, shares))
        return perf_counter() - started


def read_all(sources: list[bytes]) -> int:
    """How many rows."""
    return sum(len(parse(source)) for source in sources)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--threads", type=int, nargs="+", default=[1, 2, 4, 8])
    options.add_argument("--pages", type=int, default=200)
    options.add_argument("--rounds", type=int, default=25)
    chosen = options.parse_args()
    sources = [
        page["html"].encode("utf-8", "replace") for page, _ in zip(pages("wcxb_dev"), range(chosen.pages), strict=False)
    ]
    rounds = [{threads: seconds(sources, threads) for threads in chosen.threads} for _ in range(chosen.rounds)]
    first = chosen.threads[0]
    alone = min(times[first] for times in rounds)
    megabytes = sum(map(len, sources)) / 1e6
    print(f"{len(sources)} pages, {megabytes:.0f} MB, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for threads in chosen.threads:
        best = min(times[threads] for times in rounds)
        typical = median(times[first] / times[threads] for times in rounds)
        speed_up = f"{alone / best:.2f} × {first} thread at best, {typical:.2f} × in the median round"
        print(f"{threads} threads: {1000 * best / len(sources):.3f} ms a page, {speed_up}")


if __name__ == "__main__":
    main()
