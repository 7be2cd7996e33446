"""Speed-up of the reader by threads: `python bench/threads.py [--threads 1 2] [--pages N]`.

The compiled reader releases the GIL; the remaining Python code does not. Wall-clock time in many short rounds, thread
counts interleaved, so that other load on the machine affects all alike: the best round of each count, and the median
speed-up over the first count in the same round.
"""

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
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
        list(pool.map(len, [b""] * threads))  # start the threads
        started = perf_counter()
        list(pool.map(read_all, shares))
        return perf_counter() - started


def read_all(sources: list[bytes]) -> int:
    """Parse all sources and return the number of rows."""
    return sum(len(parse(source)) for source in sources)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=25)
    options = parser.parse_args()
    sources = [page["html"].encode("utf-8", "replace") for page in islice(pages("wcxb_dev"), options.pages)]
    rounds = [{threads: seconds(sources, threads) for threads in options.threads} for _ in range(options.rounds)]
    first = options.threads[0]
    alone = min(times[first] for times in rounds)
    megabytes = sum(map(len, sources)) / 1e6
    print(f"{len(sources)} pages, {megabytes:.0f} MB, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for threads in options.threads:
        best = min(times[threads] for times in rounds)
        typical = median(times[first] / times[threads] for times in rounds)
        speed_up = f"{alone / best:.2f} × {first} thread at best, {typical:.2f} × in the median round"
        print(f"{threads} threads: {1000 * best / len(sources):.3f} ms per page, {speed_up}")


if __name__ == "__main__":
    main()
