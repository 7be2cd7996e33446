"""Extractive summaries: the most central sentences of a text, in document order.

TextRank (Mihalcea and Tarau, 2004) over the nouns of sentences, biased towards the title and the lead. Deterministic:
the same text gives the same summary.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from operator import attrgetter
from typing import overload

from bonmun.analyze.cues import CLOSERS, DATELINE, SELF_REFERENCE, standalone_score
from bonmun.analyze.sentences import sentences
from bonmun.analyze.source import SourceText, TextSpan
from bonmun.analyze.token import NOUNS, Token
from bonmun.model.block import Kind
from bonmun.model.verdict import Reason

_MOST_SENTENCES = 300  # the similarity matrix is quadratic
_SHORTEST, _LONGEST = 15, 400  # characters
_TOO_LONG = 0.5  # standalone score of a line beyond _LONGEST, which is not examined
_DAMPING, _ROUNDS = 0.85, 30
_TITLE, _LEAD = 2.0, 1.0  # weight of similarity to the title, of the first passages
_DECAY = 0.9  # per sentence of a passage: the first ones state its topic
_FEW_NOUNS = 4  # a one-noun sentence is similar to all that have the noun, and uninformative
_REDUNDANCY = 0.5  # penalty per similarity to a chosen sentence
_DUPLICATE = 0.5  # minimum similarity to a chosen sentence to be a duplicate of it
_RUNNING_TEXT = frozenset((Kind.PARAGRAPH, Kind.QUOTE))
_ENDS = tuple(".!?…。！？।۔؟")
_FOLD = re.compile(r"[\W_]+")

Vector = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """A sentence chosen for a summary; `str` of it is its text.

    >>> SummarySentence("Milk came by ship.", TextSpan(0, 77, 95), 1.0)
    <SummarySentence 1.00 'Milk came by ship.'>
    """

    text: str
    span: TextSpan
    score: float
    """Relative to the best sentence, from 1 down to 0."""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<SummarySentence {self.score:.2f} {self.text[:60]!r}>"


@dataclass(frozen=True, slots=True)
class Summary(Sequence[SummarySentence]):
    """The chosen sentences, in document order; `str` of it is their text."""

    sentences: tuple[SummarySentence, ...]
    language: str
    analyser: str
    """Name and version of the analyser."""
    warnings: tuple[Reason, ...] = ()
    """A missing analyser, a sample in place of the whole text."""

    @property
    def text(self) -> str:
        """The sentences, joined to one line."""
        return ("" if self.language in ("zh", "ja") else " ").join(sentence.text for sentence in self.sentences)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Summary {self.language} {[sentence.text[:60] for sentence in self.sentences]}>"

    def __len__(self) -> int:
        return len(self.sentences)

    @overload
    def __getitem__(self, index: int) -> SummarySentence: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[SummarySentence]: ...
    def __getitem__(self, index: int | slice) -> SummarySentence | Sequence[SummarySentence]:
        return self.sentences[index]

    def __iter__(self) -> Iterator[SummarySentence]:
        return iter(self.sentences)


@dataclass(frozen=True, slots=True)
class _Candidate:
    text: str
    span: TextSpan
    passage: int
    """The index of its passage."""
    position: int
    """Its index among the sentences of the passage."""
    nouns: Counter[str]
    standalone: float


def summary(source: SourceText, most: int = 3) -> Summary:
    """Return a summary of at most `most` sentences.

    >>> from bonmun.analyze.source import of_text
    >>> text = "The weather was fine. Tea came from China long ago. In China tea was a medicine. Milk came by ship."
    >>> summary(of_text(text), 1)
    <Summary en ['In China tea was a medicine.']>
    """
    candidates = _candidates(source)
    idf = _idf(candidates)
    vectors = [_vector(candidate.nouns, idf) for candidate in candidates[:_MOST_SENTENCES]]
    scores = _scores(candidates, vectors, source, idf)
    best = max(scores, default=0.0) or 1.0
    chosen = tuple(
        SummarySentence(candidates[index].text, candidates[index].span, scores[index] / best)
        for index in sorted(_select(scores, vectors, most))
    )
    warnings = source.warnings
    if len(candidates) > _MOST_SENTENCES:
        warnings = (*warnings, Reason("cut", f"only the first {_MOST_SENTENCES} sentences were compared"))
    return Summary(chosen, source.language, source.morphology.analyser, warnings)


def _candidates(source: SourceText) -> list[_Candidate]:
    """Sentences of running text; in a text without any, all lines."""
    title = _FOLD.sub("", source.title.lower())
    lines = [candidate for candidate in _sentences_of(source) if _is_eligible(candidate, title)]
    running = [
        candidate
        for candidate in lines
        if source.passages[candidate.passage].kind in _RUNNING_TEXT
        and _SHORTEST <= len(candidate.text) <= _LONGEST
        and candidate.text.rstrip(CLOSERS).endswith(_ENDS)
    ]
    return running or lines


def _is_eligible(candidate: _Candidate, title: str) -> bool:
    """Whether a sentence neither repeats the title nor is about the article itself."""
    return _FOLD.sub("", candidate.text.lower()) not in title and not SELF_REFERENCE.search(candidate.text)


def _sentences_of(source: SourceText) -> Iterator[_Candidate]:
    """All sentences, without datelines."""
    for index, (passage, tokens) in enumerate(zip(source.passages, source.tokens, strict=True)):
        for position, sentence in enumerate(sentences(passage.text, source.language)):
            dateline = DATELINE.match(sentence.text)
            start, stop = sentence.start + (dateline.end() if dateline else 0), sentence.stop
            text = passage.text[start:stop]
            inside = _within(tokens, start, stop)
            examined = 0 < len(text) <= _LONGEST
            standalone = standalone_score(text, inside, source.language, start) if examined else _TOO_LONG
            yield _Candidate(text, passage.span(start, stop), index, position, _nouns(inside, source), standalone)


def _within(tokens: Sequence[Token], start: int, stop: int) -> Sequence[Token]:
    """The tokens that start in a range of offsets."""
    first = bisect_left(tokens, start, key=attrgetter("start"))
    return tokens[first : bisect_left(tokens, stop, first, key=attrgetter("start"))]


def _nouns(tokens: Iterable[Token], source: SourceText) -> Counter[str]:
    """Nouns except stop words; compounds by their parts, since a title has `銀行社長解任`, the text `社長を解任`."""
    return Counter(token.lemma for token in tokens if token.pos in NOUNS and not source.morphology.is_stop_word(token))


def _idf(candidates: Sequence[_Candidate]) -> dict[str, float]:
    sentences_with = Counter(noun for candidate in candidates for noun in candidate.nouns)
    return {noun: log(1 + len(candidates) / count) for noun, count in sentences_with.items()}


def _vector(nouns: Counter[str], idf: Mapping[str, float]) -> Vector:
    """The unit vector of tf·idf weights."""
    weights = {noun: (1 + log(count)) * idf[noun] for noun, count in nouns.items() if noun in idf}
    length = sqrt(sum(weight * weight for weight in weights.values()))
    return {noun: weight / length for noun, weight in weights.items()} if length else {}


def _similarity(one: Vector, two: Vector) -> float:
    """The cosine of two unit vectors."""
    if len(two) < len(one):
        one, two = two, one
    return sum(weight * two[noun] for noun, weight in one.items() if noun in two)


def _scores(
    candidates: Sequence[_Candidate], vectors: Sequence[Vector], source: SourceText, idf: Mapping[str, float]
) -> list[float]:
    title = _vector(_nouns(source.title_tokens, source), idf)
    passages = dict.fromkeys(candidate.passage for candidate in candidates)
    order = {passage: index for index, passage in enumerate(passages)}
    return [
        rank
        * (1 + _TITLE * _similarity(vector, title))
        * (1 + _LEAD / (1 + order[candidate.passage]))
        * _DECAY ** min(candidate.position, 3)
        * min(1.0, len(vector) / _FEW_NOUNS)
        * candidate.standalone
        for rank, vector, candidate in zip(_textrank(vectors), vectors, candidates, strict=False)
    ]


def _textrank(vectors: Sequence[Vector]) -> list[float]:
    count = len(vectors)
    matrix = [[0.0] * count for _ in range(count)]
    for one in range(count):
        for two in range(one):
            matrix[one][two] = matrix[two][one] = _similarity(vectors[one], vectors[two])
    totals = [sum(row) or 1.0 for row in matrix]
    ranks = [1.0] * count
    for _ in range(_ROUNDS):
        shares = [rank / total for rank, total in zip(ranks, totals, strict=True)]
        ranks = [
            (1 - _DAMPING) + _DAMPING * sum(share * weight for share, weight in zip(shares, row, strict=True))
            for row in matrix
        ]
    return ranks


def _select(scores: Sequence[float], vectors: Sequence[Vector], most: int) -> list[int]:
    """Greedy selection, a form of maximal marginal relevance; ties go to the earlier sentence."""
    chosen: list[int] = []
    redundancy = [0.0] * len(scores)  # highest similarity to a chosen sentence
    while len(chosen) < most:
        left = [index for index in range(len(scores)) if index not in chosen and redundancy[index] < _DUPLICATE]
        if not left:
            break
        best = max(left, key=lambda index: scores[index] * (1 - _REDUNDANCY * redundancy[index]))
        chosen.append(best)
        redundancy = [
            max(highest, _similarity(vectors[best], vector))
            for highest, vector in zip(redundancy, vectors, strict=True)
        ]
    return chosen
