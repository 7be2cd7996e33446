"""ROUGE-LSum: every line of the gold against all lines of the output."""

from collections import Counter
from collections.abc import Mapping, Sequence

from bonmun.evaluate.alignment import encoded, matched
from bonmun.evaluate.metrics.metric import Figure, Metric, Values, f_score, quotients, share
from bonmun.evaluate.tokens import tokens
from bonmun.evaluate.truth import Truth

_LINES = 64
"""Maximum number of output lines compared with one line of the gold."""


def against(truth: Truth, number: int, output: str) -> Values:
    """Return precision, recall and F1, and 1 for the page.

    Source: Bevendorff et al., *An Empirical Comparison of Web Content Extraction Algorithms* (SIGIR 2023), with Lin's
    (2004) summary-level LCS: a word of a gold line is hit when it is in a longest common subsequence with any line of
    the output; each word of the output hits once. Words are whole and lower-cased, the mean is over pages.

    Example: gold "tea is hot / milk is cold", output "tea was hot / is milk". "tea" and "hot" are hit by the first
    output line, "is" by the second; of "milk is cold" only "milk" is hit, because the output's one "is" is used up.

    >>> from bonmun.evaluate.corpora import Case
    >>> against(Truth(Case("1", "", ("tea is hot\\nmilk is cold",))), 0, "tea was hot\\nis milk")
    (0.8, 0.666..., 0.727..., 1.0)
    """
    known: dict[str, str] = {}
    gold, given = _lines(truth, truth.golds[number], known), _lines(truth, output, known)
    hits = _hits(gold, given)
    precision, recall = quotients(hits, sum(map(len, given)), sum(map(len, gold)))
    return precision, recall, f_score(precision, recall), 1.0


def _lines(truth: Truth, text: str, known: dict[str, str]) -> list[str]:
    lines = (encoded(tokens(line, truth.by_character), known) for line in text.splitlines())
    return [line for line in lines if line]


def _hits(gold: Sequence[str], given: Sequence[str]) -> int:
    """Return the number of hit words; each word of the output is used once."""
    left = Counter("".join(given))
    lines = list(dict.fromkeys(given))
    whole = set(lines)
    holding: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        for word in set(line):
            holding.setdefault(word, []).append(number)
    hits = 0
    for wanted in gold:
        for position in range(len(wanted)) if wanted in whole else sorted(_union(wanted, lines, holding)):
            word = wanted[position]
            if left[word] > 0:
                left[word] -= 1
                hits += 1
    return hits


def _union(wanted: str, lines: Sequence[str], holding: Mapping[str, Sequence[int]]) -> set[int]:
    """Return the positions of a gold line that are in a longest common subsequence with any line of the output.

    Of many candidate lines, those that share the rarest words are compared, lines that share most words first; the
    loop stops once every word that occurs in the output is hit.
    """
    shared: Counter[int] = Counter()
    for word in sorted(set(wanted), key=lambda word: (len(holding.get(word, ())), word)):
        for number in holding.get(word, ())[:_LINES]:
            if number in shared or len(shared) < _LINES:
                shared[number] += 1
    possible = sum(word in holding for word in wanted)
    positions: set[int] = set()
    for number, _ in shared.most_common():
        if len(positions) == possible:
            break
        for start, stop in matched(wanted, lines[number]):
            positions.update(range(start, stop))
    return positions


METRIC = Metric(
    "rouge",
    "Bevendorff et al. (SIGIR 2023)",
    against,
    (
        Figure("rouge_f1", "ROUGE-LSum F1", share(2, 3)),
        Figure("rouge_precision", "ROUGE-LSum P", share(0, 3)),
        Figure("rouge_recall", "ROUGE-LSum R", share(1, 3)),
    ),
    __name__,
)
