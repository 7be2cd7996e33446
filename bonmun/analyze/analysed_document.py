"""What `doc.keywords()` and `doc.summary()` stand on: a document's text, analysed once."""

from dataclasses import dataclass

from bonmun.analyze.keywords import Background, Keywords, keywords
from bonmun.analyze.source import SourceText, of_document
from bonmun.analyze.summary import Summary, summary
from bonmun.model.document import Document


@dataclass(frozen=True, eq=False)
class AnalysedDocument:
    """A document's passages with their tokens, which keywords and summary share."""

    source: SourceText

    def keywords(self, most: int = 10, background: Background | None = None) -> Keywords:
        """The keywords and key phrases."""
        return keywords(self.source, most, background)

    def summary(self, most: int = 3) -> Summary:
        """The sentences that say most."""
        return summary(self.source, most)


def analyse(document: Document) -> AnalysedDocument:
    """Make a document ready to be analysed; its language's analyser is loaded when a result is asked for."""
    return AnalysedDocument(of_document(document))
