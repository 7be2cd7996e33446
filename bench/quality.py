"""Quality and speed of our methods beside a peer, on the corpora: `python bench/quality.py [--every N] [--systems …]`.

Word F1 on wcxb_dev, character F1 on cjk_dev, each with a 95 % interval drawn over domains; CPU time per page as a ratio
to trafilatura's, measured page by page in the same process, since absolute times mean nothing on a busy machine.
"""

import argparse
from collections import defaultdict
from collections.abc import Callable
from time import process_time
from typing import Any

from corpus import pages
from metrics import character_f1, interval, mean, word_f1
from rich.console import Console
from rich.progress import track
from rich.table import Table

import bonmun

PEER = "trafilatura"


def systems(names: list[str]) -> dict[str, Callable[[dict[str, Any]], str]]:
    """Each system as a function from a page to its text."""
    found: dict[str, Callable[[dict[str, Any]], str]] = {}
    for name in names:
        if name == PEER:
            import trafilatura

            found[name] = lambda page: trafilatura.extract(page["html"], url=page["url"]) or ""
        else:
            found[name] = lambda page, name=name: bonmun.extract(page["html"], url=page["url"], method=name).text
    return found


def score(corpus: str, page: dict[str, Any], output: str) -> float:
    """How right an output is, by the measure of its corpus."""
    if corpus == "wcxb_dev":
        return word_f1(output, page["gold_text"] or "")
    return character_f1(output, [gold for gold in (page["gold_text"], page["gold_core_text"]) if gold])


def measure(corpus: str, names: list[str], every: int) -> None:
    """Run all systems over a corpus, one after the other on each page, and print the table."""
    scores: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name in names}
    seconds: dict[str, float] = dict.fromkeys(names, 0.0)
    domains: list[str] = []
    running = systems(names)
    for page in track(list(pages(corpus))[::every], description=corpus, transient=True):
        domains.append(page["domain"] or page["id"])
        part = page["page_type"] if corpus == "wcxb_dev" else page["lang"]
        for name, run in running.items():
            start = process_time()
            output = run(page)
            seconds[name] += process_time() - start
            for key in ("all", part):
                scores[name][key].append(score(corpus, page, output))
    _print(corpus, scores, seconds, domains)


def _print(
    corpus: str, scores: dict[str, dict[str, list[float]]], seconds: dict[str, float], domains: list[str]
) -> None:
    measured = "word F1" if corpus == "wcxb_dev" else "character F1"
    table = Table(title=f"{corpus}, {len(domains)} pages: {measured}, CPU time")
    parts = sorted({part for per_part in scores.values() for part in per_part} - {"all"})
    for column in ("system", "mean", "95 % interval", *parts, "ms/page", f"CPU / {PEER}'s"):
        table.add_column(column, justify="left" if column == "system" else "right")
    for name, per_part in scores.items():
        low, high = interval(per_part["all"], domains)
        ratio = f"{seconds[name] / seconds[PEER]:.2f}" if seconds.get(PEER) else "–"
        cells = [f"{mean(per_part[part]):.3f}" for part in parts]
        time = f"{1000 * seconds[name] / len(domains):.1f}"
        table.add_row(name, f"{mean(per_part['all']):.3f}", f"{low:.3f} – {high:.3f}", *cells, time, ratio)
    Console(width=160).print(table)


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, help="take every Nth page only")
    parser.add_argument("--corpora", default="wcxb_dev,cjk_dev")
    parser.add_argument("--systems", default=f"xpath,xpath-robust,auto,{PEER}")
    asked = parser.parse_args()
    for corpus in asked.corpora.split(","):
        measure(corpus, asked.systems.split(","), asked.every)


if __name__ == "__main__":
    main()
