"""Precision and recall over text nodes and blocks.

Outputs and golds are texts; both are aligned with the page's own text (`alignment.covered`), so that every system is
measured on the same units, however it breaks lines.
"""

from dataclasses import replace

from bonmun.evaluate.alignment import covered
from bonmun.evaluate.metrics.metric import Figure, Metric, Values, f_score, page_means, page_values, quotients, share
from bonmun.evaluate.truth import Truth


def nodes(truth: Truth, number: int, output: str) -> Values:
    """Return P, R, F1 and F0.5 over visible text nodes, and 1 for the page.

    Source: seed paper 003 (visual features and TabNet), Block columns of its table 2: P = hits / |output blocks|,
    R = hits / |gold blocks|, the mean over pages.

    Example: two of three text nodes are gold; the output has one of them and the third.

    >>> from bonmun.evaluate.corpora import Case
    >>> page = "<p>the tea is hot</p><p>the milk is cold</p><p>all rights reserved</p>"
    >>> truth = Truth(Case("1", page, ("the tea is hot the milk is cold",)))
    >>> nodes(truth, 0, "the tea is hot all rights reserved")
    (0.5, 0.5, 0.5, 0.5, 1.0)
    """
    hits, given, gold = _counts(truth.nodes, truth.gold_nodes[number], truth.encoded(output))
    if not truth.nodes:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    return page_values(*quotients(hits, given, gold))


def blocks(truth: Truth, number: int, output: str) -> Values:
    """Return the number of blocks in output and gold, in the output, and in the gold.

    Source: seed paper 002 (logical structure), table 4: R = |C ∩ D| / |C|, P = |C ∩ D| / |D| over all pages together,
    C = gold blocks, D = extracted blocks, the body class only.

    >>> from bonmun.evaluate.corpora import Case
    >>> page = "<p>the <b>tea</b> is hot</p><p>the milk is cold</p><p>all rights reserved</p>"
    >>> blocks(Truth(Case("1", page, ("the tea is hot the milk is cold",))), 0, "the tea is hot")
    (1.0, 1.0, 2.0)
    """
    return _counts(truth.blocks, truth.gold_blocks[number], truth.encoded(output))


def _counts(units: tuple[str, ...], gold: list[bool], output: str) -> tuple[float, float, float]:
    given = covered(units, output)
    hits = sum(has and should for has, should in zip(given, gold, strict=True))
    return float(hits), float(sum(given)), float(sum(gold))


NODES = Metric(
    "nodes",
    "seed paper 003, table 2",
    nodes,
    page_means("node", "node"),
    __name__,
)
VISIBLE_NODES = replace(NODES, name="visible-nodes")
"""The same for pages with a layout, which says what is visible; stored apart from those without."""
BLOCKS = Metric(
    "blocks",
    "seed paper 002, table 4",
    blocks,
    (
        Figure("block_f1", "block F1", lambda sums: f_score(*quotients(*sums))),
        Figure("block_precision", "block P", share(0, 1)),
        Figure("block_recall", "block R", share(0, 2)),
    ),
    __name__,
)
