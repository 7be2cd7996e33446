"""Page-level training on out-of-fold results: calibration, page types, confidence."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bonmun.methods.learned.page_figures import SUMMARY, summary
from bonmun.training.calibration import Calibration, calibrate
from bonmun.training.dataset import Dataset, Numbers, Rows, with_scores
from bonmun.training.ensembles import Ensemble, constant
from bonmun.training.page_models import fit_confidence, fit_types, type_probabilities
from bonmun.training.page_scores import choices, page_scores
from bonmun.training.recipe import NO_TYPE, SAME_TYPE, UNKNOWN, Recipe
from bonmun.training.trees import CrossValidation


@dataclass(frozen=True)
class Pages:
    """The out-of-fold results of every page."""

    summaries: NDArray[np.float32]
    scores: Numbers
    """The word F1 of the chosen blocks."""
    types: list[str]
    """Types with enough pages to be learned; only `UNKNOWN` if there are fewer than two."""
    type_of: NDArray[np.int64]
    """Index into `types`, -1 for other types."""


@dataclass(frozen=True)
class PageParts:
    """The page-level parts of a model file."""

    calibration: Calibration
    types: list[Ensemble]
    confidence: Ensemble


@dataclass(frozen=True)
class Predictions:
    """Out-of-fold predictions."""

    blocks: Numbers
    """Calibrated probability of each row."""
    confidence: Numbers
    types: NDArray[np.float64]
    """Probability of each type for each page."""


def judged_pages(data: Dataset, validation: CrossValidation, recipe: Recipe) -> Pages:
    """Choose the blocks of every page, and compute its summary and score."""
    keep = choices(data, validation.probabilities, recipe.empty)
    table = with_scores(data, *validation.scores)
    rows = [data.rows(page) for page in range(len(data.infos))]
    summaries = [
        summary(
            data.columns,
            [(0, table[own].tobytes())],
            validation.probabilities[own].tolist(),
            data.sizes[own].tolist(),
            chosen,
        )
        for own, chosen in zip(rows, keep, strict=True)
    ]
    names = [SAME_TYPE.get(info.page_type, info.page_type) for info in data.infos]
    times = Counter(names)
    common = sorted(name for name in times if times[name] >= recipe.fewest_of_type and name not in NO_TYPE)
    types = common if len(common) > 1 else [UNKNOWN]
    type_of = np.array([types.index(name) if name in types and name != UNKNOWN else -1 for name in names])
    return Pages(np.array(summaries, np.float32).reshape(-1, len(SUMMARY)), page_scores(data, keep), types, type_of)


def fit_parts(data: Dataset, validation: CrossValidation, pages: Pages, seen: Rows, recipe: Recipe) -> PageParts:
    """Fit calibration, types and confidence on the training pages `seen`."""
    rows = seen[data.page] & data.known
    total = np.maximum(np.bincount(data.page, data.sizes, len(data.infos)), 1e-9)
    weight = data.sizes / total[data.page]
    typed = seen & (pages.type_of >= 0)
    types = [constant(0.0)]
    if len(pages.types) > 1:
        kinds = pages.type_of[typed].tolist()
        types = fit_types(pages.summaries[typed], kinds, len(pages.types), recipe)
    return PageParts(
        calibrate(validation.probabilities[rows], data.labels[rows], weight[rows]),
        types,
        fit_confidence(pages.summaries[seen], pages.scores[seen], recipe),
    )


def predict_out_of_fold(
    data: Dataset, validation: CrossValidation, pages: Pages, fold: NDArray[np.int64], parts: list[PageParts]
) -> Predictions:
    """Return the predictions of each fold's model for the pages of that fold."""
    blocks = np.zeros(len(data.page))
    confidence = np.zeros(len(data.infos))
    types = np.zeros((len(data.infos), len(pages.types)))
    for k, part in enumerate(parts):
        mine = fold == k
        blocks[mine[data.page]] = part.calibration(validation.probabilities[mine[data.page]])
        confidence[mine] = np.clip(part.confidence.sums(pages.summaries[mine]), 0, 1)
        types[mine] = type_probabilities(part.types, pages.summaries[mine])
    return Predictions(blocks, confidence, types)
