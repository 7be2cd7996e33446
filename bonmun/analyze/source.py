"""What is analysed: the passages of a document or of a plain text, with their tokens."""

from dataclasses import dataclass
from functools import cached_property

from bonmun.analyze.collocations import joined
from bonmun.analyze.cues import DATELINE
from bonmun.analyze.languages import language_of
from bonmun.analyze.morphology import Morphology, morphology
from bonmun.analyze.token import Noun, Token
from bonmun.model.block import Kind
from bonmun.model.document import Document
from bonmun.model.verdict import Reason

_MOST_CHARACTERS = 200_000
"""What is analysed of a document: Korean takes about 3 s for so much. A warning tells where it was cut."""


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A place in a document: ``doc.blocks[block].text[start:stop]``; in a plain text ``text[start:stop]``."""

    block: int
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A line of text that stands for itself: a block of a document."""

    text: str
    block: int = 0
    offset: int = 0
    kind: Kind = Kind.PARAGRAPH

    @property
    def starts(self) -> int:
        """Where it begins behind a dateline."""
        dateline = DATELINE.match(self.text)
        return dateline.end() if dateline else 0

    def span(self, start: int, stop: int) -> TextSpan:
        """A place in the passage as one in the document."""
        return TextSpan(self.block, self.offset + start, self.offset + stop)


@dataclass(frozen=True, eq=False)
class SourceText:
    """Passages in one language."""

    passages: tuple[Passage, ...]
    language: str
    title: str = ""
    cut: bool = False

    @cached_property
    def morphology(self) -> Morphology:
        """The analyser of its language."""
        return morphology(self.language)

    @cached_property
    def _analysed(self) -> tuple[list[Token], ...]:
        """The tokens of each passage, and of the title: it has words that only the text tells to be words."""
        texts = (*(passage.text for passage in self.passages), self.title)
        found = [self.morphology.tokens(text) for text in texts]
        return tuple(joined(found) if self.language == "zh" else found)

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
        """The nouns and compound nouns of each passage, but for those of its dateline."""
        return tuple(
            [noun for noun in self.morphology.nouns_of(tokens) if noun.start >= starts]
            for starts, tokens in zip((passage.starts for passage in self.passages), self.tokens, strict=True)
        )

    @property
    def warnings(self) -> tuple[Reason, ...]:
        """That an analyser is missing, that the text was cut."""
        cut = Reason("cut", f"only the first {_MOST_CHARACTERS:,} characters were analysed")
        return (*self.morphology.warnings, *((cut,) if self.cut else ()))


def of_text(text: str, language: str | None = None, title: str = "") -> SourceText:
    """A plain text as a source: every line a passage.

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
    """The kept blocks of a document but for code and images, which are no language."""
    passages, left = [], _MOST_CHARACTERS
    for at, block in enumerate(document.blocks):
        text = block.text if left > 0 and block.kind not in (Kind.CODE, Kind.IMAGE) else ""
        if text:
            passages.append(Passage(text[:left], at, 0, block.kind))
            left -= len(text)
    language = language_of(" ".join(passage.text for passage in passages), document.language)
    return SourceText(tuple(passages), language, document.title or "", left < 0)
