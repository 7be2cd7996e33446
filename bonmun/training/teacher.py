"""What the trees learn from: the labels of the corpora, and where a corpus lists lines only, those of a teacher.

The lines of a recipe say what must be kept, and nothing about the rest of its page. Learned as they are, they teach to
keep everything; the teacher, trained on the fully labelled pages, says what it thinks of the rest.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bonmun.training.boosting import boosted
from bonmun.training.dataset import Dataset, Numbers, Rows
from bonmun.training.recipe import Recipe


@dataclass(frozen=True)
class Lesson:
    """The rows to learn from, with their labels and weights."""

    table: NDArray[np.float32]
    labels: Numbers
    weights: Numbers


def labelled(data: Dataset, recipe: Recipe) -> Rows:
    """Return the rows of fully labelled pages whose label is known."""
    full = ~data.lines_only[data.page]
    return full & data.known if recipe.conventions else full


def lesson(data: Dataset, table: NDArray[np.float32], weights: Numbers, rows: Rows, recipe: Recipe) -> Lesson:
    """Return what there is to learn on some rows; the teacher sees no other rows either."""
    own, lines = rows & labelled(data, recipe), rows & data.lines_only[data.page]
    trees = round(recipe.trees * recipe.teacher)
    if not trees or not lines.any():
        return Lesson(table[own], data.labels[own], weights[own])
    of_teacher = own & data.originals[data.page]
    teacher = boosted(table[of_teacher], data.labels[of_teacher], weights[of_teacher], trees, recipe)
    open_rows = lines & ~data.known
    labels, trust = data.labels.copy(), weights.copy()
    if open_rows.any():
        labels[open_rows] = teacher.predict(table[open_rows], num_threads=recipe.jobs)
        trust[open_rows] *= recipe.taught_weight
    every = own | lines
    return Lesson(table[every], labels[every], trust[every])
