"""The report of a training run as Markdown."""

from collections.abc import Iterable, Sequence
from typing import Any

from bonmun.training.report import TrainingReport

_PARTS = {"corpus": "By corpus", "type": "By page type", "language": "By language"}


def markdown(report: TrainingReport) -> str:
    """Return the report as Markdown."""
    parts = [f"# Training report\n\n{_left_out(report)}"]
    parts += [f"## {title}\n\n{f1_table(report['f1'][part])}" for part, title in _PARTS.items()]
    if report["lines"]:
        parts.append(f"## Listed lines\n\n{lines_table(report)}")
    parts.append(
        f"## Calibration of block scores\n\n{reliability_table(report['block_scores'], 'of the block is content')}"
    )
    parts.append(f"## Calibration of the confidence\n\n{reliability_table(report['confidence'], 'word F1')}")
    if report["page_type"]:
        parts.append(f"## Page types\n\n{types_table(report['page_type'])}")
    if report["ablations"]:
        parts.append(f"## Ablations\n\n{ablation_table(report)}")
    parts.append(f"## Worst pages\n\n{_worst(report['worst'])}")
    return "\n\n".join(parts) + "\n"


def f1_table(rows: Sequence[dict[str, Any]]) -> str:
    """Return the table of mean word F1 out of fold, with the oracle as upper bound."""
    cells = [
        (row["name"], row["pages"], shown(row["f1"]), interval(row["interval"]), shown(row["oracle"])) for row in rows
    ]
    return table(("", "pages", "word F1 out of fold", "95 %", "oracle"), cells)


def reliability_table(reliability: dict[str, Any], outcome: str) -> str:
    """Return the table of predictions and outcomes, with the expected calibration error."""
    rows = [(shown(predicted), shown(observed), f"{share:.1%}") for predicted, observed, share in reliability["rows"]]
    return f"Expected calibration error {reliability['ece']:.4f}.\n\n{table(('predicted', outcome, 'share'), rows)}"


def types_table(types: dict[str, Any]) -> str:
    """Return the table of recall by page type, with accuracy and calibration error."""
    summary = f"{types['accuracy']:.1%} of {types['pages']:,} pages right; calibration error {types['ece']:.4f}."
    recalls = [(name, shown(recall)) for name, recall in types["found"].items()]
    return f"{summary}\n\n{table(('type', 'recognised'), recalls)}"


def ablation_table(report: TrainingReport) -> str:
    """Return the table of word F1 without some of the features or pages, with the difference to everything."""
    whole = {column: f1[0] for column, f1 in report["ablations"]["everything"].items()}
    rows = []
    for name, f1 in report["ablations"].items():
        cells = [f"{shown(f1[column][0])} ({f1[column][0] - whole[column]:+.3f})" for column in whole]
        rows.append((name, *(map(shown, whole.values()) if f1 is report["ablations"]["everything"] else cells)))
    return table(("word F1 out of fold", *whole), rows)


def lines_table(report: TrainingReport) -> str:
    """Return the table of corpora that list lines of the main text."""
    return table(("", "of their words kept"), [(name, shown(share)) for name, share in report["lines"].items()])


def table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table with its first column aligned left."""
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def shown(number: float | None) -> str:
    """Format a figure with three digits, as in the README.

    >>> shown(0.8781), shown(1.0), shown(None)
    ('.878', '1.000', '–')
    """
    return "–" if number is None else f"{number:.3f}".removeprefix("0")


def interval(bounds: Sequence[float | None]) -> str:
    """Format an interval."""
    return "–" if None in bounds else " – ".join(map(shown, bounds))


def _left_out(report: TrainingReport) -> str:
    pages = sum(corpus["pages"] for corpus in report["corpora"])
    return (
        f"{pages:,} pages; {report['left_out']} of them were excluded from training, for less than half of their gold "
        "is on the page; the results below include them. Each page is judged by a model trained without its site and "
        "its template. Intervals are bootstrapped over sites. The oracle chooses blocks by their labels."
    )


def _worst(rows: Sequence[dict[str, Any]]) -> str:
    cells = [
        (row["page"], row["type"], row["language"], *map(shown, (row["f1"], row["oracle"], row["confidence"])))
        for row in rows
    ]
    return table(("page", "type", "language", "word F1", "oracle", "confidence"), cells)
