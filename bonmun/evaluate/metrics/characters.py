"""Longest common subsequence of characters, and two papers' measures based on it."""

from dataclasses import replace

from bonmun.evaluate.alignment import common
from bonmun.evaluate.metrics.metric import Figure, Metric, Values, f_score, page_means, page_values, quotients, share
from bonmun.evaluate.tokens import collapsed
from bonmun.evaluate.truth import Truth

RECOGNISED = 0.5
"""Minimum recall of a recognised page. (Our threshold: the paper's authors judged by eye.)"""
RIGHT = 0.9
"""Minimum character F1 of a right page. (Our threshold: the paper's authors judged by eye.)"""


def lcs(truth: Truth, number: int, output: str) -> Values:
    """Return P, R, F1 and F0.5 over the longest common subsequence of characters, and 1 for the page.

    Source: seed paper 003 (visual features and TabNet), LCS columns of its table 2: P = |LCS| / |output|,
    R = |LCS| / |gold|, white space collapsed, the mean over pages.

    Example: output "the dog sat", gold "the cat sat": 8 of 11 characters in common.

    >>> from bonmun.evaluate.corpora import Case
    >>> lcs(Truth(Case("1", "", ("the cat sat",))), 0, "the dog  sat")[:3]
    (0.727..., 0.727..., 0.727...)
    """
    return page_values(*_quotients(truth, number, output))


def collapsed_lcs(truth: Truth, number: int, output: str) -> Values:
    """Return what `lcs` does, with white space collapsed in languages without spaces too, where `lcs` removes it.

    Source: seed paper 003 (visual features and TabNet), as published. On Chinese and Japanese pages F1 is lower by
    up to .006.

    >>> from bonmun.evaluate.corpora import Case
    >>> collapsed_lcs(Truth(Case("1", "", ("茶 水",), lang="zh")), 0, "茶水")[:2]
    (1.0, 0.666...)
    """
    gold, given = collapsed(truth.golds[number]), collapsed(output)
    return page_values(*quotients(common(gold, given) if gold and given else 0, len(given), len(gold)))


def recognition(truth: Truth, number: int, output: str) -> Values:
    """Return whether the page was recognised, its precision if so, and 1 for the page.

    Source: seed paper 000 (XTractor), table 2: recognition rate = (N − r) / N, r = pages whose main text was missed;
    precision = M / (M + G) over the recognised pages, M = characters of main text in the output, G = all others.

    Example: output "the cat sat. Copyright", gold "the cat sat on a mat.": 14 characters in common, more than half of
    the gold's 21, so the page is recognised; the output has 22.

    >>> from bonmun.evaluate.corpora import Case
    >>> truth = Truth(Case("1", "", ("the cat sat on a mat.",)))
    >>> recognition(truth, 0, "the cat sat. Copyright")
    (1.0, 0.636..., 1.0)
    >>> recognition(truth, 0, "menu")
    (0.0, 0.0, 1.0)
    """
    precision, recall = _quotients(truth, number, output)
    recognised = recall >= RECOGNISED
    return float(recognised), precision if recognised else 0.0, 1.0


def right(truth: Truth, number: int, output: str) -> Values:
    """Return whether the page is right, and 1 for the page.

    Source: seed paper 004 (page clustering), tables 1 and 2: the share of pages that are right; right = a character F1
    of 0.9 or more.

    >>> from bonmun.evaluate.corpora import Case
    >>> truth = Truth(Case("1", "", ("the cat sat on a mat",)))
    >>> right(truth, 0, "the cat sat on the mat"), right(truth, 0, "the cat")
    ((1.0, 1.0), (0.0, 1.0))
    """
    precision, recall = _quotients(truth, number, output)
    return float(f_score(precision, recall) >= RIGHT), 1.0


def _quotients(truth: Truth, number: int, output: str) -> tuple[float, float]:
    gold = truth.golds[number]
    lengths = len(truth.characters(output)), len(truth.characters(gold))
    return quotients(truth.common(gold, output) if all(lengths) else 0, *lengths)


LCS = Metric(
    "lcs",
    "seed paper 003, table 2",
    lcs,
    page_means("lcs", "char"),
    __name__,
)
COLLAPSED_LCS = replace(LCS, name="lcs-collapsed", against=collapsed_lcs)
"""The paper's own LCS, for the report of its reproduction."""
RECOGNITION = Metric(
    "recognition",
    "seed paper 000, table 2",
    recognition,
    (
        Figure("recognition", "recognised", share(0, 2)),
        Figure("recognition_precision", "precision of recognised", share(1, 0)),
    ),
    __name__,
)
RIGHT_PAGES = Metric(
    "right",
    "seed paper 004, tables 1 and 2",
    right,
    (Figure("right", "pages right", share(0, 1)),),
    __name__,
)
