"""Documents in order: for a query by BM25, or by likeness to another text. In memory; a store has its own search."""

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
    """A document's place in the order."""

    index: int
    """Its place among the texts that were given."""
    score: float


class Index:
    """Texts by their terms; also the background that keywords can be weighed against.

    >>> index = Index(["Tea is made of leaves.", "Coffee is made of beans.", "The sea was calm."])
    >>> [ranked.index for ranked in index.search("tea leaves")]
    [0]
    >>> [ranked.index for ranked in index.similar("Leaves make tea, beans make coffee, and both are made.")][:2]
    [0, 1]
    """

    def __init__(self, texts: Iterable[str], language: str | None = None) -> None:
        self._language = language
        self._counts = [self._terms(text) for text in texts]
        self._with = Counter(term for counts in self._counts for term in counts)
        self._mean = sum(counts.total() for counts in self._counts) / (len(self._counts) or 1) or 1.0

    @property
    def documents(self) -> int:
        """How many texts there are."""
        return len(self._counts)

    def frequency(self, term: str) -> int:
        """In how many texts a term occurs, by lemma."""
        return self._with[term]

    def search(self, query: str, most: int = 10) -> list[Ranked]:
        """The texts that a query finds, the best first (BM25)."""
        terms = self._terms(query)
        scores = [sum(self._weight(term, counts) for term in terms) for counts in self._counts]
        return _ranked(scores, most)

    def similar(self, text: str, most: int = 10) -> list[Ranked]:
        """The texts that have most in common with another (cosine of tf·idf)."""
        wanted = self._vector(self._terms(text))
        return _ranked([_dot(wanted, self._vector(counts)) for counts in self._counts], most)

    def _terms(self, text: str) -> Counter[str]:
        """Content words, and for compound nouns these as well as their parts: `독서율` is found by `독서`."""
        analyser = morphology(self._language or language_of(text))
        tokens = analyser.tokens(text)
        terms = Counter(token.lemma for token in tokens if token.pos in _CONTENT)
        terms.update(noun.lemma for noun in analyser.nouns_of(tokens) if noun.parts > 1)
        return terms

    def _idf(self, term: str) -> float:
        found = self._with[term]
        return log(1 + (len(self._counts) - found + 0.5) / (found + 0.5))

    def _weight(self, term: str, counts: Counter[str]) -> float:
        count = counts[term]
        if not count:
            return 0.0
        return self._idf(term) * count * (_K1 + 1) / (count + _K1 * (1 - _B + _B * counts.total() / self._mean))

    def _vector(self, counts: Counter[str]) -> dict[str, float]:
        weights = {term: (1 + log(count)) * self._idf(term) for term, count in counts.items() if term in self._with}
        length = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        return {term: weight / length for term, weight in weights.items()}


def _dot(one: dict[str, float], two: dict[str, float]) -> float:
    return sum(weight * two[term] for term, weight in one.items() if term in two)


def _ranked(scores: Sequence[float], most: int) -> list[Ranked]:
    """Those that score at all, the best first, the earlier of equals."""
    order = sorted((at for at, score in enumerate(scores) if score > 0), key=lambda at: -scores[at])
    return [Ranked(at, scores[at]) for at in order[:most]]
