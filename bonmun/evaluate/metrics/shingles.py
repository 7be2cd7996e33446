"""Shingles: runs of four words."""

import re
from collections import Counter
from math import nan

from bonmun.evaluate.metrics.metric import Figure, Metric, Values, f_score, share
from bonmun.evaluate.truth import Truth

_LENGTH = 4
_WORD = re.compile(r"\w+")


def against(truth: Truth, number: int, output: str) -> Values:
    """Return precision with 1 if there is an output, recall with 1 if there is a gold, whether all words agree, and 1.

    Source: Scrapinghub's article extraction benchmark (2020): bags of four-word shingles, case-sensitive; precision is
    the mean over pages with an output, recall over pages with a gold, F1 that of the two means; accuracy is the share
    of pages with exactly the words of the gold.

    Example: output "a b c d e", gold "b c d e f": two shingles each, one in common.

    >>> from bonmun.evaluate.corpora import Case
    >>> against(Truth(Case("1", "", ("b c d e f",))), 0, "a b c d e")
    (0.5, 1.0, 0.5, 1.0, 0.0, 1.0)
    """
    given_words, gold_words = _words(truth, output), _words(truth, truth.golds[number])
    given, gold = _shingles(given_words), _shingles(gold_words)
    hits = (given & gold).total()
    precision = (hits / given.total(), 1.0) if given else (0.0, 0.0)
    recall = (hits / gold.total(), 1.0) if gold else (0.0, 0.0)
    return *precision, *recall, float(given_words == gold_words), 1.0


def _words(truth: Truth, text: str) -> list[str]:
    words: list[str] = _WORD.findall(text)
    return [char for word in words for char in word] if truth.by_character else words


def _shingles(words: list[str]) -> Counter[tuple[str, ...]]:
    if not words:
        return Counter()
    return Counter(tuple(words[start : start + _LENGTH]) for start in range(max(1, len(words) - _LENGTH + 1)))


def _f1(sums: Values) -> float:
    precision, given, recall, gold, _, pages = sums
    if not pages:
        return nan
    return f_score(precision / given, recall / gold) if given and gold else float(not given and not gold)


METRIC = Metric(
    "shingles",
    "article-extraction-benchmark (Scrapinghub 2020)",
    against,
    (
        Figure("shingle_f1", "4-gram F1", lambda sums: _f1(tuple(sums))),
        Figure("shingle_precision", "4-gram P", share(0, 1)),
        Figure("shingle_recall", "4-gram R", share(2, 3)),
        Figure("exact", "exact pages", share(4, 5)),
    ),
    __name__,
)
