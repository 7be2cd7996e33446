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
    """Learned weights of the hash buckets, for two linear scores, as 32-bit floats."""

    terms: "memoryview[float]"
    """One for each of `hashing.BUCKETS`."""
    names: "memoryview[float]"
    """Three times as many, by ancestor distance: near, middle, far."""


@dataclass(frozen=True)
class Buckets:
    """The hash buckets of a page's words, by block."""

    terms: list[list[int]]
    names: list[list[int]]
    heading: list[int]
    """For each block the index of its heading."""


def measure_page(page: Page) -> tuple[FeatureTable, Buckets]:
    """Measure all features that need no learned weights, and the hash buckets that need them."""
    m = MeasuredPage(page)
    words, named = [terms(text) for text in m.blocks.text], names(m.nodes)
    under, heading = sections(m)
    table = {
        **wording(m),
        **repetition(m, words),
        **kinds(m),
        **places(m),
        **neighbours(m),
        **under,
        **containers(m),
        **groups(m),
        **naming(m, named),
        **whole(m),
    }
    term = [term_buckets(of_block) for of_block in words]
    return table, Buckets(term, [name_buckets(m.nodes, named, first) for first in m.blocks.first], heading)


def word_scores(words: Buckets, weights: WordWeights) -> FeatureTable:
    """The linear scores of the words of each block, of its heading and of its neighbours."""
    return spread_scores(
        [_score(buckets, weights.terms) for buckets in words.terms],
        [_score(buckets, weights.names) for buckets in words.names],
        words.heading,
    )


def spread_scores(term: Sequence[float], name: Sequence[float], heading: Sequence[int]) -> FeatureTable:
    """The scores of each block, of its heading and of its neighbours, as columns."""
    return {
        "term_score": list(term),
        "name_score": list(name),
        "heading_term_score": [term[index] for index in heading],
        "heading_name_score": [name[index] for index in heading],
        "term_score-1": [0.0, *term[:-1]][: len(term)],
        "term_score+1": [*term[1:], 0.0][: len(term)],
    }


def features(page: Page, weights: WordWeights) -> FeatureTable:
    """The whole table of a page."""
    table, words = measure_page(page)
    return {**table, **word_scores(words, weights)}


def _score(buckets: Sequence[int], weights: "memoryview[float]") -> float:
    return sum(weights[bucket] for bucket in buckets) / sqrt(len(buckets)) if buckets else 0.0
