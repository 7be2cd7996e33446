"""Short articles under long comments: which methods still extract the article?

    python bench/short_articles.py [--only NAME] [--few]

Test pages keep only the longest paragraph of the article and get comments three times as long as the article was, made
of sentences of the site's other articles. With --few, the pages that the site is learned from have comments of a tenth
of the article. A page counts as found if the output has the paragraph and at most a few lines more.
"""

import argparse
import re
from statistics import fmean

from rewriting import Rewritten, with_comments
from sites import groups, halves, learned, text_of

from bonmun import registry
from bonmun.evaluate.corpora import Case
from bonmun.read.page import read_page
from bonmun.sites.m5 import learn_published

SINGLE = ("xpath", "xpath-robust", "density", "auto")
SYSTEMS = (*SINGLE, "m5", "template")
_SPARE = "This is what I have been saying for years, and nobody would listen."
_SENTENCE = re.compile(r"[^.!?。！？]{20,200}[.!?。！？]")


def comments(cases: list[Case], case: Case, wanted: int) -> list[str]:
    """Sentences of the other articles, `wanted` characters together; each page starts at another one."""
    others = [other.golds[0] for other in cases if other.id != case.id and other.golds[0] != case.golds[0]]
    sentences = [text.strip() for gold in others for text in _SENTENCE.findall(gold)[:12]] or [_SPARE]
    sentences = [text for text in sentences if text not in case.golds[0]] or [_SPARE]
    chosen, number = list[str](), 31 * cases.index(case)
    while sum(map(len, chosen)) < wanted:
        chosen.append(f"{sentences[number % len(sentences)]} ({number})")
        number += 1
    return chosen


def commented(case: Case, cases: list[Case], *, short: bool) -> Rewritten | None:
    length = len(case.golds[0])
    wanted = max(3000, 3 * length) if short else length // 10
    return with_comments(case.html, case.golds[0], comments(cases, case, wanted), short=short)


def has_article(text: str, page: Rewritten) -> bool:
    bare = "".join(text.split())
    return "".join(page.gold.split()) in bare and len(bare) < 3 * len("".join(page.gold.split())) + 200


def measure(cases: list[Case], few_comments: bool) -> dict[str, list[bool]]:
    hits: dict[str, list[bool]] = {name: [] for name in SYSTEMS}
    for learn, test in halves(cases):
        pages = [read_page(case.html) for case in learn]
        if few_comments:
            usual = [commented(case, cases, short=False) for case in learn]
            pages = [read_page(page.html) for page in usual if page is not None]
        methods = {name: registry.method(name) for name in SINGLE}
        methods |= {"m5": learn_published(pages), "template": learned(pages)}
        for wanted in (commented(case, cases, short=True) for case in test):
            if wanted is not None:
                page = read_page(wanted.html)
                for name in SYSTEMS:
                    hits[name].append(has_article(text_of(page, methods[name]), wanted))
    return hits


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="sites with this in their name")
    parser.add_argument("--few", action="store_true", help="learn from pages with few comments instead of none")
    options = parser.parse_args()
    print(f"{'site':42s}{'pages':>6s}" + "".join(f"{name:>14s}" for name in SYSTEMS) + "   body found, %")
    everything: dict[str, list[bool]] = {name: [] for name in SYSTEMS}
    for name, cases in groups(options.only).items():
        hits = measure(cases, options.few)
        if hits["auto"]:
            shares = "".join(f"{100 * fmean(hits[system]):14.1f}" for system in SYSTEMS)
            print(f"{name:42s}{len(hits['auto']):6d}{shares}", flush=True)
        for system in SYSTEMS:
            everything[system] += hits[system]
    shares = "".join(f"{100 * fmean(everything[system]):14.1f}" for system in SYSTEMS)
    print(f"{'all pages':42s}{len(everything['auto']):6d}{shares}")


if __name__ == "__main__":
    main()
