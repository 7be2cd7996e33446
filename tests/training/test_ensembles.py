import numpy as np
import pytest

lightgbm = pytest.importorskip("lightgbm", reason="training needs the extra train")

from bonmun.training.ensembles import ensembles, least_right  # noqa: E402

SETTINGS = {"verbosity": -1, "num_leaves": 15, "min_data_in_leaf": 5, "num_threads": 1, "use_missing": False, "seed": 1}


@pytest.fixture
def rows():
    """Feature-like numbers: repeated, adjacent, very large and denormal ones."""
    random = np.random.default_rng(0)
    table = random.normal(size=(3000, 6)).astype(np.float32)
    table[:, 1] = random.integers(0, 4, 3000)
    table[:, 2] = np.nextafter(np.float32(0.1), random.integers(0, 2, 3000).astype(np.float32))
    table[:, 3] *= np.float32(1e30)
    table[:, 4] = random.integers(0, 2, 3000) * np.float32(1e-40)
    return table


def test_sums_equal_lightgbms_raw_scores(rows):
    target = 1 / (1 + np.exp(-rows[:, 0] - rows[:, 1]))
    booster = lightgbm.train({**SETTINGS, "objective": "cross_entropy"}, lightgbm.Dataset(rows, target), 60)
    sums = ensembles(booster)[0].sums(rows)
    assert np.abs(sums - booster.predict(rows, raw_score=True)).max() < 1e-5
    assert np.abs(1 / (1 + np.exp(-sums)) - booster.predict(rows)).max() < 1e-5


def test_every_class_has_its_own_ensemble(rows):
    target = rows[:, 1].astype(int)
    settings = {**SETTINGS, "objective": "multiclass", "num_class": 4}
    booster = lightgbm.train(settings, lightgbm.Dataset(rows, target), 10)
    sums = np.stack([ensemble.sums(rows) for ensemble in ensembles(booster)], 1)
    assert sums.shape == (3000, 4)
    assert np.abs(sums - booster.predict(rows, raw_score=True)).max() < 1e-5


def test_a_tree_without_splits_is_one_node_and_one_leaf(rows):
    booster = lightgbm.train({**SETTINGS, "objective": "regression"}, lightgbm.Dataset(rows, np.full(3000, 0.25)), 2)
    ensemble = ensembles(booster)[0]
    assert ensemble.start.tolist() == list(range(len(ensemble.leaf) + 1))
    assert np.abs(ensemble.sums(rows[:5]) - 0.25).max() < 1e-6


@pytest.mark.parametrize("value", range(4))
def test_trees_cut_at_a_value_of_a_column_answer_as_with_it(rows, value):
    target = 1 / (1 + np.exp(-rows[:, 0] * (rows[:, 1] - 1)))
    settings = {**SETTINGS, "objective": "cross_entropy"}
    whole = ensembles(lightgbm.train(settings, lightgbm.Dataset(rows, target), 40))[0]
    asked = rows.copy()
    asked[:, 1] = value
    cut = whole.at(1, value)
    assert 1 not in cut.feature
    assert len(cut.leaf) < len(whole.leaf)
    assert (cut.sums(rows) == whole.sums(asked)).all()


def test_a_tree_that_asks_for_one_column_only_becomes_a_leaf(rows):
    target = (rows[:, 1] > 1).astype(float)
    settings = {**SETTINGS, "objective": "regression", "num_leaves": 2}
    whole = ensembles(lightgbm.train(settings, lightgbm.Dataset(rows, target), 2))[0]
    cut = whole.at(1, 3)
    assert cut.start.tolist() == [0, 1, 2]
    assert len(cut.leaf) == 2
    assert cut.sums(rows[:3]).tolist() == pytest.approx([whole.sums(rows[rows[:, 1] == 3][:1])[0]] * 3)


def test_a_tree_with_missing_values_is_refused(rows):
    table = rows.copy()
    table[::3, 0] = np.nan
    settings = {**SETTINGS, "objective": "regression", "use_missing": True}
    booster = lightgbm.train(settings, lightgbm.Dataset(table, rows[:, 0].copy()), 3)
    with pytest.raises(ValueError, match="missing values"):
        ensembles(booster)


@pytest.mark.parametrize("threshold", [0.0, 0.1, -0.1, 1e-35, 1 / 3, 16777217.0, 1e300, -1e300, float(np.float32(0.1))])
def test_numbers_next_to_a_threshold_take_lightgbms_branch(threshold):
    limit = least_right(0, threshold)
    with np.errstate(over="ignore"):
        near = np.float32(threshold)
    around = [near, np.nextafter(near, np.float32(np.inf)), np.nextafter(near, np.float32(-np.inf)), np.float32(0)]
    for number in around:
        assert (number < limit) == (float(number) <= threshold) or np.isinf(number)
