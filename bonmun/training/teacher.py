"""What the trees learn from: the labels of the corpora, and where a corpus lists lines only, those of a teacher.

The lines of a recipe say what must be kept, and nothing about the rest of its page. Learned as they are, they teach to
keep everything; the teacher, trained on the fully labelled pages, says what it thinks of the rest.
"""

import numpy as np
from numpy.typing import NDArray

from bonmun.training.boosting import Lesson, boosted
from bonmun.training.dataset import Dataset, Numbers, Rows
from bonmun.training.recipe import Recipe


def labelled(data: Dataset, recipe: Recipe) -> Rows:
    """Return the rows of fully labelled pages whose label is known."""
    full = ~data.lines_only[data.page]
    return full & data.known if recipe.conventions else full


def lesson(data: Dataset, table: NDArray[np.float32], weights: Numbers, rows: Rows, recipe: Recipe) -> Lesson:
    """Return what there is to learn on some rows; the teacher sees no other rows either."""
    own, lines = rows & labelled(data, recipe), rows & data.lines_only[data.page]
    trees = round(recipe.trees * recipe.teacher)
    codes = data.convention if recipe.conventions else np.zeros(len(table), np.float32)

    def taken(some: Rows, labels: Numbers, trust: Numbers) -> Lesson:
        return Lesson(table[some], codes[some], labels[some], trust[some])

    if not trees or not lines.any():
        return taken(own, data.labels, weights)
    teacher = boosted(taken(own & data.originals[data.page], data.labels, weights), trees, recipe)
    open_rows = lines & ~data.known
    labels, trust = data.labels.copy(), weights.copy()
    if open_rows.any():
        labels[open_rows] = 1 / (1 + np.exp(-teacher.sums(table[open_rows])))
        trust[open_rows] *= recipe.taught_weight
    return taken(own | lines, labels, trust)
