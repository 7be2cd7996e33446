"""The input of keywords and summaries: the passages of a document or a plain text, with their tokens."""

from dataclasses import dataclass, field
from functools import cached_property

from bonmun.analyze.collocations import join_collocations
from bonmun.analyze.cues import DATELINE
from bonmun.analyze.languages import language_of
from bonmun.analyze.morphology import Morphology, morphology
from bonmun.analyze.token import Noun, Token
from bonmun.model.block import Kind
from bonmun.model.document import Document
from bonmun.model.verdict import Reason

_MOST_CHARACTERS = 200_000
"""The limit per document: Korean takes about 3 s for so much. A truncated text has a warning."""


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
    """The offset in a plain text; 0 for a block."""
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
    cut: bool = False
    """Whether the text was truncated."""

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
        """A missing analyser, a truncated text."""
        cut = Reason("cut", f"only the first {_MOST_CHARACTERS:,} characters were analysed")
        return (*self.morphology.warnings, *((cut,) if self.cut else ()))


def of_text(text: str, language: str | None = None, title: str = "") -> SourceText:
    """Return the source of a plain text, with one passage per line.

    >>> [passage.text for passage in of_text("One.\\n\\nTwo.").passages]
    ['One.', 'Two.']
    """
    passages, offset = [], 0
    for line in text[:_MOST_CHARACTERS].splitlines(keepends=True):
        if line.strip():
            passages.append(Passage(line.rstrip("\r\n"), 0, offset))
        offset += len(line)
    return SourceText(tuple(passages), language or language_of(text), title, len(text) > _MOST_CHARACTERS)


def of_document(document: Document) -> SourceText:
    """Return the source of a document: its kept blocks except code and images."""
    passages, left = [], _MOST_CHARACTERS
    for index, block in enumerate(document.blocks):
        text = block.text if left > 0 and block.kind not in (Kind.CODE, Kind.IMAGE) else ""
        if text:
            passages.append(Passage(text[:left], index, 0, block.kind))
            left -= len(text)
    language = language_of(" ".join(passage.text for passage in passages), document.language)
    return SourceText(tuple(passages), language, document.title or "", left < 0)
