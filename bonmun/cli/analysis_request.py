"""The task of a worker process for ``bonmun analyze``: keywords and summary of one source."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.cli.request import Request

if TYPE_CHECKING:
    from bonmun.analyze.keywords import Keywords
    from bonmun.analyze.summary import Summary
    from bonmun.model.document import Document


@dataclass(frozen=True, slots=True)
class AnalysisRequest(Request):
    """Writes keywords and a summary instead of the document."""

    keywords: int = 10
    sentences: int = 3
    tables: bool = False

    def _written(self, document: "Document") -> str:
        if self.tables:
            return _tables(document)
        keywords, summary = document.keywords(self.keywords), document.summary(self.sentences)
        if self.format == "json":
            return json.dumps(_data(document, keywords, summary), ensure_ascii=False) + "\n"
        return _text(document, keywords, summary)


def _text(document: "Document", keywords: "Keywords", summary: "Summary") -> str:
    lines = [document.title or "(no title)", f"{keywords.language}, by {keywords.analyser}"]
    lines += [f"warning: {warning}" for warning in dict.fromkeys((*keywords.warnings, *summary.warnings))]
    if keywords:
        width = max(len(keyword.text) for keyword in keywords)
        lines += ["", *(f"{word.score:5.2f} {word.count:5}  {word.text:{width}}".rstrip() for word in keywords)]
    lines += ["", *(sentence.text for sentence in summary)] if summary else []
    return "\n".join(lines) + "\n"


def _data(document: "Document", keywords: "Keywords", summary: "Summary") -> dict[str, object]:
    return {
        "title": document.title,
        "url": document.url,
        "language": keywords.language,
        "analyser": keywords.analyser,
        "warnings": [str(warning) for warning in dict.fromkeys((*keywords.warnings, *summary.warnings))],
        "keywords": [
            {"text": word.text, "score": round(word.score, 4), "count": word.count,
             "spans": [[span.block, span.start, span.stop] for span in word.spans]}
            for word in keywords
        ],
        "summary": [
            {"text": one.text, "score": round(one.score, 4), "span": [one.span.block, one.span.start, one.span.stop]}
            for one in summary
        ],
    }  # fmt: skip


def _tables(document: "Document") -> str:
    from bonmun.methods.logical import LogicalAnalysis

    analysis = document.analysis
    assert isinstance(analysis, LogicalAnalysis)  # --tables sets the method
    parts = []
    for table in analysis.tables():
        rows = [table.columns, *table.rows]
        parts.append("\n".join([table.title, *("\t".join(map(str, row)) for row in rows)]))
    return "\n\n".join([*parts, f"region: {analysis.region}"]) + "\n"
