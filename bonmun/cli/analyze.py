"""``bonmun analyze``."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from bonmun.cli.delivery import Order, deliver
from bonmun.cli.options import shared
from bonmun.cli.request import Request

if TYPE_CHECKING:
    from bonmun.analyze.keywords import Keywords
    from bonmun.analyze.summary import Summary
    from bonmun.model.document import Document

_LOGICAL = "logical"


@dataclass(frozen=True, slots=True)
class _AnalysisRequest(Request):
    """What a document is about, instead of the document."""

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


@click.command()
@click.option("--keywords", type=click.IntRange(min=0), default=10, show_default=True, metavar="N",
              help="How many keywords.")  # fmt: skip
@click.option("--sentences", type=click.IntRange(min=0), default=3, show_default=True, metavar="N",
              help="How many sentences the summary has.")  # fmt: skip
@click.option("--tables", is_flag=True, help="Print the logical-structure paper's tables 1 to 3 for the page instead.")
@click.option("--format", type=click.Choice(["text", "json"]), default="text", show_default=True)
@shared
def analyze(
    sources: tuple[str, ...],
    output: str | None,
    jobs: int,
    keywords: int,
    sentences: int,
    tables: bool,
    method: str,
    **reading: Any,
) -> int:
    """Say what each page is about: its keywords and a summary of its own sentences.

    Korean, Japanese and Chinese have analysers of their own (pip install 'bonmun[languages]'); without them words are
    split by script, and the result says so.
    """
    if tables and method not in ("auto", _LOGICAL):
        raise click.UsageError("--tables are those of --method logical")
    request = _AnalysisRequest(
        _LOGICAL if tables else method, keywords=keywords, sentences=sentences, tables=tables, **reading
    )
    return deliver(Order(sources, request, output, jobs))


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
    assert isinstance(analysis, LogicalAnalysis)  # the method is fixed above
    parts = []
    for table in analysis.tables():
        rows = [table.columns, *table.rows]
        parts.append("\n".join([table.title, *("\t".join(map(str, row)) for row in rows)]))
    return "\n\n".join([*parts, f"region: {analysis.region}"]) + "\n"
