"""Metrics of output quality, by name."""

from bonmun.errors import UnknownName
from bonmun.evaluate.metrics import blocks, characters, rouge, shingles, snippets, words
from bonmun.evaluate.metrics.metric import Figure, Metric, Values

__all__ = ["METRICS", "Figure", "Metric", "Values", "metric"]

METRICS = {
    metric.name: metric
    for metric in (
        words.METRIC,
        characters.LCS,
        blocks.NODES,
        blocks.BLOCKS,
        characters.RECOGNITION,
        characters.RIGHT_PAGES,
        shingles.METRIC,
        snippets.METRIC,
        rouge.METRIC,
    )
}


def metric(name: str) -> Metric:
    """Return the metric of that name.

    >>> metric("words").figures[0].label
    'word F1'
    """
    if name not in METRICS:
        raise UnknownName("metric", name, METRICS)
    return METRICS[name]
