"""Speed of the whole path, systems interleaved page by page: `python bench/path.py [--pages 170] [--rounds 5]`.

CPU time from bytes to each output, and of other extractors, as a ratio to lexbor's bare parse in the same run: the
median over the rounds, with the least and the most. Then the memory that each adds to a fresh process on a page of
20 MB, and the time of a page of 2 kB. Absolute times mean nothing on a busy machine.
"""

import argparse
import sys
from importlib import import_module
from itertools import cycle, islice
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from corpus import pages
from interleaved import Run, cpu_times, peak_megabytes, print_peak, ratio

YARDSTICK = "lexbor, parse only"
PEERS = ("resiliparse", "turbohtml", "trafilatura", "rs_trafilatura")
CORPORA = {"wcxb_dev": 152, "cjk_dev": 18}
"""The pages of each for 170 in all."""
LARGE = 20_000_000
SHORT_TURNS = 200
SHORT = (
    "<!doctype html><html lang=en><head><title>Tea | Leaves</title><meta name=author content='Jane Doe'></head><body>"
    "<nav><a href=/>Home</a> <a href=/about>About</a></nav><main><h1>Tea</h1>"
    + "<p>Tea is made of <em>leaves</em> and of <a href=/water>hot water</a>; it is drunk all over the world.</p>" * 14
    + "<ul><li>Green tea: 80 °C</li><li>Black tea: 95 °C</li></ul></main><footer>© Leaves 2024. Imprint</footer></body>"
).encode()


def systems() -> dict[str, Run]:
    """Each system by name; the peers that are installed."""
    from selectolax.lexbor import LexborHTMLParser

    import bonmun
    from bonmun.read.metadata import read_metadata

    reasons = bonmun.Output(reasons=True)
    running: dict[str, Run] = {
        YARDSTICK: lambda page, url: LexborHTMLParser(page),
        "bonmun, read": lambda page, url: bonmun.read_page(page, url=url).blocks,
        "bonmun, metadata": lambda page, url: read_metadata(bonmun.read_page(page, url=url)),
        "bonmun, text": lambda page, url: bonmun.extract(page, url=url).text,
        "bonmun, Markdown": lambda page, url: bonmun.extract(page, url=url).markdown,
        "bonmun, HTML": lambda page, url: bonmun.extract(page, url=url).html,
        "bonmun, JSON": lambda page, url: bonmun.extract(page, url=url).to_json(),
        "bonmun, JSON with reasons": lambda page, url: bonmun.extract(page, url=url).to_json(reasons),
    }
    for name in PEERS:
        if run := _peer(name):
            running[name.replace("_", "-")] = run
    return running


def _peer(name: str) -> Run | None:
    """Another extractor, which gets the page as text; `None` if it is not installed."""
    try:
        extract = import_module(f"bonmun.evaluate.peers.{name}").load()
    except ImportError as error:
        print(f"{name} is left out: {error}", file=sys.stderr)
        return None
    return lambda page, url: extract(page.decode(errors="replace"), url, None)


def sample(count: int) -> list[tuple[bytes, str | None]]:
    """Pages of the corpora, evenly spread over each."""
    taken = []
    for name, share in CORPORA.items():
        records = list(pages(name))
        wanted = max(1, count * share // sum(CORPORA.values()))
        step = max(1, len(records) // wanted)
        taken += [(record["html"].encode(), record["url"]) for record in records[::step][:wanted]]
    return taken


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=170)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ours", action="store_true", help="leave the other extractors out")
    parser.add_argument("--no-memory", action="store_true", help="leave the memory out")
    parser.add_argument("--peak", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peak:
        print_peak(systems()[options.peak])
        return
    measured = sample(options.pages)
    running = {name: run for name, run in systems().items() if not options.ours or name.startswith(("lex", "bonmun"))}
    sizes = sum(len(page) for page, _ in measured)
    print(f"{len(measured)} pages of {sizes / len(measured) / 1000:.0f} kB on average, {options.rounds} rounds")
    spent = cpu_times(running, measured, options.rounds)
    short = cpu_times(running, [(SHORT, "https://example.org/tea")] * SHORT_TURNS, options.rounds)
    large = b"".join(islice(cycle(page for page, _ in measured), LARGE * len(measured) // sizes + 1))[:LARGE]
    for name in running:
        each = ratio(spent[name], spent[YARDSTICK])
        short_each = f"{1e6 * median(short[name]) / SHORT_TURNS:6.0f} µs on {len(SHORT) / 1000:.1f} kB"
        short_ratio = f"{ratio(short[name], short[YARDSTICK]).middle:6.1f} × lexbor's"
        memory = "" if options.no_memory else f"  +{peak_megabytes(__file__, name, large):.0f} MB on 20 MB"
        print(f"{name:28} {each} × lexbor's parse  {short_each}, {short_ratio}{memory}", flush=True)


if __name__ == "__main__":
    main()
