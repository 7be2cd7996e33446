"""CPU time of learning a site, without reading its pages, as a multiple of lexbor's bare parse.

    python bench/learning.py

Sites with 20 pages or more, and the first 100 pages of daniel_dev and wcxb_dev as if each were one site; best of three
rounds. `learn` is `Site.learn` on pages already read (shapes, clustering, `auto` on a sample, rules, fields); `m5` is
the published method on the same pages.
"""

import time
from collections.abc import Callable, Iterator
from itertools import islice

from corpus import pages
from selectolax.lexbor import LexborHTMLParser

from bonmun.errors import InputError
from bonmun.model.page import Page
from bonmun.read.page import read_page
from bonmun.sites.m5 import learn_published
from bonmun.sites.site import Site

HOSTS = ("www.express.gr", "www.we-dwoje.pl", "www2.rizospastis.gr", "www.biolog.pl", "www.bbc.co.uk", "www.tovima.gr")
ROUNDS = 3


def sets() -> Iterator[tuple[str, list[bytes]]]:
    for host in HOSTS:
        yield host, [record["html"].encode() for record in pages("daniel_dev") if record["host"] == host][:100]
    for corpus in ("daniel_dev", "wcxb_dev"):
        yield f"{corpus}, first 100", [record["html"].encode() for record in islice(pages(corpus), 100)]


def spent(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)


def learned(read: list[Page]) -> Site | None:
    try:
        return Site.learn(read)
    except InputError:
        return None


def main() -> None:
    print(f"{'':24s}{'pages':>6s}{'kB':>6s}{'lexbor':>9s}{'read':>8s}{'learn':>8s}{'m5':>8s}  ms; learn/lexbor")
    for name, sources in sets():
        read = [read_page(source) for source in sources]
        works: dict[str, Callable[[], object]] = {
            "lexbor": lambda sources=sources: [LexborHTMLParser(source) for source in sources],
            "read": lambda sources=sources: [read_page(source) for source in sources],
            "learn": lambda read=read: learned(read),
            "m5": lambda read=read: learn_published(read),
        }
        best = {work: min(spent(run) for _ in range(ROUNDS)) for work, run in works.items()}
        kilobytes = sum(map(len, sources)) / len(sources) / 1000
        ratio = best["learn"] / best["lexbor"]
        print(f"{name:24s}{len(sources):6d}{kilobytes:6.0f}{best['lexbor']:9.0f}{best['read']:8.0f}{best['learn']:8.0f}"
              f"{best['m5']:8.0f}  {ratio:.2f}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
