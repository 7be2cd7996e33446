"""In-memory ranking of documents: by BM25 for a query, by cosine similarity to a text."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt

from bonmun.analyze.languages import language_of
from bonmun.analyze.morphology import morphology
from bonmun.analyze.token import Pos

_K1, _B = 1.5, 0.75
_CONTENT = frozenset((Pos.NOUN, Pos.NAME, Pos.LATIN, Pos.VERB, Pos.ADJECTIVE, Pos.NUMBER))


@dataclass(frozen=True, slots=True)
class Ranked:
    """A document and its score."""

    index: int
    """The index in the given texts."""
    score: float


class Index:
    """An in-memory index of texts by term; also a `Background` for keywords.

    >>> index = Index(["Tea is made of leaves.", "Coffee is made of beans.", "The sea was calm."])
    >>> [ranked.index for ranked in index.search("tea leaves")]
    [0]
    >>> [ranked.index for ranked in index.similar("Leaves make tea, beans make coffee, and both are made.")][:2]
    [0, 1]
    """

    def __init__(self, texts: Iterable[str], language: str | None = None) -> None:
        self._language = language
        self._counts = [self._terms(text) for text in texts]
        self._frequencies = Counter(term for counts in self._counts for term in counts)
        self._mean_length = sum(counts.total() for counts in self._counts) / (len(self._counts) or 1) or 1.0

    @property
    def documents(self) -> int:
        """The number of texts."""
        return len(self._counts)

    def frequency(self, term: str) -> int:
        """The number of texts with a term, given as lemma."""
        return self._frequencies[term]

    def search(self, query: str, most: int = 10) -> list[Ranked]:
        """Return the texts that match a query, best first (BM25)."""
        terms = self._terms(query)
        scores = [sum(self._weight(term, counts) for term in terms) for counts in self._counts]
        return _ranked(scores, most)

    def similar(self, text: str, most: int = 10) -> list[Ranked]:
        """Return the texts most similar to another (cosine of tf·idf vectors)."""
        vector = self._vector(self._terms(text))
        return _ranked([_dot(vector, self._vector(counts)) for counts in self._counts], most)

    def _terms(self, text: str) -> Counter[str]:
        """Content words; compound nouns count themselves and their parts, so that `독서` finds `독서율`."""
        analyser = morphology(self._language or language_of(text))
        tokens = analyser.tokens(text)
        terms = Counter(token.lemma for token in tokens if token.pos in _CONTENT)
        terms.update(noun.lemma for noun in analyser.nouns_of(tokens) if noun.parts > 1)
        return terms

    def _idf(self, term: str) -> float:
        frequency = self._frequencies[term]
        return log(1 + (len(self._counts) - frequency + 0.5) / (frequency + 0.5))

    def _weight(self, term: str, counts: Counter[str]) -> float:
        """BM25's weight of a term in a text."""
        count = counts[term]
        if not count:
            return 0.0
        norm = 1 - _B + _B * counts.total() / self._mean_length
        return self._idf(term) * count * (_K1 + 1) / (count + _K1 * norm)

    def _vector(self, counts: Counter[str]) -> dict[str, float]:
        known = {term: count for term, count in counts.items() if term in self._frequencies}
        weights = {term: (1 + log(count)) * self._idf(term) for term, count in known.items()}
        length = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        return {term: weight / length for term, weight in weights.items()}


def _dot(one: dict[str, float], two: dict[str, float]) -> float:
    return sum(weight * two[term] for term, weight in one.items() if term in two)


def _ranked(scores: Sequence[float], most: int) -> list[Ranked]:
    """Texts with a positive score, best first; ties keep the given order."""
    order = sorted((index for index, score in enumerate(scores) if score > 0), key=lambda index: -scores[index])
    return [Ranked(index, scores[index]) for index in order[:most]]
