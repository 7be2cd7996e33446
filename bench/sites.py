"""Two-fold evaluation of site learning: learn from half of a site's pages, test on the other (seed paper 004's tables).

    python bench/sites.py [--only NAME] [--pages]

Per site: pages right (character F1 of 0.9 or more) and mean character F1 of `density` (one page alone), of M5's rules
(density votes in classes of more than five pages), of ours (`template`), and of `auto`. Sites are the groups of
cjk_dev, the hosts of daniel_dev with six pages or more, and those of cleanportaleval; pages without gold are left out.
If nothing can be learned, `template` falls back to `auto`.
"""

import argparse
from collections.abc import Callable, Iterator
from statistics import fmean

from corpus import pages

from bonmun import registry
from bonmun.errors import InputError
from bonmun.evaluate.corpora import Case, case_of
from bonmun.evaluate.metrics import METRICS
from bonmun.evaluate.truth import Truth
from bonmun.model.document import Document
from bonmun.model.page import Page
from bonmun.read.page import read_page
from bonmun.sites.held_out import held_out
from bonmun.sites.m5 import learn_published
from bonmun.sites.site import Site

SYSTEMS = ("density", "m5", "template", "auto")
RIGHT = 0.9
LEAST = 6
CORPORA = {"cjk_dev": "group", "daniel_dev": "host", "cleanportaleval": "host"}


def groups(only: str = "") -> dict[str, list[Case]]:
    """Cases by site."""
    sites: dict[str, list[Case]] = {}
    for corpus, field in CORPORA.items():
        for record in pages(corpus):
            if record.get(field) and record.get("gold_text"):
                sites.setdefault(f"{corpus} {record[field]}", []).append(case_of(record, corpus))
    return {name: cases for name, cases in sites.items() if len(cases) >= LEAST and only in name}


def halves(cases: list[Case]) -> Iterator[tuple[list[Case], list[Case]]]:
    yield cases[::2], cases[1::2]
    yield cases[1::2], cases[::2]


def learned(pages: list[Page]) -> registry.Method:
    try:
        return Site.learn(pages)
    except InputError:
        return registry.method("auto")


def text_of(page: Page, method: registry.Method) -> str:
    return Document(page, method.judge(page), method.name).text


def char_f1(case: Case) -> Callable[[str], float]:
    truth = Truth(case)
    return lambda text: METRICS["lcs"].measure(truth, text)[2]


def measure(cases: list[Case]) -> dict[str, dict[str, float]]:
    """The character F1 of every page by each system, with rules learned from the other half."""
    scores: dict[str, dict[str, float]] = {name: {} for name in SYSTEMS}
    read = [read_page(case.html, url=case.url) for case in cases]
    auto = registry.method("auto")
    methods = {
        "density": [registry.method("density")] * len(cases),
        "m5": held_out(read, learn_published),
        "template": held_out(read, Site.learn, auto),
        "auto": [auto] * len(cases),
    }
    for number, (case, page) in enumerate(zip(cases, read, strict=True)):
        score = char_f1(case)
        for name in SYSTEMS:
            scores[name][case.id] = score(text_of(page, methods[name][number]))
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="sites with this in their name")
    parser.add_argument("--pages", action="store_true", help="list the pages where template is behind auto")
    options = parser.parse_args()
    print(f"{'site':42s}{'pages':>6s}  " + "".join(f"{name:>16s}" for name in SYSTEMS) + "   right %, mean F1")
    everything: list[dict[str, dict[str, float]]] = []
    for name, cases in groups(options.only).items():
        scores = measure(cases)
        everything.append(scores)
        print(f"{name:42s}{len(cases):6d}  {row(scores)}{behind(scores)}", flush=True)
        if options.pages:
            for page, score in scores["template"].items():
                if score < scores["auto"][page] - 0.01:
                    print(f"    {page[:70]}: template {score:.3f}, auto {scores['auto'][page]:.3f}")
    print(f"{'mean over sites':48s}  {means(everything, by_site=True)}")
    print(f"{'mean over pages':48s}  {means(everything, by_site=False)}")


def row(scores: dict[str, dict[str, float]]) -> str:
    return "".join(_cell(list(scores[name].values())) for name in SYSTEMS)


def behind(scores: dict[str, dict[str, float]]) -> str:
    short = fmean(scores["auto"].values()) - fmean(scores["template"].values())
    return f"   behind auto by {short:.3f}" if short > 0.0005 else ""


def means(everything: list[dict[str, dict[str, float]]], *, by_site: bool) -> str:
    cells = []
    for name in SYSTEMS:
        sites = [list(scores[name].values()) for scores in everything]
        if by_site:
            right = fmean(fmean(score >= RIGHT for score in site) for site in sites)
            cells.append(f"{100 * right:9.1f} {fmean(map(fmean, sites)):6.3f}")
        else:
            cells.append(_cell([score for site in sites for score in site]))
    return "".join(cells)


def _cell(values: list[float]) -> str:
    return f"{100 * fmean(value >= RIGHT for value in values):9.1f} {fmean(values):6.3f}"


if __name__ == "__main__":
    main()
