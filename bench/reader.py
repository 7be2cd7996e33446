"""Speed of the reader, systems interleaved page by page: `python bench/reader.py [--pages 200] [--rounds 5]`.

CPU time of our reader and of `extract().text` from bytes, and of resiliparse and turbohtml, as ratios to lexbor's bare
parse in the same run; memory added to a fresh process. Absolute times mean nothing on a busy machine.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from statistics import median
from time import process_time

from corpus import pages

YARDSTICK = "lexbor, parse only"


def systems() -> dict[str, Callable[[bytes], object]]:
    """Each system as a function of a page's bytes; turbohtml only if it is installed."""
    from selectolax.lexbor import LexborHTMLParser

    import bonmun
    from bonmun.read.parse import parse

    running: dict[str, Callable[[bytes], object]] = {
        YARDSTICK: LexborHTMLParser,
        "bonmun, read to columns": parse,
        "bonmun, read and segment": lambda page: bonmun.read_page(page).blocks,
        "bonmun, extract xpath, text": lambda page: bonmun.extract(page, method="xpath").text,
        "bonmun, extract auto, text": lambda page: bonmun.extract(page).text,
    }
    from resiliparse.extract.html2text import extract_plain_text

    running["resiliparse, main content"] = lambda page: extract_plain_text(page.decode(), main_content=True)
    try:
        import turbohtml
    except ImportError:
        print("turbohtml is not installed: pip install 'bonmun[bench]'", file=sys.stderr)
    else:
        running["turbohtml, main text"] = lambda page: turbohtml.parse(page.decode()).main_text()
    return running


def cpu_times(sources: list[bytes], rounds: int) -> dict[str, list[float]]:
    """CPU time of each system in each round, systems interleaved on every page."""
    running = systems()
    spent: dict[str, list[float]] = {name: [0.0] * rounds for name in running}
    for turn in range(rounds):
        for source in sources:
            for name, run in running.items():
                start = process_time()
                run(source)
                spent[name][turn] += process_time() - start
    return spent


def peak_megabytes(name: str, source: bytes) -> float:
    """Peak memory that one system adds to a fresh process, reading one large page."""
    command = [sys.executable, __file__, "--peak", name]
    done = subprocess.run(command, input=source, capture_output=True, check=True)
    return float(done.stdout)


def _peak(name: str) -> None:
    source = sys.stdin.buffer.read()
    run = systems()[name]
    run(b"<p>warm")
    Path("/proc/self/clear_refs").write_text("5")  # reset the peak
    before = _memory("VmRSS")
    kept = run(source)
    print(_memory("VmHWM") - before)
    del kept


def _memory(field: str) -> float:
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith(field)) / 1024


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peak", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peak:
        _peak(options.peak)
        return
    sources = [page["html"].encode() for page in islice(pages("wcxb_dev"), 0, None, max(1, 1358 // options.pages))]
    sources = sources[: options.pages]
    print(f"{len(sources)} pages of {sum(map(len, sources)) / len(sources) / 1000:.0f} kB on average")
    spent = cpu_times(sources, options.rounds)
    large = (max(sources, key=len) * 8)[:20_000_000]
    for name, times in spent.items():
        each = median(mine / theirs for mine, theirs in zip(times, spent[YARDSTICK], strict=True))
        each_page = f"{1000 * median(times) / len(sources):7.2f} ms/page"
        memory = f"+{peak_megabytes(name, large):.0f} MB on a page of {len(large) / 1e6:.0f} MB"
        print(f"{name:30} {each:6.2f} × lexbor's parse  {each_page}  {memory}")


if __name__ == "__main__":
    main()
