"""What ``bonmun store`` prints: for a terminal in colour, else as plain lines."""

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from bonmun.cli.messages import one_line

if TYPE_CHECKING:
    from bonmun.store.diff import Diff
    from bonmun.store.results import FailureRecord, Hit, Hits, Stats, StoredDocument, Version
    from bonmun.store.snippets import Snippet

_KINDS = {"removed": "red strike", "added": "green", "same": "", "skipped": "dim"}
_MARK = "bold yellow"
_UNWRAPPED = 1_000_000
"""Columns of a file or pipe."""


def print_lines(lines: Iterable[RenderableType]) -> None:
    """Print lines; those for a file or pipe are neither wrapped nor coloured."""
    is_terminal = sys.stdout.isatty()
    console = Console(highlight=False, markup=False, emoji=False, width=None if is_terminal else _UNWRAPPED)
    for line in lines:
        console.print(line)


def hits_lines(hits: "Hits", first: int) -> Iterable[RenderableType]:
    """Return the results of a search."""
    if not hits:
        yield Text(f"nothing found{f' beyond {first}' if hits.total else ''}", "dim")
        return
    shown = f", {first + 1} to {first + len(hits)}" if len(hits) < hits.total else ""
    yield Text(f"{hits.total:,} {_plural(hits.total, 'document')}{shown}", "dim")
    for number, hit in enumerate(hits, first + 1):
        yield Text()
        yield from _hit_lines(number, hit)


def _hit_lines(number: int, hit: "Hit") -> Iterable[RenderableType]:
    yield Text.assemble((f"{number:>3}  ", "dim"), (one_line(hit.title) or "(no title)", "bold"))
    facts = (hit.published[:10], hit.language, hit.source, "near-duplicates" if hit.group else "", f"{hit.score:.2f}")
    lines = (
        Text(one_line(hit.url), "cyan", overflow="fold"),
        Text(" · ".join(one_line(fact) for fact in facts if fact), "dim"),
        _highlighted(hit.snippet),
    )
    yield from (Padding(line, (0, 0, 0, 5), expand=False) for line in lines)


def _highlighted(snippet: "Snippet") -> Text:
    text = Text("".join(char if char.isprintable() else " " for char in snippet.text))
    for start, end in snippet.places:
        text.stylize(_MARK, start, end)
    return text


def document_lines(document: "StoredDocument", versions: "Iterable[Version]") -> Iterable[Text]:
    """Return a document: its facts, its history, its text."""
    yield Text(one_line(document.title) or "(no title)", "bold")
    for name, value in _facts(document).items():
        if value:
            yield Text.assemble((f"{name:>12}  ", "dim"), one_line(value))
    history = [f"{version.number} of {version.saved_at:%Y-%m-%d %H:%M}" for version in versions]
    yield Text.assemble(("    versions  ", "dim"), ", ".join(history))
    yield Text()
    yield from (Text(_visible(line)) for line in document.text.splitlines())


def _facts(document: "StoredDocument") -> Mapping[str, str]:
    seen = f"{document.first_seen:%Y-%m-%d %H:%M} to {document.last_seen:%Y-%m-%d %H:%M} UTC"
    return {
        "url": document.url,
        "author": document.author,
        "published": document.published,
        "language": document.language,
        "site": document.site,
        "source": document.source,
        "status": "" if document.status == "ok" else document.status,
        "seen": seen,
        "keywords": ", ".join(document.keywords),
        "summary": " ".join(document.summary),
        "like it": ", ".join(document.duplicates),
    }


def _visible(line: str) -> str:
    return "".join(char if char.isprintable() else " " for char in line)


def diff_lines(diff: "Diff") -> Iterable[Text]:
    """Return a diff: signs and marks for a pipe, colours too for a terminal."""
    if not sys.stdout.isatty():
        yield from (Text(_visible(line)) for line in str(diff).splitlines())
        return
    yield Text(f"{one_line(diff.url)}: version {diff.old} → {diff.new}", "bold")
    signs = {"same": "  ", "removed": "- ", "added": "+ ", "changed": "~ ", "skipped": ""}
    for line in diff.lines:
        parts = [(_visible(text), _KINDS["skipped" if line.kind == "skipped" else kind]) for kind, text in line.parts]
        yield Text.assemble((signs[line.kind], _KINDS.get(line.kind, "yellow")), *parts)


def stats_lines(stats: "Stats") -> Iterable[Text]:
    """Return the counts of a store."""
    counts = {
        "documents": f"{stats.documents:,} in {stats.versions:,} versions",
        "near-duplicates": f"{stats.grouped:,} in {stats.groups:,} groups",
        "in the queue": f"{stats.pending:,}",
        "sites": f"{stats.sites:,}",
        "labelled pages": f"{stats.labels:,}",
        "size": f"{stats.bytes / 1e6:,.1f} MB, schema {stats.schema}",
    }
    tallies = {"languages": stats.languages, "sources": stats.sources, "hosts": stats.hosts, "failures": stats.failures}
    for name, tally in tallies.items():
        counts[name] = ", ".join(f"{one_line(key) or 'unknown'} {count:,}" for key, count in tally.items()) or "none"
    for name, value in counts.items():
        yield Text.assemble((f"{name:>15}  ", "dim"), value)


def failure_lines(failures: "Iterable[FailureRecord]") -> Iterable[Text]:
    """Return the failed pages."""
    for failure in failures:
        times = f" ({failure.count} times)" if failure.count > 1 else ""
        yield Text.assemble(
            (f"{failure.last_at:%Y-%m-%d %H:%M}  ", "dim"),
            (one_line(failure.url), "cyan"),
            f"  {failure.stage}: ",
            (one_line(failure.error), "red"),
            f": {one_line(failure.message)}{times}",
        )


def _plural(count: int, noun: str) -> str:
    return noun if count == 1 else f"{noun}s"
