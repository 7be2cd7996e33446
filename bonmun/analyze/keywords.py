"""Keywords and key phrases, scored by frequency, spread over the text and occurrence in the title."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice
from math import log
from typing import Protocol, overload

from bonmun.analyze.source import SourceText, TextSpan
from bonmun.analyze.token import Noun, Pos
from bonmun.model.verdict import Reason

_IN_TITLE = 2.0  # factor
_LONGEST_PHRASE, _LONGEST_TEXT = 4, 24  # nouns, characters
_PARTICLE_END = frozenset("吧呢吗啊了的呀嘛")  # jieba sometimes tags them as the end of a noun
_LEAST_PHRASE = 2  # occurrences
_MOSTLY, _NEARLY_ALWAYS = 0.6, 0.8  # shares of a word's occurrences in a phrase: keep the phrase; drop the word
_ONE_SYLLABLE = 0.5  # factor
_SHORTEST_NAME = 3  # characters
_LONGEST_NOUN = 64  # characters; longer ones are no words
_CONTENT_CHARACTER = re.compile(
    r"(?![的了在是和与對对把被从從向为為等及或而但就都也很最更不没有这那哪个位名本将由以其之上中下前后里让使给到说])[\u4e00-\u9fff]"
)
"""A Chinese character other than the common function words."""
_FOLD = re.compile(r"[\W_]+")


class Background(Protocol):
    """Document frequencies of a reference collection, for tf·idf weights; `ranking.Index` is one."""

    @property
    def documents(self) -> int:
        """The number of documents."""

    def frequency(self, term: str) -> int:
        """The number of documents with the term."""


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword or key phrase of a text; `str` of it is its text.

    >>> Keyword("tea", 0.5, 2, (TextSpan(0, 4, 7), TextSpan(1, 0, 3)))
    <Keyword 'tea' 0.50 in 2 places>
    """

    text: str
    score: float
    """Relative to the first keyword, from 1 down to 0."""
    count: int
    """The number of occurrences."""
    spans: tuple[TextSpan, ...]
    """The occurrences, in document order."""
    lemma: str = ""
    """The normalized form; occurrences are grouped by it."""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Keyword {self.text!r} {self.score:.2f} in {self.count} {'place' if self.count == 1 else 'places'}>"


@dataclass(frozen=True, slots=True)
class Keywords(Sequence[Keyword]):
    """The keywords of a text, best first, with the language and the analyser they come from.

    >>> from bonmun.analyze.source import of_text
    >>> keywords(of_text("Tea with milk, tea with lemon."))
    <Keywords en ['Tea', 'milk', 'lemon']>
    """

    keywords: tuple[Keyword, ...]
    language: str
    analyser: str
    """Name and version of the analyser."""
    warnings: tuple[Reason, ...] = ()
    """A missing analyser, a sample in place of the whole text."""

    def __repr__(self) -> str:
        return f"<Keywords {self.language} {[keyword.text for keyword in self.keywords]}>"

    def __len__(self) -> int:
        return len(self.keywords)

    @overload
    def __getitem__(self, index: int) -> Keyword: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Keyword]: ...
    def __getitem__(self, index: int | slice) -> Keyword | Sequence[Keyword]:
        return self.keywords[index]

    def __iter__(self) -> Iterator[Keyword]:
        return iter(self.keywords)


@dataclass(slots=True)
class _Term:
    """A candidate keyword with its occurrences."""

    parts: tuple[str, ...]
    """The lemmas of its nouns."""
    spans: list[TextSpan] = field(default_factory=list)
    passages: set[int] = field(default_factory=set)
    texts: Counter[str] = field(default_factory=Counter)
    before: list[str] = field(default_factory=list)
    """The character before each occurrence."""

    @property
    def count(self) -> int:
        return len(self.spans)

    @property
    def text(self) -> str:
        """The most frequent form; of equally frequent ones the first."""
        return self.texts.most_common(1)[0][0]

    def merge(self, short: "_Term") -> None:
        """Add the occurrences of a short form; the text stays the full form."""
        self.spans = sorted((*self.spans, *short.spans), key=lambda span: (span.block, span.start))
        self.passages |= short.passages


def keywords(source: SourceText, most: int = 10, background: Background | None = None) -> Keywords:
    """Return the `most` best keywords of a text, best first.

    >>> from bonmun.analyze.source import of_text
    >>> text = "Green tea is steamed. Green tea is not rolled.\\nMilk is not for green tea."
    >>> [(keyword.text, keyword.count) for keyword in keywords(of_text(text), 2)]
    [('Green tea', 3), ('steamed', 1)]
    """
    terms = _terms(source)
    _resolve_overlaps(terms)
    _merge_short_names(terms, source)
    title = _Title.of(source)
    scored = sorted(
        ((_score(term, lemma, title, background), lemma) for lemma, term in terms.items()),
        key=lambda pair: (-pair[0], terms[pair[1]].spans[0].block, terms[pair[1]].spans[0].start),
    )
    best = scored[0][0] if scored else 1.0
    chosen = tuple(
        Keyword(terms[lemma].text, score / best, terms[lemma].count, tuple(terms[lemma].spans), lemma)
        for score, lemma in islice(_distinct(scored, terms), max(0, most))
    )
    return Keywords(chosen, source.language, source.morphology.analyser, source.warnings)


def _terms(source: SourceText) -> dict[str, _Term]:
    """Nouns and recurring phrases, by lemma."""
    nouns: dict[str, _Term] = {}
    phrases: dict[str, _Term] = {}
    for index, (passage, all_nouns) in enumerate(zip(source.passages, source.nouns, strict=True)):
        candidates = [noun for noun in all_nouns if not _is_stop_word(noun, source)]
        for noun in candidates:
            _count(nouns, (noun,), index, passage.text, passage.span(noun.start, noun.stop))
        for run in _phrases(candidates, passage.text, spaced=source.language not in ("zh", "ja")):
            _count(phrases, run, index, passage.text, passage.span(run[0].start, run[-1].stop))
    if source.language == "zh":
        nouns = {lemma: term for lemma, term in nouns.items() if not _is_word_fragment(term)}
    return nouns | {lemma: phrase for lemma, phrase in phrases.items() if phrase.count >= _LEAST_PHRASE}


def _is_word_fragment(term: _Term) -> bool:
    """Whether the same content character always precedes a Chinese noun: `闪店` of `快闪店`."""
    before = sorted(set(term.before))
    return (
        term.count >= _LEAST_PHRASE
        and len(term.parts[0]) <= 3
        and len(before) == 1
        and _CONTENT_CHARACTER.fullmatch(before[0]) is not None
    )


def _is_stop_word(noun: Noun, source: SourceText) -> bool:
    lemma = noun.lemma
    if len(lemma) > _LONGEST_NOUN:
        return True
    if source.morphology.is_stop_word(noun) or not any(map(str.isalpha, lemma)):
        return True
    if source.language == "zh" and lemma[-1] in _PARTICLE_END:
        return True
    return len(lemma) == 1 and (lemma.isascii() or source.language in ("zh", "ja"))


def _count(terms: dict[str, _Term], run: Sequence[Noun], passage: int, text: str, span: TextSpan) -> None:
    parts = tuple(noun.lemma for noun in run)
    term = terms.setdefault(" ".join(parts), _Term(parts))
    term.spans.append(span)
    term.passages.add(passage)
    term.texts[text[run[0].start : run[-1].stop]] += 1
    term.before.append(text[run[0].start - 1 : run[0].start] if run[0].start else "")


def _phrases(nouns: Sequence[Noun], text: str, spaced: bool) -> Iterator[Sequence[Noun]]:
    """Runs of adjacent nouns; in languages with spaces one space may separate them."""
    for first in range(len(nouns)):
        for last in range(first + 1, min(first + _LONGEST_PHRASE, len(nouns))):
            one, two = nouns[last - 1], nouns[last]
            gap = text[one.stop : two.start]
            if gap and (gap != " " or not (spaced or (one.text.isascii() and two.text.isascii()))):
                break
            if two.stop - nouns[first].start > _LONGEST_TEXT:
                break
            yield nouns[first : last + 1]


def _resolve_overlaps(terms: dict[str, _Term]) -> None:
    """Of a phrase and its parts, remove the redundant ones.

    A part that nearly always occurs in the phrase is removed; so is a phrase that none of its parts mostly occurs in.
    """
    longest_first = sorted(terms, key=lambda lemma: -len(terms[lemma].parts))
    for lemma in longest_first:
        phrase = terms.get(lemma)
        if phrase is None or len(phrase.parts) == 1:
            continue
        inner = {
            " ".join(phrase.parts[first:stop])
            for first in range(len(phrase.parts))
            for stop in range(first + 1, len(phrase.parts) + 1)
        } - {lemma}
        shares = {part: phrase.count / terms[part].count for part in inner if part in terms}
        if max(shares.values(), default=1.0) < _MOSTLY:
            del terms[lemma]
        else:
            for part in (part for part, share in shares.items() if share >= _NEARLY_ALWAYS):
                del terms[part]


def _merge_short_names(terms: dict[str, _Term], source: SourceText) -> None:
    """Merge short forms of a name into the full name: its tail, or the name without its last character.

    `女子医大` is `東京女子医大`, `イオン銀` is `イオン銀行`. Only for languages whose analyser joins compounds and tags
    names.
    """
    if not source.morphology.joins:
        return
    for lemma in sorted(terms, key=len):
        tails = [lemma[start:] for start in range(1, len(lemma) - _SHORTEST_NAME + 1)]
        known = [short for short in (*tails, lemma[:-1]) if short in terms and " " not in lemma]
        if known and all(token.pos is Pos.NAME for token in source.morphology.tokens(lemma)):
            for short in known:
                last = source.morphology.tokens(short)[-1].pos
                if last is (Pos.NAME if lemma.endswith(short) else Pos.SUFFIX):
                    terms[lemma].merge(terms.pop(short))


@dataclass(frozen=True, slots=True)
class _Title:
    """The title's lemmas with their word boundaries: `art` does not match `The party`."""

    spelled: str
    """The lemmas, concatenated."""
    bounds: frozenset[int]
    """Offsets of word boundaries in `spelled`."""
    nouns: frozenset[str]

    @classmethod
    def of(cls, source: SourceText) -> "_Title":
        words = [_FOLD.sub("", token.lemma) for token in source.morphology.tokens(source.title)]
        bounds = frozenset(accumulate(map(len, words), initial=0))
        nouns = frozenset(noun.lemma for noun in source.morphology.nouns_of(source.title_tokens))
        return cls("".join(words), bounds, nouns)

    def has(self, lemma: str, count: int) -> bool:
        """Whether the title has a term; one that occurs once in the text must be a whole noun of the title."""
        if count == 1:
            return lemma in self.nouns
        folded = _FOLD.sub("", lemma)
        starts = (match.start() for match in re.finditer(re.escape(folded), self.spelled)) if folded else ()
        return any(start in self.bounds and start + len(folded) in self.bounds for start in starts)


def _score(term: _Term, lemma: str, title: _Title, background: Background | None) -> float:
    """Frequency × spread, with a bonus for words of the title and, given a background, × idf."""
    score = term.count * (1 + log(len(term.passages)))
    if title.has(lemma, term.count):
        score *= _IN_TITLE
    if len(lemma) == 1:
        score *= _ONE_SYLLABLE
    if background is not None:
        score *= log((background.documents + 1) / (background.frequency(lemma) + 0.5))
    return max(score, 0.0)


def _distinct(scored: Iterable[tuple[float, str]], terms: dict[str, _Term]) -> Iterator[tuple[float, str]]:
    """The terms whose text is not part of a better term's text."""
    texts: list[str] = []
    for score, lemma in scored:
        folded = _FOLD.sub("", terms[lemma].text.lower())
        if not any(folded in text for text in texts):
            texts.append(folded)
            yield score, lemma
