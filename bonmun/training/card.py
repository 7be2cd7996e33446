"""The model card: training data, recipe, results and known failures."""

import json
from typing import Any

from bonmun import __version__
from bonmun.training.report import TrainingReport
from bonmun.training.report_markdown import (
    ablation_table,
    f1_table,
    lines_table,
    reliability_table,
    table,
    types_table,
)

_ATTRIBUTION = {
    "wcxb_dev": "Web Content Extraction Benchmark, development pages; Murrough Foley, 2026; CC-BY-4.0. Its annotations"
    " were turned into labels of blocks",
    "cjk_dev": "the pages belong to their publishers, the annotations are this project's; only features and labels were"
    " used, and no text of them is kept",
    "news_dev": "test pages of the fundus crawler (flairNLP); annotations MIT, the pages belong to their publishers;"
    " only features and labels were used. Lists, tables and quotations inside its texts have no label",
    "forums_dev": "forum threads of fhgr/harvest; annotations Apache-2.0",
    "boards_dev": "as cjk_dev",
    "chinese_dev": "pages of immortal-autumn's set; annotations MIT; only features and labels were used",
    "recipes_dev": "test pages of recipe-scrapers; annotations MIT, the pages belong to their publishers; labels from"
    " the lines found, the rest of a page by a teacher",
}
_TUNED_ON = frozenset({"wcxb_dev", "cjk_dev", "news_dev"})
"""Corpora whose out-of-fold results chose the recipe's hyperparameters."""
_UNKNOWN = "see the corpus"
_WEAK = 0.75


def card(name: str, report: TrainingReport) -> str:
    """Return the card of a model as Markdown."""
    parts = [
        f"# Model `{name}`",
        "Classifies the blocks of a web page as main content or not: gradient-boosted trees over features of the page,"
        " two linear scores over hashed words and names, the choice of blocks with the best expected F1, and two small"
        f" models for the page's type and for the confidence of the extraction. Made by `bonmun train` {__version__};"
        " plain arrays in the safetensors layout, no code.",
        f"## Data\n\n{_data(report)}",
        f"{report['left_out']} pages were excluded from training: less than half of their gold is on the page.",
        "Each page was learned twice: as it is, and with random class and id names (half of these also without semantic"
        " tags), with less weight. A block about which its corpus has no opinion was not learned from.",
        "Word weights belong to hashed buckets; buckets on few pages have no weight. No text of any page can be read"
        " from the model.",
        f"## Recipe\n\n```json\n{json.dumps(report['recipe'], indent=1)}\n```",
        f"## Results\n\nOut of fold: every page by a model trained without its site and its template. Intervals"
        f" over sites.\n\n{f1_table(report['f1']['corpus'])}\n\n{f1_table(report['f1']['type'])}\n\n"
        f"{f1_table(report['f1']['language'])}",
        *([f"### Listed lines\n\n{lines_table(report)}"] if report["lines"] else []),
        f"### Block scores\n\n{reliability_table(report['block_scores'], 'of the block is content')}",
        f"### Confidence\n\n{reliability_table(report['confidence'], 'word F1')}",
    ]
    if report["page_type"]:
        parts.append(f"### Page types\n\n{types_table(report['page_type'])}")
    if report["ablations"]:
        parts.append(
            "### Ablations\n\nBy models of 80 trees with larger steps. `renamed`: the variants of the pages with random"
            f" class and id names. `lines`: the share of their words that is kept.\n\n{ablation_table(report)}"
        )
    tuned = [corpus["name"] for corpus in report["corpora"] if corpus["name"] in _TUNED_ON]
    if tuned:
        parts.append(
            "The hyperparameters (trees, rate, weights, `empty`, the early exit) were chosen among a dozen by results"
            f" out of fold on {' and '.join(tuned)}: on other pages, results may be a little lower."
        )
    parts.append(f"## Known failures\n\n{_failures(report)}")
    return "\n\n".join(parts) + "\n"


def _data(report: TrainingReport) -> str:
    rows = [
        (corpus["name"], corpus["pages"], corpus["sites"], _counted(corpus["languages"]), _counted(corpus["types"]),
         _ATTRIBUTION.get(corpus["name"], _UNKNOWN))
        for corpus in report["corpora"]
    ]  # fmt: skip
    return table(("corpus", "pages", "sites", "languages", "types", "licence and attribution"), rows)


def _counted(times: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in times.items())


def _failures(report: TrainingReport) -> str:
    rows: list[dict[str, Any]] = [*report["f1"]["type"], *report["f1"]["language"]]
    weak = [
        f"- {row['name']}: word F1 {row['f1']:.3f} (oracle {row['oracle']:.3f})" for row in rows if row["f1"] < _WEAK
    ]
    lines = weak or [f"- no type or language is below {_WEAK} out of fold"]
    lines.append("- languages and scripts outside these corpora were not seen in training")
    lines.append("- text that is not in the markup cannot be extracted; a half-content block is kept or dropped whole")
    missed = sum(row["f1"] < 0.1 for row in report["worst"])
    lines.append(f"- {missed} of the {len(report['worst'])} worst pages have an F1 below 0.1: see report.json")
    return "\n".join(lines)
