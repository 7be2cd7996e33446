"""The gain of `bonmun batch --learn-sites`: each page of a host with enough pages, by `auto` and by its learned site.

python bench/learn_sites.py [--least 5] [--unsafe] [--jobs 2]

Sites are learned as in a batch run, without labels, from the pages that they are then used on; each corpus is one run.
Hosts are those of the pages' URLs; template groups of a corpus stand for hosts, as all of its pages may come from one
archive. Word F1 with its mean difference, and the pages that became better or worse by more than 0.01.
"""

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import fmean
from time import process_time

import pyarrow as pa
from corpus import pages

from bonmun.evaluate.corpora import Case, case_of
from bonmun.evaluate.metrics import METRICS
from bonmun.evaluate.siblings import site_of
from bonmun.evaluate.truth import Truth
from bonmun.scale import BatchSettings, extract_batch
from bonmun.scale.sites.learn_sites import LearnedSites, learn_sites
from bonmun.scale.sites.settings import SiteSettings

CORPORA = ("cjk_dev", "daniel_dev", "cleanportaleval", "wcxb_dev", "recipes_dev")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--least", type=int, default=5)
    parser.add_argument("--unsafe", action="store_true", help="with doubtful templates")
    parser.add_argument("--jobs", type=int, default=2)
    wanted = parser.parse_args()
    print("corpus            pages  hosts  learned  failed   auto  learn-sites  difference  better  worse  learning s")
    for name in CORPORA:
        cases = siblings(name, wanted.least)
        if cases:
            report(name, cases, SiteSettings(least_pages=wanted.least, safe=not wanted.unsafe), wanted.jobs)


def siblings(name: str, least: int) -> list[Case]:
    """Return the pages with a truth of sites that have enough of them."""
    cases = [case_of(record, name) for record in pages(name) if record.get("gold_text")]
    counts = Counter(map(site_of, cases))
    return [case for case in cases if site_of(case) and counts[site_of(case)] >= least]


def report(name: str, cases: Sequence[Case], settings: SiteSettings, jobs: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        start = process_time()
        learned = learn_sites(batches(cases), folder, settings, jobs=jobs)
        seconds = process_time() - start
        auto, by_site = scores(cases, None), scores(cases, learned)
    gains = [after - before for before, after in zip(auto, by_site, strict=True)]
    better, worse = sum(gain > 0.01 for gain in gains), sum(gain < -0.01 for gain in gains)
    print(
        f"{name:16}  {len(cases):5}  {learned.counts.hosts:5}  {learned.counts.learned:7}  {learned.counts.failed:6}  "
        f"{fmean(auto):.3f}  "
        f"{fmean(by_site):11.3f}  {fmean(gains):+10.3f}  {better:6}  {worse:5}  {seconds:10.1f}",
        flush=True,
    )


def scores(cases: Sequence[Case], learned: LearnedSites | None) -> list[float]:
    settings = BatchSettings(sites=learned.sites if learned else None, timings=False)
    texts = [text for batch in batches(cases) for text in extract_batch(batch, settings).column("text").to_pylist()]
    return [METRICS["words"].measure(Truth(case), text or "")[2] for text, case in zip(texts, cases, strict=True)]


def batches(cases: Sequence[Case]) -> Iterator[pa.RecordBatch]:
    """Yield pages with URLs of hosts that stand for their sites."""
    for start in range(0, len(cases), 32):
        some = cases[start : start + 32]
        urls = [f"https://{host(case)}/{number}" for number, case in enumerate(some, start)]
        html = [case.html.encode(errors="replace") if isinstance(case.html, str) else case.html for case in some]
        yield pa.RecordBatch.from_arrays([pa.array(urls), pa.array(html, pa.binary())], ["url", "html"])


def host(case: Case) -> str:
    return "".join(char if char.isalnum() else "-" for char in site_of(case).lower()).strip("-") + ".example"


if __name__ == "__main__":
    main()
