"""Networks trained together, compared with those of pytorch_tabnet; tiny fits."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: extra visual-train")
pytest.importorskip("pytorch_tabnet", reason="pytorch-tabnet is not installed: extra visual-train")

import numpy as np  # noqa: E402

from bonmun.methods.visual.rows import COLUMNS  # noqa: E402
from bonmun.training.visual.fit import Fit, FitSettings, run  # noqa: E402
from bonmun.training.visual.networks import Networks, Shape  # noqa: E402
from bonmun.training.visual.plans import Plan, part  # noqa: E402
from bonmun.training.visual.pool import Batches, Pool, with_variant  # noqa: E402
from bonmun.training.visual.results import read_results  # noqa: E402
from bonmun.training.visual.row_table import RowTable, TablePage  # noqa: E402
from bonmun.training.visual.run import fit_plans  # noqa: E402
from bonmun.training.visual.scores import area, scores  # noqa: E402

SHAPE = Shape(COLUMNS)


def rows(count: int, seed: int = 0) -> Any:
    random = np.random.default_rng(seed)
    matrix = random.normal(0, 1, (count, len(COLUMNS))).astype(np.float32)
    matrix[:, 1], matrix[:, 5] = random.integers(0, 138, count), random.integers(0, 2, count)
    return matrix


def table(pages: int = 30, size: int = 40) -> RowTable:
    """Pages whose main content is on the right."""
    matrix = rows(pages * size)
    label = (matrix[:, 6] > 0).astype(np.uint8)
    infos = tuple(TablePage(str(page), f"site{page}.org", "en", 1.0) for page in range(pages))
    first = np.arange(0, pages * size + 1, size)
    return RowTable(infos, first, COLUMNS, matrix, {"share": label, "single": 1 - label})


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def test_outputs_gradients_and_statistics_are_those_of_pytorch_tabnet() -> None:
    networks = Networks(SHAPE, [3, 4])
    x = torch.from_numpy(np.stack([rows(256, 1), rows(256, 2)]))
    outputs, sparsity = networks.logits(x, training=True)
    (gradient,) = torch.autograd.grad((outputs[..., 1].tanh().mean(1) - 0.01 * sparsity).sum(), networks.weights)
    for number, seed in enumerate((3, 4)):
        torch.manual_seed(seed)
        network = SHAPE.network().train()
        output, loss = network(x[number])
        (output[:, 1].tanh().mean() - 0.01 * loss).backward()
        assert torch.allclose(outputs[number], output, atol=1e-3)
        assert torch.allclose(sparsity[number], loss, atol=1e-5)
        own = networks.state(gradient[number], networks.statistics[number])
        for name, weight in network.named_parameters():
            if weight.grad is not None:
                assert torch.allclose(own[name], weight.grad, atol=1e-4), name
        for name, value in network.named_buffers():
            if "running" in name:
                assert torch.allclose(own[name], value, rtol=1e-4, atol=1e-4), name


def test_the_state_of_a_network_loads_into_pytorch_tabnet() -> None:
    networks = Networks(SHAPE, [0, 1])
    x = torch.from_numpy(rows(256))[None]
    for _ in range(3):
        networks.logits(x.expand(2, -1, -1), training=True)
    network = SHAPE.network()
    network.load_state_dict(networks.states()[1], strict=False)
    with torch.no_grad():
        expected = network.eval()(x[0])[0].softmax(-1)
        output = networks.logits(x, training=False, models=slice(1, 2))[0][0].softmax(-1)
    assert torch.allclose(output, expected, atol=1e-4)


def test_a_network_learns_from_its_own_labels_only() -> None:
    tables = {"corpus": table()}
    plans = [Plan("one", "corpus", 18, 0), Plan("other", "corpus", 18, 0, label="single")]
    pool = Pool(tables, plans)
    settings = FitSettings(batch=128, rate=0.03, steps=100, every=50)
    fit = Fit(pool, plans, SHAPE, settings)
    assert run([fit], settings, lambda record: None) == 100
    assert all(best is not None and best.auc > 0.8 for best in fit.best)
    fit.use_best()
    validation = fit.validation[0]
    one, other = (fit.probabilities(number, validation) for number in (0, 1))
    assert area(one, pool.labels(plans[0], validation)) > 0.8
    assert area(other, pool.labels(plans[0], validation)) < 0.2
    assert fit.importances(0).sum() == pytest.approx(1, abs=0.01)


def test_a_run_writes_results_that_can_be_read_again(tmp_path: Path) -> None:
    plans = [Plan("visual-1", "wcxb_dev", 16, 0), Plan("visual-2", "wcxb_dev", 18, 1)]
    tables = {"wcxb_dev": table(), "other": table(3)}
    fit_plans(tables, plans, FitSettings(batch=128, steps=4, every=2), tmp_path, "cpu")
    results = {result.plan: result for result in read_results(tmp_path)}
    assert set(results) == set(plans)
    for plan, result in results.items():
        tested = [page for page in tables["wcxb_dev"].pages if part(page.domain, plan.seed) == "test"]
        assert len(result.probabilities["wcxb_dev"]) == 40 * len(tested)
        assert len(result.probabilities["other"]) == 120
        assert result.importances.shape == (plan.width,)
        assert result.facts["steps"] == 4


def test_batches_are_epochs_or_follow_the_sampling() -> None:
    plan = Plan("one", "corpus", 18, 0)
    uneven = table(30)
    uneven = replace(uneven, labels={"share": (np.arange(1200) % 10 == 0).astype(np.uint8), "single": uneven.page * 0})
    pool = Pool({"corpus": uneven}, [plan])
    training = pool.of_part(plan, "train").index
    assert sorted(Batches(pool, plan).take(len(training)).tolist()) == sorted(training.tolist())
    drawn = Batches(pool, replace(plan, sampling="classes")).take(4000)
    assert float(pool.y[drawn].float().mean()) == pytest.approx(0.5, abs=0.05)


def test_variants_change_only_their_columns() -> None:
    matrix = rows(500)
    permuted, log, centre = (with_variant(matrix, variant) for variant in ("permuted", "log", "centre"))
    assert np.array_equal(permuted[:, :16], matrix[:, :16])
    assert np.array_equal(np.sort(permuted[:, 16]), np.sort(matrix[:, 16]))
    assert not np.array_equal(permuted[:, 16], matrix[:, 16])
    assert np.array_equal(log[:, (1, 5)], matrix[:, (1, 5)])
    assert np.abs(log[:, 6]).max() < np.abs(matrix[:, 6]).max()
    assert np.array_equal(centre[:, :16], matrix[:, :16])


def test_scores_are_means_over_pages() -> None:
    probability = torch.tensor([0.9, 0.2, 0.6, 0.7, 0.1, 0.4])
    label = torch.tensor([1, 0, 0, 1, 1, 0])
    found = scores(probability, label, torch.tensor([0, 0, 0, 1, 1, 2]), 3)
    assert found.half == pytest.approx((2 / 3 + 2 / 3) / 2)
    assert found.best == pytest.approx((1 + 2 / 3) / 2)
    assert found.everything == pytest.approx((0.5 + 1) / 2)
    assert found.page_auc == 1.0
    assert found.auc == pytest.approx(6 / 9)
