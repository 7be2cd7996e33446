from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("lightgbm", reason="training needs the extra train")

from bonmun.evaluate.corpora import open_corpus
from bonmun.methods.learned.cascade import Exit
from bonmun.training.dataset import Dataset
from bonmun.training.measuring import measured
from bonmun.training.partition import partition
from bonmun.training.recipe import Recipe
from bonmun.training.trees import cross_validate, fit_exit, settled
from bonmun.training.variants import training_pages
from tests.training.small import small_corpus


def test_the_model_of_a_fold_is_trained_without_its_pages(tmp_path):
    corpus = open_corpus(small_corpus(tmp_path / "small.jsonl"))
    data = Dataset.of(
        measured(training_pages([corpus], variants=False), tmp_path / "tables", 1, lambda: None, pytest.fail)
    )
    recipe = Recipe(folds=3, trees=4)
    fold = np.array(partition(data.infos, 3, 0))
    lying = replace(data, labels=np.where(fold[data.page] == 1, 1 - data.labels, data.labels))
    honest, deceived = (cross_validate(one, recipe, fold) for one in (data, lying))
    for k, same in enumerate((False, True, False, False)):
        assert np.array_equal(honest.ensembles[k].leaf, deceived.ensembles[k].leaf) == same


def test_sums_of_settled_rows_are_extrapolated_and_others_use_all_trees():
    first, whole = np.array([-5.0, 0.0, 5.0]), np.array([-1.0, 1.0, 2.0])
    probabilities = settled(first, whole, Exit(1, -3.0, 3.0, 2.0))
    assert np.log(probabilities / (1 - probabilities)) == pytest.approx([-10.0, 1.0, 10.0])


def test_the_weight_of_the_early_exit_is_the_ratio_of_whole_to_first_sums():
    exit = fit_exit(
        np.array([-4.0, 0.5, 4.0]), np.array([-6.0, 9.0, 6.0]), Recipe(trees=30, first_trees=0.25, settled=(-3.0, 3.0))
    )
    assert exit == Exit(8, -3.0, 3.0, 1.5)


def test_the_weight_is_1_if_no_row_is_settled():
    assert fit_exit(np.zeros(3), np.ones(3), Recipe()).weight == pytest.approx(1.0)
