"""The report of a fine-tuning, as data and as Markdown."""

import json
from collections import Counter
from typing import Any

from bonmun import __version__
from bonmun.training.dataset import Dataset
from bonmun.training.report_markdown import shown, table
from bonmun.training.tuning.growth import Choice, Corrected
from bonmun.training.tuning.settings import Settings
from bonmun.training.tuning.start import StartModel

TuningReport = dict[str, Any]


def report_of(start: StartModel, pages: Corrected, choice: Choice, settings: Settings) -> TuningReport:
    """Return the report of a fine-tuning."""
    data = pages.data
    return {
        "from": {"name": start.name, "digest": start.digest, "trained_on": start.file.metadata.get("trained_on", "")},
        "pages": len(data.infos),
        "sites": len({info.domain for info in data.infos}),
        "languages": dict(Counter(info.lang for info in data.infos).most_common()),
        "left_out": sum(not pages.learnable[data.rows(page)].any() for page in range(len(data.infos))),
        "trees": choice.count,
        "f1": {"before": _short(choice.before.mean()), "after": _short(choice.after.mean())},
        "by_trees": {str(count): _short(f1) for count, f1 in choice.by_count.items()},
        "by_page": _by_page(data, choice),
        "settings": settings.described(),
    }


def markdown(name: str, report: TuningReport) -> str:
    """Return the report as Markdown: it is the card of the model, too."""
    start, languages = report["from"], ", ".join(f"{lang} {count}" for lang, count in report["languages"].items())
    counts = [(count, shown(f1)) for count, f1 in report["by_trees"].items()]
    rows = [(row["page"], shown(row["before"]), shown(row["after"])) for row in report["by_page"]]
    parts = [
        f"# Model `{name}`",
        f"The model `{start['name']}` (checksum {start['digest']}, trained on {start['trained_on'] or 'other pages'}),"
        f" fine-tuned by `bonmun train --from` {__version__} on {report['pages']:,} corrected pages of"
        f" {_sites(report['sites'])} ({languages}). {_result(report)}",
        "Everything else is as in that model: word and name weights, calibration, page types, confidence. No text of a"
        " page is stored.",
        f"## Results\n\n{_means(report)}\n\n{table(('page', 'before', 'after'), rows)}",
        f"### By number of extra trees\n\n{table(('trees', 'word F1 of held-out pages'), counts)}",
        f"## Settings\n\n```json\n{json.dumps(report['settings'], indent=1)}\n```",
        "## Limits\n\nThe pages that were corrected are few, and the estimate is as good as they are like the pages to"
        " come. On pages of other sites the model may be worse than the one it started from.",
    ]
    return "\n\n".join(parts) + "\n"


def _result(report: TuningReport) -> str:
    if not report["trees"]:
        return "No extra trees: none helped on held-out pages, so the verdicts are those of that model."
    return f"{report['trees']} extra trees correct its scores."


def _means(report: TuningReport) -> str:
    f1 = report["f1"]
    return (
        f"Word F1 out of sample: **{shown(f1['before'])}** before, **{shown(f1['after'])}** after. Each page is judged"
        f" by trees that were grown without it, their number chosen without it. {report['left_out']} pages have less"
        " than half of their gold in the markup: they are judged, not learned from."
    )


def _by_page(data: Dataset, choice: Choice) -> list[dict[str, Any]]:
    rows = zip(data.infos, choice.before, choice.after, strict=True)
    return [{"page": info.id, "before": _short(before), "after": _short(after)} for info, before, after in rows]


def _short(number: float) -> float:
    return round(float(number), 4)


def _sites(count: int) -> str:
    return "1 site" if count == 1 else f"{count:,} sites"
