"""From measured pages to the web: `python bench/scale_model.py [--measure] [--simulate] [--docs docs/scale.md]`.

`--measure` takes the figures anew (bench/scale_figures.py) and keeps them in bench/scale_figures.json. Without it the
model uses those. `--simulate` adds the simulations of skew and stragglers. `--docs` writes the tables into the page,
between their markers. What was not measured is an argument: `python bench/scale_model.py --help`.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.scale_figures import Figures, known_figures, measure, save
from bench.scale_simulation import (
    Cluster,
    Hosts,
    Job,
    Share,
    all_pages,
    hour_job,
    mean_stretch,
    moved,
    run_job,
    salted,
    sampled,
    skew,
)
from bonmun.errors import SourceError

CLUSTERS = (64, 512, 4_096)
SHARDS = (100, 1_000, 10_000, 20_000, 50_000)
FRESH = "<!-- scale_model: {} -->"
END = "<!-- end -->"
TERA, GIGA = 1e12, 1e9
LEAST_PAGES = 5
"""Hosts with fewer pages are not learned."""
BANDS = 21
"""Of a signature of 128 minimums at a similarity of 0.8."""
MOST_INDEXED = 0.7 * 2**32 / BANDS
"""Texts that the table of the index has room for (bonmun/scale/sieve/band_index.py)."""


@dataclass(frozen=True)
class Assumptions:
    """What the model takes from elsewhere, each an argument of the script."""

    pages: float = 3e9
    """HTML pages of a crawl of the size of Common Crawl's."""
    hosts: float = 4e7
    """Hosts of such a crawl."""
    other_records: float = 0.15
    """Requests, metadata and robots files in WARCs, as a share of the bytes of pages."""
    busy: float = 0.9
    """Share of the paid core time in which cores work on pages; the simulation of stragglers gives 0.92 to 0.95."""
    cheap: float = 0.01
    """USD for a core-hour of a spot machine."""
    dear: float = 0.05
    """USD for a core-hour of a machine on demand."""
    shard: int = 20_000
    """Pages of a shard, about a WARC of 1 GB."""
    site_pages: int = 32
    """Pages of a host that its templates are learned from."""
    transfer: float = 0.05
    """USD for a GB that is read from another region."""
    put: float = 5e-6
    """USD for a request that writes an object."""
    memory: float = 64.0
    """GB of memory that the index of duplicates may take."""


def table(head: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """A table in Markdown; the first columns are aligned to the left."""
    rule = ["---" if column < left else "--:" for column in range(len(head))]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, rule, *rows])


def measured_table(known: Figures) -> str:
    """What was measured."""
    rows = [
        ("HTML of a page", f"{known.html / 1000:,.0f} kB"),
        ("its record in a WARC, gzip", f"{known.warc / 1000:,.1f} kB"),
        ("read a page of a WARC", _rate(known.read)),
        ("text and metadata, `extract_batch`", _rate(known.text)),
        ("Markdown and metadata", _rate(known.markdown)),
        ("text, Markdown and metadata", _rate(known.both)),
        ("slowest page of the sample", f"{1000 * known.slowest:,.0f} ms"),
        ("standard deviation of a page's time", f"{known.spread:.1f} × the mean"),
        ("`bonmun batch`, worker process", _rate(known.worker)),
        ("`bonmun batch`, parent process: read, pass on, write", _rate(known.parent)),
        ("MinHash signature of a text", _rate(known.signature)),
        ("memory of a text in the index of duplicates", f"{known.index:,.0f} B"),
        (f"learn a host from {known.learned_pages:.0f} pages", f"{1000 * known.learned_host:,.0f} ms"),
        ("its site file", f"{known.site_file / 1000:,.1f} kB"),
        *((f"output of a page, {name}", f"{size / 1000:,.2f} kB") for name, size in known.output.items()),
    ]
    return table(("", "mean of a page"), rows)


def _rate(seconds: float) -> str:
    return f"{1000 * seconds:,.2f} ms, {1 / seconds:,.0f} pages a core-second"


def learning_hosts(given: Assumptions) -> float:
    """Hosts with enough pages to be learned."""
    return sum(count for count, size in _hosts(given).ranked() if size >= LEAST_PAGES)


def _hosts(given: Assumptions) -> Hosts:
    return Hosts(given.pages, given.hosts)


def stages(known: Figures, given: Assumptions) -> dict[str, float]:
    """CPU seconds of each stage for all pages."""
    once = known.parent + known.worker
    sampled_pages = moved(_hosts(given), sampled(given.site_pages))
    per_page = known.learned_host / known.learned_pages
    return {
        "text and metadata, one pass": once * given.pages,
        "with Markdown too": (once + known.both - known.text) * given.pages,
        "near-duplicates: signatures": known.signature * given.pages,
        "site templates: read again": known.read * given.pages,
        "site templates: learn": per_page * sampled_pages,
    }


def cost_table(known: Figures, given: Assumptions) -> str:
    """Core-hours, money and time of each stage."""
    rows = []
    for name, seconds in stages(known, given).items():
        hours = seconds / given.busy / 3600
        money = f"{hours * given.cheap:,.0f} – {hours * given.dear:,.0f}"
        rows.append((name, f"{hours:,.0f}", money, *(_duration(hours / cores) for cores in CLUSTERS)))
    away = given.pages * record_bytes(known, given) / GIGA * given.transfer
    rows.append(("read from another region", "", f"{away:,.0f}", *("" for _ in CLUSTERS)))
    return table(("stage", "core-hours", "USD", *(f"on {cores:,} cores" for cores in CLUSTERS)), rows)


def record_bytes(known: Figures, given: Assumptions) -> float:
    """Bytes that are read for a page: its record, and its share of the other records."""
    return known.warc * (1 + given.other_records)


def _duration(hours: float) -> str:
    if hours < 1:
        return f"{60 * hours:,.0f} min"
    return f"{hours:,.1f} h" if hours < 48 else f"{hours / 24:,.0f} days"


def volume_table(known: Figures, given: Assumptions) -> str:
    """Bytes that are read, moved, kept and written."""
    pages = given.pages
    few = moved(_hosts(given), sampled(given.site_pages))
    rows = [
        ("read: WARCs", pages * record_bytes(known, given)),
        *((f"written: {name}", pages * size) for name, size in known.output.items()),
        ("shuffle for site templates, all pages by host", pages * known.warc),
        (f"shuffle for site templates, {given.site_pages} pages of each host", few * known.warc),
        ("shuffle to choose these: hashes of host and URL, an id", pages * 24),
        ("site files", learning_hosts(given) * known.site_file),
        ("shuffle for near-duplicates: signatures, 128 × 4 B and an id", pages * (128 * 4 + 8)),
        (f"shuffle for near-duplicates: {BANDS} bands, each a hash and an id", pages * BANDS * 16),
        ("index of duplicates in memory", pages * known.index),
    ]
    cells = [(name, f"{size / TERA:,.1f} TB", f"{size / pages:,.0f} B") for name, size in rows]
    return table(("", f"{pages:,.0f} pages", "a page"), cells)


def limit_table(known: Figures, given: Assumptions) -> str:
    """The size from which on each part no longer keeps up."""
    index_pages = min(given.memory * GIGA / known.index, MOST_INDEXED)
    parts = given.pages / given.shard
    once, workers = known.parent + known.worker, f"{known.worker / known.parent:.0f}"
    rows = [
        (
            "the parent process of one machine",
            f"{1 / known.parent:,.0f} pages a second: enough for {workers} workers",
            f"more than {workers} cores: then a run for each part of the shards",
        ),
        (
            "one machine with 16 cores",
            f"{16 * 86400 * given.busy / once:,.0f} pages a day",
            f"{given.pages * once / 16 / given.busy / 86400:,.0f} days for all pages",
        ),
        (
            "index of duplicates in one process",
            f"{known.index:,.0f} B a text",
            f"{index_pages:,.0f} texts, {index_pages * known.index / GIGA:,.0f} GB: then bands by a shuffle",
        ),
        (
            "site files in one folder",
            f"{learning_hosts(given):,.0f} hosts with five pages or more",
            "some 10⁶ files: then a table by host",
        ),
        (
            "objects",
            f"{parts:,.0f} parts and as many markers with {given.shard:,} pages each,"
            f" {2 * parts * given.put:,.0f} USD to write",
            f"{given.pages / 100:,.0f} of each with 100 pages, {2 * given.pages / 100 * given.put:,.0f} USD",
        ),
        (
            "network",
            f"{8 * record_bytes(known, given) / once / 1e6:,.0f} Mbit/s a core",
            f"{8 * 4096 * record_bytes(known, given) / once / 1e9:,.0f} Gbit/s for 4,096 cores",
        ),
    ]
    return table(("part", "what it does", "until"), rows, left=3)


def skew_table(known: Figures, given: Assumptions, tasks: int = 4_096) -> str:
    """Tasks of the shuffle that groups pages by host."""
    shards, kept = given.pages / given.shard, given.site_pages
    ways: dict[str, Share] = {
        "all pages of a host (plain groupBy)": all_pages,
        f"{kept} of a host from each shard": sampled(kept * shards),
        f"{kept} of a host from each 250 shards": sampled(kept * shards / 250),
        f"{kept} of a host": sampled(kept),
        "all pages, salted: keys of 10,000 at most": salted(10_000),
    }
    per_page = known.learned_host / known.learned_pages
    rows = []
    for name, share in ways.items():
        found = skew(_hosts(given), share, tasks)
        size = found.largest_key * known.html / GIGA
        cells = (f"{found.total:,.0f}", f"{found.ratio:,.1f}", _duration(found.longest * per_page / 3600))
        rows.append((name, *cells, f"{found.largest_key:,.0f}", f"{size:,.1f} GB" if size >= 0.05 else "< 0.1 GB"))
    return table(("what is moved", "pages", "longest ÷ mean task", "longest", "largest group", "its HTML"), rows)


def straggler_table(known: Figures) -> str:
    """The time of a job of one hour as a multiple of the ideal one."""
    seconds = known.parent + known.worker
    values = {
        (shard, cores, speculate): mean_stretch(_job(known, shard, cores), Cluster(cores), speculate=speculate)
        for shard in SHARDS
        for cores in CLUSTERS
        for speculate in (False, True)
    }
    rows = []
    for shard in SHARDS:
        cells = [f"{shard:,}", f"{shard * seconds:,.0f} s"]
        for cores in CLUSTERS:
            for speculate in (False, True):
                value = values[shard, cores, speculate]
                best = min(values[other, cores, speculate] for other in SHARDS)
                cells.append(f"**{value:.2f}**" if value < best + 0.005 else f"{value:.2f}")
        rows.append(cells)
    head = [
        f"{cores:,} cores{', speculation' if speculate else ''}" for cores in CLUSTERS for speculate in (False, True)
    ]
    return table(("pages of a shard", "CPU", *head), rows, left=0)


def loss_table(known: Figures) -> str:
    """What an executor of 16 cores takes with it, and what copies of late tasks cost."""
    rows = []
    for shard in SHARDS:
        job = _job(known, shard, 512)
        lost = 16 * job.mean_seconds / 2
        outcome = run_job(job, Cluster(512), speculate=True)
        spent = 512 * outcome.seconds
        cells = (f"{lost:,.0f} s", f"{lost / spent:.3%}", f"{outcome.copies:,}", f"{outcome.wasted / spent:.2%}")
        rows.append((f"{shard:,}", *cells))
    head = (
        "pages of a shard",
        "core-seconds lost with an executor",
        "of a one-hour job",
        "copies",
        "wasted by copies and failures",
    )
    return table(head, rows, left=0)


def _job(known: Figures, shard: int, cores: int) -> Job:
    return hour_job(Cluster(cores), shard, known.parent + known.worker, spread=known.spread)


def tables(known: Figures, given: Assumptions, simulate: bool) -> dict[str, str]:
    """All tables by the names of their markers."""
    made = {
        "measured": measured_table(known),
        "costs": cost_table(known, given),
        "volumes": volume_table(known, given),
        "limits": limit_table(known, given),
    }
    if simulate:
        made |= {"skew": skew_table(known, given), "stragglers": straggler_table(known), "losses": loss_table(known)}
    return made


def write_docs(page: Path, made: dict[str, str]) -> None:
    """Replace the tables of a page."""
    text = page.read_text(encoding="utf-8")
    for name, content in made.items():
        marker = FRESH.format(name)
        pattern = re.compile(re.escape(marker) + ".*?" + re.escape(END), re.DOTALL)
        if not pattern.search(text):
            raise SourceError(f"{page}: {marker} with {END} behind it is missing; the table is written between them")
        text = pattern.sub(lambda _, whole=f"{marker}\n\n{content}\n\n{END}": whole, text)
    page.write_text(text, encoding="utf-8")


def main() -> None:
    """Measure if asked to, then print the tables or write them into the docs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", action="store_true", help="measure anew, and keep the figures")
    parser.add_argument("--every", type=int, default=4, help="measure every so many pages of the corpora")
    parser.add_argument("--simulate", action="store_true", help="also the simulations")
    parser.add_argument("--markdown", action="store_true", help="tables without titles")
    parser.add_argument("--docs", type=Path, help="write the tables into this page of the docs")
    for one in fields(Assumptions):
        parser.add_argument(f"--{one.name.replace('_', '-')}", type=type(one.default), default=one.default)
    options = parser.parse_args()
    if options.measure:
        save(measure(options.every))
    given = Assumptions(**{one.name: getattr(options, one.name) for one in fields(Assumptions)})
    made = tables(known_figures(), given, options.simulate)
    if options.docs:
        write_docs(options.docs, made)
        return
    for name, content in made.items():
        print(content if options.markdown else f"{name}\n\n{content}", end="\n\n")


if __name__ == "__main__":
    main()
