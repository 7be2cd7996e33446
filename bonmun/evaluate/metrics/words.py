"""Precision and recall over bags of words."""

from collections import Counter

from bonmun.evaluate.metrics.metric import Figure, Metric, Values, f_score, quotients, share
from bonmun.evaluate.truth import Truth


def against(truth: Truth, number: int, output: str) -> Values:
    """Return precision, recall and F1 over the bags of lower-cased words of output and gold, and 1 for the page.

    Source: WCXB, the Web Content Extraction Benchmark (Murrough Foley, 2026). The mean is over pages. Languages
    without spaces are compared by characters.

    Example: output "tea tea milk", gold "tea and milk": two words in common, tea counted once.

    >>> from bonmun.evaluate.corpora import Case
    >>> against(Truth(Case("1", "", ("Tea and milk",))), 0, "tea tea milk")
    (0.666..., 0.666..., 0.666..., 1.0)
    """
    given, gold = Counter(truth.words(output)), Counter(truth.words(truth.golds[number]))
    precision, recall = quotients((given & gold).total(), given.total(), gold.total())
    return precision, recall, f_score(precision, recall), 1.0


METRIC = Metric(
    "words",
    "WCXB (Foley 2026)",
    against,
    (
        Figure("word_f1", "word F1", share(2, 3)),
        Figure("word_precision", "word P", share(0, 3)),
        Figure("word_recall", "word R", share(1, 3)),
    ),
    __name__,
)
