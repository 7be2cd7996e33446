"""The report of a training run, to be read."""

from collections.abc import Iterable, Sequence
from typing import Any

from bonmun.training.report import TrainingReport

_PARTS = {"corpus": "By corpus", "type": "By page type", "language": "By language"}


def markdown(report: TrainingReport) -> str:
    """Return the report as Markdown."""
    parts = [f"# Training report\n\n{_left_out(report)}"]
    parts += [f"## {title}\n\n{f1_table(report['f1'][part])}" for part, title in _PARTS.items()]
    parts.append(
        f"## Are block scores right?\n\n{reliability_table(report['block_scores'], 'of the block is content')}"
    )
    parts.append(f"## Is the confidence right?\n\n{reliability_table(report['confidence'], 'word F1')}")
    if report["page_type"]:
        parts.append(f"## Page types\n\n{types_table(report['page_type'])}")
    if report["ablations"]:
        parts.append(f"## Left out\n\n{ablation_table(report)}")
    parts.append(f"## Worst pages\n\n{_worst(report['worst'])}")
    return "\n\n".join(parts) + "\n"


def f1_table(rows: Sequence[dict[str, Any]]) -> str:
    """Mean word F1 out of fold, with the bound that labels set."""
    cells = [
        (row["name"], row["pages"], shown(row["f1"]), interval(row["interval"]), shown(row["oracle"])) for row in rows
    ]
    return table(("", "pages", "word F1 out of fold", "95 %", "oracle"), cells)


def reliability_table(found: dict[str, Any], outcome: str) -> str:
    """Promise beside outcome, and the expected calibration error."""
    rows = [(shown(promise), shown(came), f"{share:.1%}") for promise, came, share in found["rows"]]
    return f"Expected calibration error {found['ece']:.4f}.\n\n{table(('promised', outcome, 'share'), rows)}"


def types_table(found: dict[str, Any]) -> str:
    """How often each type is recognised."""
    said = f"{found['accuracy']:.1%} of {found['pages']:,} pages right; calibration error {found['ece']:.4f}."
    return (
        f"{said}\n\n{table(('type', 'recognised'), [(name, shown(share)) for name, share in found['found'].items()])}"
    )


def ablation_table(report: TrainingReport) -> str:
    """What is lost without some of the features or pages."""
    whole = {row["name"]: row["f1"] for row in report["f1"]["corpus"]}
    rows = [("everything", *map(shown, whole.values()))]
    for name, found in report["ablations"].items():
        rows.append(
            (name, *(f"{shown(found[corpus][0])} ({found[corpus][0] - whole[corpus]:+.3f})" for corpus in whole))
        )
    return table(("word F1 out of fold", *whole), rows)


def table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table, its first column to the left."""
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def shown(number: float | None) -> str:
    """Three digits, as the README has them.

    >>> shown(0.8781), shown(1.0), shown(None)
    ('.878', '1.000', '–')
    """
    return "–" if number is None else f"{number:.3f}".removeprefix("0")


def interval(bounds: Sequence[float | None]) -> str:
    """The two ends of an interval."""
    return "–" if None in bounds else " – ".join(map(shown, bounds))


def _left_out(report: TrainingReport) -> str:
    pages = sum(corpus["pages"] for corpus in report["corpora"])
    return (
        f"{pages:,} pages; {report['left_out']} of them were not learned from, for less than half of their gold is on "
        "the page; they are counted below. Each page is judged by a model that has seen neither its site nor its "
        "template. Intervals are drawn over sites. The oracle chooses blocks by their labels."
    )


def _worst(rows: Sequence[dict[str, Any]]) -> str:
    cells = [
        (row["page"], row["type"], row["language"], *map(shown, (row["f1"], row["oracle"], row["confidence"])))
        for row in rows
    ]
    return table(("page", "type", "language", "word F1", "oracle", "confidence"), cells)
