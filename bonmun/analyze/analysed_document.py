"""The analysis behind `doc.keywords()` and `doc.summary()`: a document is tokenized once for both."""

from dataclasses import dataclass

from bonmun.analyze.keywords import Background, Keywords, keywords
from bonmun.analyze.source import SourceText, of_document
from bonmun.analyze.summary import Summary, summary
from bonmun.model.document import Document


@dataclass(frozen=True, eq=False)
class AnalysedDocument:
    """A document's passages and tokens, shared by keywords and summary."""

    source: SourceText

    def keywords(self, most: int = 10, background: Background | None = None) -> Keywords:
        """Return the keywords and key phrases."""
        return keywords(self.source, most, background)

    def summary(self, most: int = 3) -> Summary:
        """Return the most central sentences."""
        return summary(self.source, most)


def analyse(document: Document) -> AnalysedDocument:
    """Prepare a document for analysis; the analyser of its language is loaded with the first result."""
    return AnalysedDocument(of_document(document))
