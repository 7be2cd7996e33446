"""The report of a training run, as data."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from bonmun.evaluate.intervals import SiteBootstrap
from bonmun.evaluate.metrics import Figure
from bonmun.evaluate.metrics.metric import share
from bonmun.training.calibration import Reliability, reliability
from bonmun.training.dataset import Dataset, Numbers
from bonmun.training.measuring import Info
from bonmun.training.page_scores import oracle
from bonmun.training.pages import Pages, Predictions
from bonmun.training.recipe import Recipe
from bonmun.training.trees import CrossValidation

TrainingReport = dict[str, Any]
_MEAN = Figure("f1", "word F1", share(0, 1))
_WORST = 30
_PARTS: dict[str, Callable[[Info], str]] = {
    "corpus": lambda info: info.corpus,
    "type": lambda info: f"{info.corpus}: {info.page_type}",
    "language": lambda info: f"{info.corpus}: {info.lang}",
}


def results(
    data: Dataset,
    validation: CrossValidation,
    pages: Pages,
    predictions: Predictions,
    recipe: Recipe,
    ablations: TrainingReport,
) -> TrainingReport:
    """Return the report of a run."""
    best = oracle(data)
    return {
        "recipe": recipe.described(),
        "left_out": int((data.coverage < recipe.least_coverage).sum()),
        "f1": {part: _by(data, pages.scores, best, of) for part, of in _PARTS.items()},
        "block_scores": _rounded(reliability(predictions.blocks[data.known], data.labels[data.known])),
        "confidence": _rounded(reliability(predictions.confidence, pages.scores)),
        "page_type": _types(pages, predictions),
        "exit": asdict(validation.exit),
        "ablations": ablations,
        "worst": _worst(data, pages.scores, best, predictions.confidence),
    }


def estimates(data: Dataset, scores: Numbers, of: Callable[[Info], str]) -> dict[str, list[float | None]]:
    """Return the mean F1 of each part with its interval over sites."""
    by_part = {}
    for name in sorted({of(info) for info in data.infos}):
        inside = [page for page, info in enumerate(data.infos) if of(info) == name]
        site_of = {str(page): data.infos[page].domain for page in inside}
        estimate = (
            SiteBootstrap(site_of).sample({str(page): (float(scores[page]), 1.0) for page in inside}).estimate(_MEAN)
        )
        by_part[name] = [_short(number) for number in (estimate.value, estimate.low, estimate.high)]
    return by_part


def _by(data: Dataset, scores: Numbers, best: Numbers, of: Callable[[Info], str]) -> list[dict[str, Any]]:
    times = Counter(of(info) for info in data.infos)
    mine, bound = estimates(data, scores, of), estimates(data, best, of)
    return [
        {"name": name, "pages": times[name], "f1": mine[name][0], "interval": mine[name][1:], "oracle": bound[name][0]}
        for name in mine
    ]


def corpora_of(data: Dataset) -> list[dict[str, Any]]:
    """Return the size and the make-up of each corpus."""
    corpora = []
    for name in dict.fromkeys(info.corpus for info in data.infos):
        inside = [info for info in data.infos if info.corpus == name and not info.variant]
        corpora.append(
            {
                "name": name,
                "pages": len(inside),
                "sites": len({info.domain for info in inside}),
                "languages": dict(Counter(info.lang for info in inside).most_common()),
                "types": dict(Counter(info.page_type for info in inside).most_common()),
            }
        )
    return corpora


def _rounded(curve: Reliability) -> dict[str, Any]:
    return {"ece": _short(curve.error), "rows": [[_short(number) for number in row] for row in curve.rows]}


def _types(pages: Pages, predictions: Predictions) -> dict[str, Any]:
    typed = pages.type_of >= 0
    if not typed.any():
        return {}
    guessed, right = predictions.types.argmax(1), pages.type_of
    hits = guessed[typed] == right[typed]
    recalls = {
        name: _short(float((guessed[right == number] == number).mean())) for number, name in enumerate(pages.types)
    }
    error = reliability(predictions.types.max(1)[typed], hits.astype(np.float64)).error
    return {"accuracy": _short(float(hits.mean())), "pages": int(typed.sum()), "found": recalls, "ece": _short(error)}


def _worst(data: Dataset, scores: Numbers, best: Numbers, confidence: Numbers) -> list[dict[str, Any]]:
    order: Sequence[int] = np.argsort(scores - best, kind="stable")[:_WORST].tolist()
    return [
        {
            "page": data.infos[page].id,
            "type": data.infos[page].page_type,
            "language": data.infos[page].lang,
            "f1": _short(float(scores[page])),
            "oracle": _short(float(best[page])),
            "confidence": _short(float(confidence[page])),
        }
        for page in order
    ]


def _short(number: float) -> float | None:
    """Round to four digits; `None` for NaN."""
    return None if number != number else round(number, 4)
