"""`extract_many` over many pages: throughput and memory, `python bench/many.py [--pages N] [--jobs N …]`.

The pages of wcxb_dev are repeated as often as needed. Memory is the resident size of this process after a tenth of the
pages and at the end: flat means that both are alike.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from corpus import pages

import bonmun


def resident() -> int:
    """Resident memory of this process in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) // 1000


def sources(number: int, every: int) -> Iterator[tuple[str | None, bytes]]:
    """So many pages, over and over; a sample is held in memory so that reading the corpus is not measured."""
    sample = [(page["url"], page["html"].encode("utf-8", "replace")) for page in list(pages("wcxb_dev"))[::every]]
    return islice(cycle(sample), number)


def main() -> None:
    """Run each number of jobs over the same pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    for jobs in options.jobs:
        given = sources(options.pages, options.every)
        early, failed, start = 0, 0, time.monotonic()
        for number, result in enumerate(bonmun.extract_many(given, jobs=jobs), 1):
            failed += isinstance(result, bonmun.Failure)
            if number == options.pages // 10:
                early = resident()
        spent = time.monotonic() - start
        print(
            f"{jobs} jobs: {options.pages:,} pages, {failed} failed, {options.pages / spent:,.0f} a second;"
            f" resident {early} MB after a tenth, {resident()} MB at the end",
            flush=True,
        )


if __name__ == "__main__":
    main()
