from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="training needs the extra train")

from bonmun.evaluate.corpora import open_corpus
from bonmun.training.dataset import Dataset
from bonmun.training.linear_scores import honest_scores
from bonmun.training.measuring import measured
from bonmun.training.partition import partition
from bonmun.training.recipe import Recipe
from bonmun.training.variants import training_pages
from tests.training.small import small_corpus


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("words")
    corpus = open_corpus(small_corpus(folder / "small.jsonl"))
    return Dataset.of(
        measured(training_pages([corpus], variants=False), folder / "tables", 1, lambda: None, pytest.fail)
    )


def test_a_score_does_not_depend_on_the_labels_of_its_own_fold(data):
    recipe = Recipe(folds=3)
    fold = np.array(partition(data.infos, 3, 0))
    of_row = fold[data.page]
    every = np.ones(len(of_row), bool)
    before = honest_scores(data, recipe, fold, every)
    lying = replace(data, labels=np.where(of_row == 1, 1 - data.labels, data.labels))
    after = honest_scores(lying, recipe, fold, every)
    mine = of_row == 1
    for model in (0, 1, 2, -1):
        for old, new in zip(before.by_fold[model], after.by_fold[model], strict=True):
            assert np.array_equal(old[mine], new[mine])
    for old, new in zip(before.by_fold[1], after.by_fold[1], strict=True):
        assert np.array_equal(old, new), "the model of a fold must not know that fold's labels at all"
    assert not np.array_equal(before.by_fold[0][0][~mine], after.by_fold[0][0][~mine])


def test_buckets_on_few_pages_have_no_weight(data):
    recipe = Recipe(folds=3, fewest_terms=10_000, fewest_names=10_000)
    scores = honest_scores(data, recipe, np.array(partition(data.infos, 3, 0)), np.ones(len(data.page), bool))
    assert not any(weights.any() for pair in scores.weights for weights in pair)
    assert [len(weights) for weights in scores.weights[-1]] == [1 << 15, 3 << 15]
