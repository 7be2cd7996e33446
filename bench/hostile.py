"""The reader on hostile pages: `python bench/hostile.py [--mb 1 5 20] [--only NAME …]`.

Columns: CPU seconds, ns per byte, growth of the time from half the size (2 is linear), rows or the exceeded limit, and
peak memory added by reading. Each page is read in its own process, so that peaks do not add up.
"""

import argparse
import multiprocessing
import resource
import sys
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from hostile_pages import PATTERNS, page
from rich.console import Console
from rich.table import Table

from bonmun.errors import LimitExceeded
from bonmun.read.parse import parse

MOST_SECONDS = 1.0
MOST_NS_PER_BYTE = 50.0


def peak_mb() -> float:
    """Peak memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024)


def read(source: bytes) -> tuple[float, str]:
    """CPU seconds, and the number of rows or the exceeded limit."""
    started = process_time()
    try:
        answer = f"{len(parse(source)):,}"
    except LimitExceeded as error:
        answer = f"limit: {error.limit}"
    return process_time() - started, answer


def measure(name: str, size: int) -> tuple[int, float, float, str, float]:
    """Bytes, seconds, seconds at half the size, answer, MB added."""
    half = page(name, size // 2).encode()
    whole = page(name, size).encode()
    before = peak_mb()
    seconds_half, _ = read(half)
    seconds, answer = read(whole)
    return len(whole), seconds, seconds_half, answer, peak_mb() - before


def main() -> None:
    """Measure every pattern at every size, print the slow ones; exit with 1 if one exceeds the time limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=float, nargs="+", default=[1, 5, 20], help="page sizes")
    parser.add_argument("--only", nargs="+", default=list(PATTERNS), help="names of patterns")
    parser.add_argument("--all", action="store_true", help="print fast patterns too")
    options = parser.parse_args()
    console, slow = Console(width=140), 0
    for mb in options.mb:
        table = Table(title=f"{len(options.only)} hostile pages of {mb:g} MB")
        for column in ("page", "bytes", "seconds", "ns/byte", "growth", "rows", "MB added"):
            table.add_column(column, justify="left" if column == "page" else "right")
        worst = 0.0
        for name in options.only:
            with multiprocessing.get_context("spawn").Pool(1) as one:
                size, seconds, half, answer, added = one.apply(measure, (name, int(mb * 1e6)))
            worst = max(worst, seconds)
            slow += seconds > MOST_SECONDS
            if seconds > MOST_SECONDS or seconds / size * 1e9 > MOST_NS_PER_BYTE or options.all:
                growth = f"{seconds / half:.1f}" if half > 1e-3 else "–"
                ns = f"{seconds / size * 1e9:.0f}"
                table.add_row(name, f"{size:,}", f"{seconds:.3f}", ns, growth, answer, f"{added:.0f}")
        console.print(table)
        console.print(f"slowest {worst:.3f} s; over {MOST_SECONDS:g} s: {slow}")
    sys.exit(1 if slow else 0)


if __name__ == "__main__":
    main()
