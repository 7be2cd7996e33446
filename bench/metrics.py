"""How near an output is to the gold text, and how sure we are of a mean."""

import random
import re
from collections import Counter, defaultdict
from statistics import fmean

_WORD = re.compile(r"\w+")


def word_f1(output: str, gold: str) -> float:
    """WCXB's measure: F1 over bags of lower-cased words; an empty output for an empty gold is right."""
    return _f1(Counter(_WORD.findall(output.lower())), Counter(_WORD.findall(gold.lower())))


def _f1(output: Counter[str], gold: Counter[str]) -> float:
    if not output or not gold:
        return float(not output and not gold)
    return 2 * (output & gold).total() / (output.total() + gold.total())


def character_f1(output: str, golds: list[str]) -> float:
    """F1 over the longest common subsequence of characters (seed 003's LCS), best over the golds."""
    from rapidfuzz.distance import LCSseq

    output = "".join(output.split())
    best = 0.0
    for gold in ("".join(gold.split()) for gold in golds):
        if not output or not gold:
            best = max(best, float(not output and not gold))
        else:
            best = max(best, 2 * LCSseq.similarity(output, gold) / (len(output) + len(gold)))
    return best


def interval(scores: list[float], domains: list[str], rounds: int = 1000) -> tuple[float, float]:
    """95 % bootstrap interval of the mean, drawn over domains: pages of one site are not independent."""
    by_domain = defaultdict(list)
    for score, domain in zip(scores, domains, strict=True):
        by_domain[domain].append(score)
    sums = [(sum(group), len(group)) for group in by_domain.values()]
    draw = random.Random(0)
    means = []
    for _ in range(rounds):
        picked = draw.choices(sums, k=len(sums))
        means.append(sum(total for total, _ in picked) / sum(count for _, count in picked))
    means.sort()
    return means[round(0.025 * rounds)], means[round(0.975 * rounds) - 1]


def mean(scores: list[float]) -> float:
    """The mean; 0 for none."""
    return fmean(scores) if scores else 0.0
