"""Speed of the reader, systems interleaved page by page: `python bench/reader.py [--pages 200] [--rounds 5]`.

CPU time of our reader and of `extract().text` from bytes, and of resiliparse and turbohtml, as ratios to lexbor's bare
parse in the same run; memory added to a fresh process. Absolute times mean nothing on a busy machine.
"""

import argparse
import sys
from itertools import islice
from statistics import median

from corpus import pages
from interleaved import Run, cpu_times, peak_megabytes, print_peak, ratio

YARDSTICK = "lexbor, parse only"


def systems() -> dict[str, Run]:
    """Each system as a function of a page's bytes; turbohtml only if it is installed."""
    from selectolax.lexbor import LexborHTMLParser

    import bonmun
    from bonmun.read.parse import parse

    running: dict[str, Run] = {
        YARDSTICK: lambda page, _: LexborHTMLParser(page),
        "bonmun, read to columns": lambda page, _: parse(page),
        "bonmun, read and segment": lambda page, _: bonmun.read_page(page).blocks,
        "bonmun, extract xpath, text": lambda page, _: bonmun.extract(page, method="xpath").text,
        "bonmun, extract auto, text": lambda page, _: bonmun.extract(page).text,
    }
    from resiliparse.extract.html2text import extract_plain_text

    running["resiliparse, main content"] = lambda page, _: extract_plain_text(page.decode(), main_content=True)
    try:
        import turbohtml
    except ImportError:
        print("turbohtml is not installed: pip install 'bonmun[bench]'", file=sys.stderr)
    else:
        running["turbohtml, main text"] = lambda page, _: turbohtml.parse(page.decode()).main_text()
    return running


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peak", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peak:
        print_peak(systems()[options.peak])
        return
    sources = [page["html"].encode() for page in islice(pages("wcxb_dev"), 0, None, max(1, 1358 // options.pages))]
    sources = sources[: options.pages]
    print(f"{len(sources)} pages of {sum(map(len, sources)) / len(sources) / 1000:.0f} kB on average")
    spent = cpu_times(systems(), [(source, None) for source in sources], options.rounds)
    large = (max(sources, key=len) * 8)[:20_000_000]
    for name, times in spent.items():
        each = ratio(times, spent[YARDSTICK]).middle
        each_page = f"{1000 * median(times) / len(sources):7.2f} ms/page"
        memory = f"+{peak_megabytes(__file__, name, large):.0f} MB on a page of {len(large) / 1e6:.0f} MB"
        print(f"{name:30} {each:6.2f} × lexbor's parse  {each_page}  {memory}")


if __name__ == "__main__":
    main()
