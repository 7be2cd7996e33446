"""Snippets that an output must contain, and snippets that it must not."""

from bonmun.evaluate.metrics.metric import Figure, Metric, Values, share
from bonmun.evaluate.truth import Truth


def against(truth: Truth, _: int, output: str) -> Values:
    """Return the shares of wanted snippets present and of unwanted snippets absent, each with 1 if there are any.

    Source: WCXB's `with` and `without` lists, an idea of trafilatura's evaluation. A snippet is present when its words
    are consecutive words of the output; punctuation is ignored. The mean is over pages.

    >>> from bonmun.evaluate.corpora import Case
    >>> page = Case("1", "", ("",), present=("Tea is hot", "Milk"), absent=("Log in",))
    >>> against(Truth(page), 0, "the tea: is hot")
    (0.5, 1.0, 1.0, 1.0)
    """
    words = f" {' '.join(truth.words(output))} "
    case = truth.case
    present = [f" {' '.join(truth.words(snippet))} " in words for snippet in case.present]
    absent = [f" {' '.join(truth.words(snippet))} " not in words for snippet in case.absent]
    return *_share(present), *_share(absent)


def _share(hits: list[bool]) -> tuple[float, float]:
    return (sum(hits) / len(hits), 1.0) if hits else (0.0, 0.0)


METRIC = Metric(
    "snippets",
    "WCXB (Foley 2026)",
    against,
    (Figure("with", "with", share(0, 1)), Figure("without", "without", share(2, 3))),
    __name__,
)
