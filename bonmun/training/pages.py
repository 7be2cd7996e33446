"""What is learned of whole pages from answers out of fold: summaries, types, and how good the answers were."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bonmun.methods.learned.page_figures import SUMMARY, summary
from bonmun.training.calibration import Calibration, calibrate
from bonmun.training.dataset import Dataset, Numbers, Rows, with_scores
from bonmun.training.ensembles import Ensemble, constant
from bonmun.training.page_models import fit_confidence, fit_types, type_probabilities
from bonmun.training.recipe import NO_TYPE, SAME_TYPE, UNKNOWN, Recipe
from bonmun.training.scoring import choices, page_scores
from bonmun.training.trees import Judged


@dataclass(frozen=True)
class Pages:
    """Every page as the models out of fold saw it."""

    summaries: NDArray[np.float32]
    scores: Numbers
    """The word F1 of the choice."""
    types: list[str]
    """Those that are common enough to be learned; `UNKNOWN` alone where there are not two."""
    type_of: NDArray[np.int64]
    """An index into `types`, -1 where the type is none of them."""


@dataclass(frozen=True)
class PageParts:
    """What a model file holds beside the trees over blocks."""

    calibration: Calibration
    types: list[Ensemble]
    confidence: Ensemble


@dataclass(frozen=True)
class Promises:
    """What models promised of pages that they had not seen."""

    blocks: Numbers
    """Calibrated probability of each row."""
    confidence: Numbers
    types: NDArray[np.float64]
    """Probability of each type, for each page."""


def judged_pages(data: Dataset, judged: Judged, recipe: Recipe) -> Pages:
    """Choose the blocks of every page and sum it up."""
    keep = choices(data, judged.probabilities, recipe.empty)
    table = with_scores(data, *judged.scores)
    rows = [data.rows(page) for page in range(len(data.infos))]
    found = [
        summary(data.columns, table[at].tobytes(), judged.probabilities[at].tolist(), data.sizes[at].tolist(), chosen)
        for at, chosen in zip(rows, keep, strict=True)
    ]
    names = [SAME_TYPE.get(info.page_type, info.page_type) for info in data.infos]
    times = Counter(names)
    common = sorted(name for name in times if times[name] >= recipe.fewest_of_type and name not in NO_TYPE)
    types = common if len(common) > 1 else [UNKNOWN]
    type_of = np.array([types.index(name) if name in types and name != UNKNOWN else -1 for name in names])
    return Pages(np.array(found, np.float32).reshape(-1, len(SUMMARY)), page_scores(data, keep), types, type_of)


def fit_parts(data: Dataset, judged: Judged, pages: Pages, seen: Rows, recipe: Recipe) -> PageParts:
    """Fit calibration, types and confidence to the pages seen."""
    rows = seen[data.page]
    total = np.maximum(np.bincount(data.page, data.sizes, len(data.infos)), 1e-9)
    weight = data.sizes / total[data.page]
    typed = seen & (pages.type_of >= 0)
    types = [constant(0.0)]
    if len(pages.types) > 1:
        kinds = pages.type_of[typed].tolist()
        types = fit_types(pages.summaries[typed], kinds, len(pages.types), recipe)
    return PageParts(
        calibrate(judged.probabilities[rows], data.labels[rows], weight[rows]),
        types,
        fit_confidence(pages.summaries[seen], pages.scores[seen], recipe),
    )


def promises(data: Dataset, judged: Judged, pages: Pages, fold: NDArray[np.int64], parts: list[PageParts]) -> Promises:
    """Ask each fold's model about the pages that it has not seen."""
    blocks = np.zeros(len(data.page))
    confidence = np.zeros(len(data.infos))
    types = np.zeros((len(data.infos), len(pages.types)))
    for k, part in enumerate(parts):
        mine = fold == k
        blocks[mine[data.page]] = part.calibration(judged.probabilities[mine[data.page]])
        confidence[mine] = np.clip(part.confidence.sums(pages.summaries[mine]), 0, 1)
        types[mine] = type_probabilities(part.types, pages.summaries[mine])
    return Promises(blocks, confidence, types)
