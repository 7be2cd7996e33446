"""Extractive summaries: the sentences that the rest of a text speaks of most, in the order of the text.

TextRank (Mihalcea and Tarau, 2004) over the nouns of sentences, with a lean towards the title and the lead. No chance
is involved: the same text gives the same summary.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from operator import attrgetter
from typing import overload

from bonmun.analyze.cues import CLOSERS, DATELINE, OF_ITSELF, stands_alone
from bonmun.analyze.sentences import sentences
from bonmun.analyze.source import SourceText, TextSpan
from bonmun.analyze.token import NOUNS, Token
from bonmun.model.block import Kind
from bonmun.model.verdict import Reason

_MOST_SENTENCES = 300  # every pair of them is compared
_SHORTEST, _LONGEST = 15, 400
_UNREAD = 0.5  # how well a line that is too long for a sentence stands alone
_DAMPING, _ROUNDS = 0.85, 30
_TITLE, _LEAD = 2.0, 1.0
_LATER = 0.9  # what a paragraph is about, its first sentences say
_FEW_NOUNS = 4  # a sentence of one noun is like all that have it, and says little of it
_REPEATED = 0.5  # how much less a sentence counts for what was said
_SAME = 0.5  # likeness from which on two sentences say the same
_RUNNING_TEXT = frozenset((Kind.PARAGRAPH, Kind.QUOTE))
_ENDS = tuple(".!?…。！？।۔؟")
_FOLD = re.compile(r"[\W_]+")

Vector = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """A sentence of the text that was chosen."""

    text: str
    span: TextSpan
    score: float
    """From 1, the best, towards 0."""


@dataclass(frozen=True, slots=True)
class Summary(Sequence[SummarySentence]):
    """The chosen sentences in the order of the text."""

    chosen: tuple[SummarySentence, ...]
    language: str
    analyser: str
    warnings: tuple[Reason, ...] = ()

    @property
    def text(self) -> str:
        """The sentences in one line."""
        return ("" if self.language in ("zh", "ja") else " ").join(sentence.text for sentence in self.chosen)

    def __str__(self) -> str:
        return self.text

    def __len__(self) -> int:
        return len(self.chosen)

    @overload
    def __getitem__(self, index: int) -> SummarySentence: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[SummarySentence]: ...
    def __getitem__(self, index: int | slice) -> SummarySentence | Sequence[SummarySentence]:
        return self.chosen[index]

    def __iter__(self) -> Iterator[SummarySentence]:
        return iter(self.chosen)


@dataclass(frozen=True, slots=True)
class _Candidate:
    text: str
    span: TextSpan
    passage: int
    place: int
    """Which sentence of its passage it is."""
    nouns: Counter[str]
    alone: float
    """How well it is understood by itself."""


def summary(source: SourceText, most: int = 3) -> Summary:
    """The `most` sentences that say most of what a source says; fewer where it has no more.

    >>> from bonmun.analyze.source import of_text
    >>> text = "The weather was fine. Tea came from China long ago. In China tea was a medicine. Milk came by ship."
    >>> summary(of_text(text), 1).text
    'In China tea was a medicine.'
    """
    candidates = _candidates(source)
    idf = _idf(candidates)
    vectors = [_vector(candidate.nouns, idf) for candidate in candidates[:_MOST_SENTENCES]]
    scores = _scores(candidates, vectors, source, idf)
    best = max(scores, default=0.0) or 1.0
    chosen = sorted(_choice(scores, vectors, most))
    found = tuple(SummarySentence(candidates[at].text, candidates[at].span, scores[at] / best) for at in chosen)
    warnings = source.warnings
    if len(candidates) > _MOST_SENTENCES:
        warnings = (*warnings, Reason("cut", f"only the first {_MOST_SENTENCES} sentences were compared"))
    return Summary(found, source.language, source.morphology.analyser, warnings)


def _candidates(source: SourceText) -> list[_Candidate]:
    """Sentences of running text; where there are none, whatever lines there are."""
    title = _FOLD.sub("", source.title.lower())
    found = [candidate for candidate in _sentences_of(source) if _says_itself(candidate, title)]
    whole = [
        candidate
        for candidate in found
        if source.passages[candidate.passage].kind in _RUNNING_TEXT
        and _SHORTEST <= len(candidate.text) <= _LONGEST
        and candidate.text.rstrip(CLOSERS).endswith(_ENDS)
    ]
    return whole or found


def _says_itself(candidate: _Candidate, title: str) -> bool:
    """Whether a sentence is more than a piece of the title, and speaks of the matter rather than of the article."""
    return _FOLD.sub("", candidate.text.lower()) not in title and not OF_ITSELF.search(candidate.text)


def _sentences_of(source: SourceText) -> Iterator[_Candidate]:
    for at, (passage, tokens) in enumerate(zip(source.passages, source.tokens, strict=True)):
        for place, sentence in enumerate(sentences(passage.text, source.language)):
            dateline = DATELINE.match(sentence.text)
            start = sentence.start + (dateline.end() if dateline else 0)
            text = passage.text[start : sentence.stop]
            inside = _within(tokens, start, sentence.stop)
            alone = stands_alone(text, inside, source.language, start) if 0 < len(text) <= _LONGEST else _UNREAD
            yield _Candidate(text, passage.span(start, sentence.stop), at, place, _nouns(inside, source), alone)


def _within(tokens: Sequence[Token], start: int, stop: int) -> Sequence[Token]:
    """Those that start between two places."""
    first = bisect_left(tokens, start, key=attrgetter("start"))
    return tokens[first : bisect_left(tokens, stop, first, key=attrgetter("start"))]


def _nouns(tokens: Iterable[Token], source: SourceText) -> Counter[str]:
    """Telling nouns, those of a compound each for itself: a title has `銀行社長解任`, the text `社長を解任`."""
    return Counter(token.lemma for token in tokens if token.pos in NOUNS and not source.morphology.says_little(token))


def _idf(candidates: Sequence[_Candidate]) -> dict[str, float]:
    sentences_with = Counter(noun for candidate in candidates for noun in candidate.nouns)
    return {noun: log(1 + len(candidates) / count) for noun, count in sentences_with.items()}


def _vector(nouns: Counter[str], idf: Mapping[str, float]) -> Vector:
    """Nouns by tf·idf, of length one."""
    weights = {noun: (1 + log(count)) * idf[noun] for noun, count in nouns.items() if noun in idf}
    length = sqrt(sum(weight * weight for weight in weights.values()))
    return {noun: weight / length for noun, weight in weights.items()} if length else {}


def _likeness(one: Vector, two: Vector) -> float:
    if len(two) < len(one):
        one, two = two, one
    return sum(weight * two[noun] for noun, weight in one.items() if noun in two)


def _scores(
    candidates: Sequence[_Candidate], vectors: Sequence[Vector], source: SourceText, idf: Mapping[str, float]
) -> list[float]:
    title = _vector(_nouns(source.title_tokens, source), idf)
    place = {passage: at for at, passage in enumerate(dict.fromkeys(candidate.passage for candidate in candidates))}
    return [
        rank
        * (1 + _TITLE * _likeness(vector, title))
        * (1 + _LEAD / (1 + place[candidate.passage]))
        * _LATER ** min(candidate.place, 3)
        * min(1.0, len(vector) / _FEW_NOUNS)
        * candidate.alone
        for rank, vector, candidate in zip(_textrank(vectors), vectors, candidates, strict=False)
    ]


def _textrank(vectors: Sequence[Vector]) -> list[float]:
    count = len(vectors)
    likeness = [[0.0] * count for _ in range(count)]
    for one in range(count):
        for two in range(one):
            likeness[one][two] = likeness[two][one] = _likeness(vectors[one], vectors[two])
    given = [sum(row) or 1.0 for row in likeness]
    ranks = [1.0] * count
    for _ in range(_ROUNDS):
        shares = [rank / total for rank, total in zip(ranks, given, strict=True)]
        ranks = [
            (1 - _DAMPING) + _DAMPING * sum(share * like for share, like in zip(shares, row, strict=True))
            for row in likeness
        ]
    return ranks


def _choice(scores: Sequence[float], vectors: Sequence[Vector], most: int) -> list[int]:
    """The best sentences, each weighed by what it has that those chosen have not; the earlier of equals."""
    chosen: list[int] = []
    said = [0.0] * len(scores)
    while len(chosen) < most:
        left = [at for at in range(len(scores)) if at not in chosen and said[at] < _SAME]
        if not left:
            break
        best = max(left, key=lambda at: scores[at] * (1 - _REPEATED * said[at]))
        chosen.append(best)
        said = [max(before, _likeness(vectors[best], vector)) for before, vector in zip(said, vectors, strict=True)]
    return chosen
