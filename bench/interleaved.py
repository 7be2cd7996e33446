"""Systems measured side by side: interleaved on every page in one process, and each alone for its memory."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import process_time
from typing import NamedTuple

Run = Callable[[bytes, str | None], object]
"""A system as a function of a page's bytes and its URL."""


class Ratio(NamedTuple):
    """CPU time as a multiple of the yardstick's in the same round."""

    middle: float
    least: float
    most: float

    def __str__(self) -> str:
        return f"{self.middle:6.2f} ({self.least:.2f} – {self.most:.2f})"


def cpu_times(
    running: dict[str, Run], pages: Sequence[tuple[bytes, str | None]], rounds: int
) -> dict[str, list[float]]:
    """CPU time of each system in each round, systems interleaved on every page."""
    spent: dict[str, list[float]] = {name: [0.0] * rounds for name in running}
    for source, url in pages[:5]:  # models, patterns and modules are loaded
        for run in running.values():
            run(source, url)
    for turn in range(rounds):
        for source, url in pages:
            for name, run in running.items():
                start = process_time()
                run(source, url)
                spent[name][turn] += process_time() - start
    return spent


def ratio(times: Sequence[float], yardstick: Sequence[float]) -> Ratio:
    """The ratios of the rounds: their median, least and most."""
    each = [mine / theirs for mine, theirs in zip(times, yardstick, strict=True)]
    return Ratio(median(each), min(each), max(each))


def peak_megabytes(script: str, name: str, source: bytes) -> float:
    """Peak memory that one system adds to a fresh process; the script calls `print_peak` if given ``--peak NAME``."""
    command = [sys.executable, script, "--peak", name]
    done = subprocess.run(command, input=source, capture_output=True, check=True)
    return float(done.stdout)


def print_peak(run: Run) -> None:
    """Read a page from the standard input and print the megabytes that a system adds."""
    source = sys.stdin.buffer.read()
    run(b"<p>warm", None)
    Path("/proc/self/clear_refs").write_text("5")  # reset the peak
    before = _memory("VmRSS")
    kept = run(source, None)
    print(_memory("VmHWM") - before)
    del kept


def _memory(field: str) -> float:
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith(field)) / 1024
