"""The keyword list of M3: nouns with their frequency in the page, and the weight of each block by its nouns.

Shared by `logical` and `logical_robust`.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bonmun.analyze.languages import language_of
from bonmun.analyze.morphology import Morphology, morphology
from bonmun.deadline import check
from bonmun.model.page import Page
from bonmun.model.verdict import Reason

_OVERHEAD = 16  # the cost of a block beside its characters, in characters
_LARGEST_SHARE = 4
"""A block of a long page gets at most one share in so many of the budget."""


@dataclass(frozen=True, slots=True)
class KeywordList:
    """The nouns of a page's blocks."""

    language: str
    analyser: str
    nouns: tuple[Counter[str], ...]
    """For each block, the count of each noun in it."""
    frequency: Counter[str]
    """Occurrences in all blocks; only nouns that occur more than once."""
    warnings: tuple[Reason, ...] = ()

    @property
    def weights(self) -> list[int]:
        """The weight of each block."""
        return [weight(nouns, self.frequency) for nouns in self.nouns]


def keyword_list(texts: Sequence[str], declared: str | None = None) -> KeywordList:
    """Analyse the blocks of a page.

    >>> listed = keyword_list(["Tea and more tea.", "Tea with milk."])
    >>> dict(listed.frequency), listed.weights
    ({'tea': 3}, [6, 3])
    """
    language = language_of(_sample(texts), declared)
    morphemes = morphology(language)
    none = Counter[str]()
    warnings, sizes = morphemes.warnings, _analysed(texts, morphemes.budget)
    nouns = [_counted(morphemes, text[:size]) if size else none for text, size in zip(texts, sizes, strict=True)]
    if any(size < len(text) for text, size in zip(texts, sizes, strict=True)):
        warning = f"keywords come from {sum(sizes):,} characters of the longest blocks of {sum(map(len, texts)):,}"
        warnings = (*warnings, Reason("cut", warning))
    return KeywordList(language, morphemes.analyser, tuple(nouns), recurring(nouns), warnings)


def _counted(morphemes: Morphology, text: str) -> Counter[str]:
    """The nouns of a block."""
    check()
    return Counter(noun.lemma for noun in morphemes.nouns(text))


def _analysed(texts: Sequence[str], budget: int) -> list[int]:
    """How many characters of each text are analysed: all, or on a long page the beginnings of the longest texts."""
    sizes = [len(text) for text in texts]
    if sum(sizes) + _OVERHEAD * len(sizes) <= budget:
        return sizes
    chosen, largest = [0] * len(sizes), budget // _LARGEST_SHARE
    for index in sorted(range(len(sizes)), key=lambda index: -sizes[index]):
        chosen[index] = min(sizes[index], largest, budget - _OVERHEAD)
        budget -= chosen[index] + _OVERHEAD
        if budget <= _OVERHEAD:
            break
    return chosen


def recurring(nouns: Iterable[Counter[str]]) -> Counter[str]:
    """The frequency of each noun in a page, without those that occur once."""
    total = Counter[str]()
    for block in filter(None, nouns):
        total.update(block)
    return Counter({noun: count for noun, count in total.items() if count > 1})


def weight(nouns: Counter[str], frequency: Counter[str]) -> int:
    """A block's weight: the sum over its nouns of count in the block × frequency in the page.

    >>> weight(Counter(tea=2, cup=1), Counter(tea=5))
    10
    """
    return sum(count * frequency[noun] for noun, count in nouns.items()) if nouns else 0


def declared_language(page: Page) -> str | None:
    """The language declared by the page's root element."""
    return page.nodes.attr(0, "lang") if len(page.nodes) else None


def _sample(texts: Sequence[str]) -> str:
    """The longest texts: the content rather than the menus, which may be in another language."""
    return " ".join(text[:1_000] for text in sorted(texts, key=len, reverse=True)[:20])
