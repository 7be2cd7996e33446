"""Many pages through one pool of browsers: `python bench/render_pages.py styled_dev wcxb_dev --pages 1000 --end kill`.

Prints milliseconds and CPU per page, the memory of all processes by quarters of the run, pages that were not drawn, and
the processes that are left after the end: `normal`, `interrupt` (Ctrl-C after all pages but one quarter) or `kill` (the
same with SIGKILL). The processes are known by a variable of their environment. Linux only.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from corpus import pages

import bonmun
from bonmun.rendering.guardian import private_memory

TOKEN = "BONMUN_BENCH_RENDER"
SIGNALS = {"interrupt": signal.SIGINT, "kill": signal.SIGKILL}
TICKS = os.sysconf("SC_CLK_TCK")
PATIENCE = 30.0
"""Seconds after which a process counts as left behind."""


def main() -> None:
    """Start a process that renders, watch it, and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="+", help="names of corpora in the data folder")
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20.0, help="limit for a page")
    parser.add_argument("--end", choices=["normal", *SIGNALS], default="normal")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        settings = bonmun.RenderSettings(seconds=options.seconds)
        render(options.corpora, options.pages, options.jobs, settings)
    else:
        watch(options.pages, options.end)


def render(corpora: list[str], number: int, jobs: int, settings: bonmun.RenderSettings) -> None:
    """Draw the pages, taken from all corpora in turn; print a line for each."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a background job of a shell ignores
    records = islice(chain.from_iterable(zip(*map(pages, corpora), strict=False)), number)
    sources = ((record.get("url"), record["html"]) for record in records)
    with bonmun.Renderer(settings, jobs=jobs) as renderer:
        for page in renderer.map(sources):
            print(page.layout.untied if isinstance(page, bonmun.Page) else page.message, flush=True)
        print(f"{renderer.restarts} browsers replaced", file=sys.stderr)


def watch(number: int, end: str) -> None:
    """Watch the process that renders; end it as asked."""
    token = uuid.uuid4().hex
    command = [sys.executable, __file__, *sys.argv[1:], "--inside"]
    environment = {**os.environ, TOKEN: token}
    last = number if end == "normal" else number * 3 // 4
    watched, cpu, memory, failed = 0, dict[tuple[int, int], float](), list[int](), list[str]()
    start = looked = time.monotonic()
    seconds = 0.0
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, bufsize=1) as child:
        assert child.stdout is not None
        for line in child.stdout:
            watched += 1
            failed += [line.strip()] if not line.strip().isdigit() else []
            if time.monotonic() > looked + 1:
                looked = time.monotonic()
                memory.append(look(token, cpu))
            if watched <= last:
                seconds = time.monotonic() - start
            if watched == last and end != "normal":
                child.send_signal(SIGNALS[end])
    ended = time.monotonic()
    while (left := list(processes(token))) and time.monotonic() < ended + PATIENCE:
        time.sleep(0.1)
    done = max(1, min(watched, last))
    print(f"{watched} pages, {1000 * seconds / done:.0f} ms and {1000 * sum(cpu.values()) / done:.0f} ms CPU a page")
    print(f"memory by quarters, mean and most, MB: {', '.join(quarters(memory))}")
    print(f"{len(failed)} not drawn", *failed[:10], sep="\n  ")
    print(f"end {end}, status {child.returncode}: {len(left)} processes left {time.monotonic() - ended:.1f} s after it")


def look(token: str, cpu: dict[tuple[int, int], float]) -> int:
    """Note the CPU time of all processes; return their memory."""
    memory = 0
    for process in processes(token):
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        cpu[process, int(fields[19])] = (int(fields[11]) + int(fields[12])) / TICKS
        memory += private_memory(process)
    return memory


def processes(token: str) -> Iterator[int]:
    """The processes with the token in their environment."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"{TOKEN}={token}".encode() in (folder / "environ").read_bytes():
                yield int(folder.name)
        except OSError:
            continue


def quarters(memory: list[int]) -> Iterator[str]:
    """Mean and maximum of each quarter of the samples."""
    size = max(1, len(memory) // 4)
    for first in range(0, 4 * size, size):
        part = memory[first : first + size] or [0]
        yield f"{sum(part) / len(part) / 2**20:.0f} ({max(part) / 2**20:.0f})"


if __name__ == "__main__":
    main()
