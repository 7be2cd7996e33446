"""Keywords and key phrases: what a text says often, all over, and in its title."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import log
from typing import Protocol, overload

from bonmun.analyze.source import SourceText, TextSpan
from bonmun.analyze.token import Noun, Pos
from bonmun.model.verdict import Reason

_IN_TITLE = 2.0
_LONGEST_PHRASE, _LONGEST_TEXT = 4, 24  # nouns, characters
_PARTICLE_END = frozenset("吧呢吗啊了的呀嘛")  # jieba now and then takes them for the end of a noun
_LEAST_PHRASE = 2  # occurrences
_MOSTLY, _NEARLY_ALWAYS = 0.6, 0.8  # of a word's occurrences in a phrase: the phrase tells something; it tells enough
_ONE_SYLLABLE = 0.5
_SHORTEST_NAME = 3  # characters
_IN_A_WORD = re.compile(
    r"(?![的了在是和与對对把被从從向为為等及或而但就都也很最更不没有这那哪个位名本将由以其之上中下前后里让使给到说])[\u4e00-\u9fff]"
)
_FOLD = re.compile(r"[\W_]+")


class Background(Protocol):
    """Other documents, to tell what is common anyway: a store of documents can be one, `ranking.Index` is one."""

    @property
    def documents(self) -> int:
        """How many there are."""

    def frequency(self, term: str) -> int:
        """In how many of them a term occurs."""


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word or phrase that a text is about."""

    text: str
    score: float
    """From 1, the first, towards 0."""
    count: int
    spans: tuple[TextSpan, ...]
    """Where it stands, in order."""
    lemma: str = ""
    """What its occurrences were counted by."""


@dataclass(frozen=True, slots=True)
class Keywords(Sequence[Keyword]):
    """Keywords in order, and what there is to say of how they were found."""

    found: tuple[Keyword, ...]
    language: str
    analyser: str
    warnings: tuple[Reason, ...] = ()

    def __len__(self) -> int:
        return len(self.found)

    @overload
    def __getitem__(self, index: int) -> Keyword: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Keyword]: ...
    def __getitem__(self, index: int | slice) -> Keyword | Sequence[Keyword]:
        return self.found[index]

    def __iter__(self) -> Iterator[Keyword]:
        return iter(self.found)


@dataclass(slots=True)
class _Term:
    """A candidate with its occurrences."""

    parts: tuple[str, ...]
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
        """The form that it has most often, the first of these."""
        return self.texts.most_common(1)[0][0]

    def add(self, short: "_Term") -> None:
        """Count the occurrences of a shorter form as its own; its text stays."""
        self.spans = sorted((*self.spans, *short.spans), key=lambda span: (span.block, span.start))
        self.passages |= short.passages


def keywords(source: SourceText, most: int = 10, background: Background | None = None) -> Keywords:
    """The keywords of a source, the most telling first.

    >>> from bonmun.analyze.source import of_text
    >>> text = "Green tea is steamed. Green tea is not rolled.\\nMilk is not for green tea."
    >>> [(keyword.text, keyword.count) for keyword in keywords(of_text(text), 2)]
    [('Green tea', 3), ('steamed', 1)]
    """
    terms = _terms(source)
    _absorb(terms)
    _take_short_names_for_the_full_ones(terms, source)
    title = _Title.of(source)
    scored = sorted(
        ((_score(term, lemma, title, background), lemma) for lemma, term in terms.items()),
        key=lambda pair: (-pair[0], terms[pair[1]].spans[0].block, terms[pair[1]].spans[0].start),
    )
    best = scored[0][0] if scored else 1.0
    found = tuple(
        Keyword(terms[lemma].text, score / best, terms[lemma].count, tuple(terms[lemma].spans), lemma)
        for score, lemma in _distinct(scored, terms)[:most]
    )
    return Keywords(found, source.language, source.morphology.analyser, source.warnings)


def _terms(source: SourceText) -> dict[str, _Term]:
    """Nouns by lemma, and the phrases that they make more than once."""
    nouns: dict[str, _Term] = {}
    phrases: dict[str, _Term] = {}
    for at, (passage, found) in enumerate(zip(source.passages, source.nouns, strict=True)):
        telling = [noun for noun in found if not _tells_nothing(noun, source)]
        for noun in telling:
            _count(nouns, (noun,), at, passage.text, passage.span(noun.start, noun.stop))
        for run in _phrases(telling, passage.text, spaced=source.language not in ("zh", "ja")):
            _count(phrases, run, at, passage.text, passage.span(run[0].start, run[-1].stop))
    if source.language == "zh":
        nouns = {lemma: term for lemma, term in nouns.items() if not _is_half_a_word(term)}
    return nouns | {lemma: phrase for lemma, phrase in phrases.items() if phrase.count >= _LEAST_PHRASE}


def _is_half_a_word(term: _Term) -> bool:
    """Whether the same character stands before a Chinese noun each time, and is no function word: `快` of `快闪店`."""
    before = sorted(set(term.before))
    return (
        term.count >= _LEAST_PHRASE
        and len(term.parts[0]) <= 3
        and len(before) == 1
        and _IN_A_WORD.fullmatch(before[0]) is not None
    )


def _tells_nothing(noun: Noun, source: SourceText) -> bool:
    lemma = noun.lemma
    if source.morphology.says_little(noun) or not any(map(str.isalpha, lemma)):
        return True
    if source.language == "zh" and lemma[-1] in _PARTICLE_END:
        return True
    return len(lemma) == 1 and (lemma.isascii() or source.language in ("zh", "ja"))


def _count(terms: dict[str, _Term], run: Sequence[Noun], at: int, text: str, span: TextSpan) -> None:
    parts = tuple(noun.lemma for noun in run)
    term = terms.setdefault(" ".join(parts), _Term(parts))
    term.spans.append(span)
    term.passages.add(at)
    term.texts[text[run[0].start : run[-1].stop]] += 1
    term.before.append(text[run[0].start - 1 : run[0].start] if run[0].start else "")


def _phrases(nouns: Sequence[Noun], text: str, spaced: bool) -> Iterator[Sequence[Noun]]:
    """Runs of some nouns with nothing between them, or one space where words are parted by spaces."""
    for first in range(len(nouns)):
        for last in range(first + 1, min(first + _LONGEST_PHRASE, len(nouns))):
            one, two = nouns[last - 1], nouns[last]
            gap = text[one.stop : two.start]
            if gap and (gap != " " or not (spaced or (one.text.isascii() and two.text.isascii()))):
                break
            if two.stop - nouns[first].start > _LONGEST_TEXT:
                break
            yield nouns[first : last + 1]


def _absorb(terms: dict[str, _Term]) -> None:
    """Take out words that stand in one phrase most of the time, and phrases that do in a longer one."""
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
            del terms[lemma]  # its words say as much without it
        else:
            for part in (part for part, share in shares.items() if share >= _NEARLY_ALWAYS):
                del terms[part]


def _take_short_names_for_the_full_ones(terms: dict[str, _Term], source: SourceText) -> None:
    """Count the tail of a name, or a name whose last character was cut off, as the name itself.

    `女子医大` is `東京女子医大`, `イオン銀` is `イオン銀行`: where compounds are written without a gap, and names are
    known.
    """
    if not source.morphology.joins:
        return
    for lemma in sorted(terms, key=len):
        tails = [lemma[at:] for at in range(1, len(lemma) - _SHORTEST_NAME + 1)]
        known = [short for short in (*tails, lemma[:-1]) if short in terms and " " not in lemma]
        if known and all(token.pos is Pos.NAME for token in source.morphology.tokens(lemma)):
            for short in known:
                last = source.morphology.tokens(short)[-1].pos
                if last is (Pos.NAME if lemma.endswith(short) else Pos.SUFFIX):
                    terms[lemma].add(terms.pop(short))


@dataclass(frozen=True, slots=True)
class _Title:
    """The title's words, and where they begin and end: `art` is no word of `The party`."""

    spelled: str
    bounds: frozenset[int]
    nouns: frozenset[str]

    @classmethod
    def of(cls, source: SourceText) -> "_Title":
        words = [_FOLD.sub("", token.lemma) for token in source.morphology.tokens(source.title)]
        bounds = frozenset(accumulate(map(len, words), initial=0))
        nouns = frozenset(noun.lemma for noun in source.morphology.nouns_of(source.title_tokens))
        return cls("".join(words), bounds, nouns)

    def has(self, lemma: str, count: int) -> bool:
        """Whether a term is in the title; if it occurs just once in the text, as a whole noun."""
        if count == 1:
            return lemma in self.nouns
        folded = _FOLD.sub("", lemma)
        places = (found.start() for found in re.finditer(re.escape(folded), self.spelled)) if folded else ()
        return any(at in self.bounds and at + len(folded) in self.bounds for at in places)


def _score(term: _Term, lemma: str, title: _Title, background: Background | None) -> float:
    """Frequency × spread, more for words of the title, less for what other documents have too."""
    score = term.count * (1 + log(len(term.passages)))
    if title.has(lemma, term.count):
        score *= _IN_TITLE
    if len(lemma) == 1:
        score *= _ONE_SYLLABLE
    if background is not None:
        score *= log((background.documents + 1) / (background.frequency(lemma) + 0.5))
    return max(score, 0.0)


def _distinct(scored: list[tuple[float, str]], terms: dict[str, _Term]) -> list[tuple[float, str]]:
    """Without terms whose words a better one has already."""
    kept: list[tuple[float, str]] = []
    texts: list[str] = []
    for score, lemma in scored:
        folded = _FOLD.sub("", terms[lemma].text.lower())
        if not any(folded in text for text in texts):
            kept.append((score, lemma))
            texts.append(folded)
    return kept
