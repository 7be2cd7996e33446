"""Articles cut to one paragraph under a long comment list: who still finds the body?

    python bench/short_articles.py [--only NAME]

All pages get comments behind the article, made of sentences of the site's other articles. On the half that the site is
learned from they are a tenth of the article; on the other half all but the longest paragraph of the article is gone,
and the comments are three times as long as the article was. Found: the paragraph is in the output, and at most one or
two lines beside it.
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
    """Sentences of the other articles, so many characters together; each page starts at another one."""
    others = [other.golds[0] for other in cases if other.id != case.id and other.golds[0] != case.golds[0]]
    sentences = [text.strip() for gold in others for text in _SENTENCE.findall(gold)[:12]] or [_SPARE]
    sentences = [text for text in sentences if text not in case.golds[0]] or [_SPARE]
    found, at = list[str](), 31 * cases.index(case)
    while sum(map(len, found)) < wanted:
        found.append(f"{sentences[at % len(sentences)]} ({at})")
        at += 1
    return found


def commented(case: Case, cases: list[Case], *, short: bool) -> Rewritten | None:
    length = len(case.golds[0])
    wanted = max(3000, 3 * length) if short else length // 10
    return with_comments(case.html, case.golds[0], comments(cases, case, wanted), short=short)


def found(text: str, page: Rewritten) -> bool:
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
                    hits[name].append(found(text_of(page, methods[name]), wanted))
    return hits


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--only", default="")
    asked.add_argument("--few", action="store_true", help="learn from pages with few comments, not from those without")
    options = asked.parse_args()
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
