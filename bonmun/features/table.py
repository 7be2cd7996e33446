"""The feature table: one column per feature, one entry per block. `_core` has a twin that gives the same numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from bonmun.features.element_names import name_buckets, names, naming
from bonmun.features.hashing import term_buckets, terms
from bonmun.features.measured_page import MeasuredPage
from bonmun.features.place import kinds, neighbours, places, sections
from bonmun.features.surroundings import containers, groups
from bonmun.features.whole import whole
from bonmun.features.wording import repetition, wording
from bonmun.model.page import Page

FeatureTable = dict[str, list[float]]


@dataclass(frozen=True)
class WordWeights:
    """What each bucket of words speaks for or against: learned weights of two linear scores, as 32-bit floats."""

    terms: "memoryview[float]"
    """One for each of `hashing.BUCKETS`."""
    names: "memoryview[float]"
    """Three times as many: of elements near the block, further up and far."""


@dataclass(frozen=True)
class Buckets:
    """The words of one page, by block, as the linear scores see them."""

    terms: list[list[int]]
    names: list[list[int]]
    heading: list[int]
    """For each block the block that heads it."""


def measure_page(page: Page) -> tuple[FeatureTable, Buckets]:
    """All features that need no learned weights, and the words that the weights are for."""
    m = MeasuredPage(page)
    found, named = [terms(text) for text in m.blocks.text], names(m.nodes)
    under, heading = sections(m)
    table = {
        **wording(m),
        **repetition(m, found),
        **kinds(m),
        **places(m),
        **neighbours(m),
        **under,
        **containers(m),
        **groups(m),
        **naming(m, named),
        **whole(m),
    }
    words = [term_buckets(mine) for mine in found]
    return table, Buckets(words, [name_buckets(m.nodes, named, first) for first in m.blocks.first], heading)


def word_scores(words: Buckets, weights: WordWeights) -> FeatureTable:
    """What the words of each block, of its heading and of its neighbours speak for."""
    return spread_scores(
        [_score(mine, weights.terms) for mine in words.terms],
        [_score(mine, weights.names) for mine in words.names],
        words.heading,
    )


def spread_scores(term: Sequence[float], name: Sequence[float], heading: Sequence[int]) -> FeatureTable:
    """The two scores of each block, of its heading and of its neighbours, as features."""
    return {
        "term_score": list(term),
        "name_score": list(name),
        "heading_term_score": [term[at] for at in heading],
        "heading_name_score": [name[at] for at in heading],
        "term_score-1": [0.0, *term[:-1]][: len(term)],
        "term_score+1": [*term[1:], 0.0][: len(term)],
    }


def features(page: Page, weights: WordWeights) -> FeatureTable:
    """The whole table of a page."""
    table, words = measure_page(page)
    return {**table, **word_scores(words, weights)}


def _score(words: Sequence[int], weights: "memoryview[float]") -> float:
    return sum(weights[word] for word in words) / sqrt(len(words)) if words else 0.0
