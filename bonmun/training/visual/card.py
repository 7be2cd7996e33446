"""The card of a visual model: data, licence, split, figures, limits."""

from typing import Any

from bonmun import __version__
from bonmun.training.report_markdown import table
from bonmun.training.visual.plans import Plan
from bonmun.training.visual.report import Report

_TITLES = {"visual-1": "TabNet_1: sixteen columns", "visual-2": "TabNet_2: sixteen columns, D0 and D1"}
_ATTRIBUTION = (
    "Web Content Extraction Benchmark, development pages; Murrough Foley, 2026; CC-BY-4.0. Its gold texts were turned"
    " into labels of elements"
)
_MOST_IMPORTANT = 8


def card(name: str, plan: Plan, report: Report, settings: dict[str, Any]) -> str:
    """Return the card of a shipped model as Markdown."""
    figures = report["models"][name]
    parts = [
        f"# Model `{name}`",
        f"{_TITLES[name]}. A TabNet (Arik and Pfister, 2021) over the elements of a rendered page, one row each: is the"
        f" element main content or inside it? Reproduces M4. Made by `tools/train_visual.py`, bonmun {__version__};"
        " plain arrays in the safetensors layout, no code; run with numpy.",
        f"## Data\n\n{table(('corpus', 'licence and attribution'), [(plan.corpus, _ATTRIBUTION)])}",
        "Pages were drawn by Chromium: 1366 × 768, no JavaScript, no network. Pages with less than half of their gold"
        " on them were left out. Label: topmost elements of which at least 80 % of the characters are gold, and"
        " everything inside them. A row holds numbers and a tag; no text of a page is in the model.",
        f"## Split\n\nBy site: decile = SHA-1 of the domain mod 10. This file is seed {plan.seed}: sites of decile"
        f" {plan.seed} are test sites, of decile {(plan.seed + 5) % 10} validation sites, the others were trained on."
        " Seed 0 is shipped by rule, not chosen by a result: every figure below is over all seeds.",
        f"## Recipe\n\n{_recipe(settings)}",
        f"## Figures\n\n{_figures(figures)}",
        f"### Most important columns\n\n{_importances(figures)}",
        f"## Limits\n\n{_LIMITS}",
    ]
    return "\n\n".join(parts) + "\n"


_LIMITS = "\n".join(
    (
        "- A row knows nothing of its neighbours: how rows become a region (`methods/visual`) matters more than the"
        " network.",
        "- Most training pages were saved without their style sheets: their layout is not what a reader saw.",
        "- English pages only; those of other languages are test pages.",
        "- All pages were drawn in one window, 1366 × 768, whose size the network takes for a constant. This file makes"
        " it one: pages of another window have other boxes, but no number out of the range of the first batch norm.",
    )
)


def _recipe(settings: dict[str, Any]) -> str:
    return (
        "n_d = n_a = 8, 3 steps, gamma 1.3, 2 shared and 2 independent layers, embedding of 4 for tags and 1 for"
        f" visibility; batch {settings['batch']}, virtual batch 128, Adam, rate {settings['rate']:g} with cosine decay,"
        f" gradients clipped at {settings['clip']:g}, sparsity {settings['sparsity']:g}; {settings['total']} steps, of"
        " which the state with the largest validation AUC was kept."
    )


def _figures(figures: dict[str, Any]) -> str:
    """Mean and spread over the seeds of the scores of rows."""
    names = ("auc", "page_auc", "half", "best", "everything")
    parts = {"validation": figures["validation"], **{f"test: {name}": own for name, own in figures["test"].items()}}
    rows = [(part, *(_shown(own[name]) for name in names)) for part, own in parts.items()]
    heads = ("rows of", "AUC", "AUC within a page", "F1 at 0.5", "F1 at the best threshold", "F1 of all rows")
    about = (
        f"Of rows, not of texts; F1 is the mean over pages; ± the standard deviation of {len(figures['seeds'])} seeds."
    )
    return f"{about}\n\n{table(heads, rows)}"


def _shown(figure: dict[str, Any]) -> str:
    return f"{figure['mean']:.3f} ± {figure['spread']:.3f}"


def _importances(figures: dict[str, Any]) -> str:
    ordered = sorted(figures["importances"].items(), key=lambda item: -item[1]["mean"])[:_MOST_IMPORTANT]
    rows = [(column, _shown(own)) for column, own in ordered]
    return table(("column", "share of the masks"), rows)
