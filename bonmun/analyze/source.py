"""The input of keywords and summaries: the passages of a document or a plain text, with their tokens."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

from bonmun.analyze.collocations import join_collocations
from bonmun.analyze.cues import DATELINE
from bonmun.analyze.languages import language_of
from bonmun.analyze.morphology import Morphology, morphology
from bonmun.analyze.token import Noun, Token
from bonmun.model.block import Kind
from bonmun.model.document import Document
from bonmun.model.verdict import Reason

_LONGEST_PIECE = 500  # characters of a passage in a sample
_LONGEST_TITLE = 1_000  # characters
_OVERHEAD = 8  # the cost of a passage beside its characters, in characters


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A range of a document's text: ``doc.blocks[block].text[start:stop]``; of a plain text ``text[start:stop]``."""

    block: int
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A block of a document, or a line of a plain text."""

    text: str
    block: int = 0
    """The index in `doc.blocks`; 0 for a plain text."""
    offset: int = 0
    """The offset in a plain text, or in its block."""
    kind: Kind = Kind.PARAGRAPH

    @property
    def body_start(self) -> int:
        """The offset after a dateline; 0 without one."""
        dateline = DATELINE.match(self.text)
        return dateline.end() if dateline else 0

    def span(self, start: int, stop: int) -> TextSpan:
        """Convert offsets in the passage to a span of the document."""
        return TextSpan(self.block, self.offset + start, self.offset + stop)


@dataclass(frozen=True, eq=False)
class SourceText:
    """Passages in one language, tokenized on first use."""

    passages: tuple[Passage, ...] = field(repr=False)
    language: str
    title: str = ""
    sampled: Reason | None = None
    """The note that only a sample of a long text was analysed."""

    @cached_property
    def morphology(self) -> Morphology:
        """The morphology of the language."""
        return morphology(self.language)

    @cached_property
    def _analysed(self) -> tuple[list[Token], ...]:
        """The tokens of each passage, then of the title, so that collocations of the text are joined there too."""
        texts = (*(passage.text for passage in self.passages), self.title)
        tokens = [self.morphology.tokens(text) for text in texts]
        return tuple(join_collocations(tokens) if self.language == "zh" else tokens)

    @property
    def tokens(self) -> tuple[list[Token], ...]:
        """The tokens of each passage."""
        return self._analysed[:-1]

    @property
    def title_tokens(self) -> list[Token]:
        """The tokens of the title."""
        return self._analysed[-1]

    @cached_property
    def nouns(self) -> tuple[list[Noun], ...]:
        """The nouns and compound nouns of each passage, without its dateline."""
        return tuple(
            [noun for noun in self.morphology.nouns_of(tokens) if noun.start >= start]
            for start, tokens in zip((passage.body_start for passage in self.passages), self.tokens, strict=True)
        )

    @property
    def warnings(self) -> tuple[Reason, ...]:
        """A missing analyser, a sample in place of the whole text."""
        return self.morphology.warnings + ((self.sampled,) if self.sampled else ())


def of_text(text: str, language: str | None = None, title: str = "") -> SourceText:
    """Return the source of a plain text, with one passage per line.

    >>> [passage.text for passage in of_text("One.\\n\\nTwo.").passages]
    ['One.', 'Two.']
    """
    passages, offset = [], 0
    for line in text.splitlines(keepends=True):
        if line.strip():
            passages.append(Passage(line.rstrip("\r\n"), 0, offset))
        offset += len(line)
    return _source(passages, language or language_of(text), title)


def of_document(document: Document) -> SourceText:
    """Return the source of a document: its kept blocks except code and images."""
    passages = [
        Passage(text, index, 0, block.kind)
        for index, block in enumerate(document.blocks)
        if block.kind not in (Kind.CODE, Kind.IMAGE) and (text := block.text)
    ]
    language = language_of(" ".join(passage.text for passage in passages), document.language)
    return _source(passages, language, document.title or "")


def _source(passages: Sequence[Passage], language: str, title: str) -> SourceText:
    """The source of all passages, or of a sample if they exceed the budget of the language's analyser."""
    budget = morphology(language).budget
    length = sum(len(passage.text) for passage in passages)
    if length + _OVERHEAD * len(passages) <= budget:
        return SourceText(tuple(passages), language, title[:_LONGEST_TITLE])
    sample = tuple(_sample(passages, budget))
    analysed = sum(len(passage.text) for passage in sample)
    cut = f"{analysed:,} of {length:,} characters were analysed: the beginning, and passages at even distances"
    return SourceText(sample, language, title[:_LONGEST_TITLE], Reason("cut", cut))


def _sample(passages: Sequence[Passage], budget: int) -> Iterator[Passage]:
    """Passages from the beginning for one half of the budget, and at even distances for the other."""
    pieces = [piece for passage in passages for piece in _pieces(passage)]
    costs = list(accumulate(len(piece.text) + _OVERHEAD for piece in pieces))
    head = bisect_right(costs, budget // 2)
    yield from pieces[:head]
    places = budget // 2 // (_LONGEST_PIECE + _OVERHEAD)
    first = costs[head - 1] if head else 0
    for index in dict.fromkeys(
        bisect_right(costs, first + place * (costs[-1] - first) // places) for place in range(places)
    ):
        yield pieces[index]


def _pieces(passage: Passage) -> Iterator[Passage]:
    """A passage in pieces of limited length."""
    if len(passage.text) <= _LONGEST_PIECE:
        yield passage
        return
    for start in range(0, len(passage.text), _LONGEST_PIECE):
        text = passage.text[start : start + _LONGEST_PIECE]
        yield Passage(text, passage.block, passage.offset + start, passage.kind)
