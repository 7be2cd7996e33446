"""Trees learn the conventions of corpora apart, and are asked by the default's alone."""

import numpy as np
import pytest

pytest.importorskip("lightgbm", reason="training needs the extra train")

from bonmun.training.boosting import Lesson, boosted
from bonmun.training.recipe import Recipe

RECIPE = Recipe(trees=60, boosting={**Recipe().boosting, "feature_fraction": 1.0, "learning_rate": 0.2})


@pytest.fixture(scope="module")
def lesson():
    """Rows whose label is the first column by the default, and its opposite by another convention."""
    table = np.random.default_rng(1).random((4000, 3), np.float32)
    code = np.repeat(np.array([0, 2], np.float32), 2000)
    labels = np.where(code == 0, table[:, 0] > 0.5, table[:, 0] < 0.5).astype(float)
    return Lesson(table, code, labels, np.ones(4000))


def test_sums_are_those_of_the_default_convention(lesson):
    sums = boosted(lesson, RECIPE.trees, RECIPE).sums(lesson.table)
    assert ((sums > 0) == (lesson.table[:, 0] > 0.5)).mean() > 0.95


def test_without_the_column_nothing_can_be_learned_from_both(lesson):
    blind = Lesson(lesson.table, np.zeros(4000, np.float32), lesson.labels, lesson.weights)
    sums = boosted(blind, RECIPE.trees, RECIPE).sums(lesson.table)
    assert ((sums > 0) == (lesson.table[:, 0] > 0.5)).mean() < 0.8


def test_the_trees_that_are_kept_have_the_same_sums_and_no_node_for_the_convention(lesson):
    grown = boosted(lesson, RECIPE.trees, RECIPE)
    kept = grown.ensemble()
    assert kept.feature.max() < lesson.table.shape[1]
    assert kept.sums(lesson.table) == pytest.approx(grown.sums(lesson.table), abs=1e-5)


def test_the_first_trees_have_sums_of_their_own(lesson):
    grown = boosted(lesson, RECIPE.trees, RECIPE)
    assert not np.allclose(grown.sums(lesson.table, 5), grown.sums(lesson.table))
