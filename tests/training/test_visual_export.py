"""Model files of fitted networks, read by numpy, give what torch gave."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="training needs the extra train")

from bonmun.errors import InputError  # noqa: E402
from bonmun.methods.tensor_file import read_tensors  # noqa: E402
from bonmun.methods.visual.rows import COLUMNS  # noqa: E402
from bonmun.methods.visual.tabnet import TabNet  # noqa: E402
from bonmun.methods.visual.tabnet_file import expected_arrays  # noqa: E402
from bonmun.training.visual.card import card  # noqa: E402
from bonmun.training.visual.export import shape_of, without_window, write_model  # noqa: E402
from bonmun.training.visual.plans import Plan  # noqa: E402
from bonmun.training.visual.report import report_of  # noqa: E402
from bonmun.training.visual.results import Result, ResultWriter, read_results  # noqa: E402

SCORES = {"auc": 0.7, "page_auc": 0.7, "half": 0.5, "best": 0.6, "threshold": 0.4, "everything": 0.5, "positive": 0.3}


def result(plan: Plan, state: dict[str, Any] | None = None) -> Result:
    facts = {"validation": SCORES, "test": {"wcxb_dev": SCORES}, "step": 300, "steps": 500}
    empty = Result(plan, facts, {}, np.full(plan.width, 1 / plan.width), {"wcxb_dev": np.zeros(3, np.float16)})
    random = np.random.default_rng(plan.seed)
    arrays = {name: random.random(size, np.float32) for name, size in expected_arrays(shape_of(empty))}
    return Result(plan, facts, arrays if state is None else state, empty.importances, empty.probabilities)


def rows(count: int) -> Any:
    random = np.random.default_rng(5)
    matrix = np.abs(random.normal(0, 1, (count, len(COLUMNS)))).astype(np.float32)
    matrix[:, 1], matrix[:, 5] = random.integers(0, 138, count), random.integers(0, 2, count)
    return matrix


@pytest.mark.parametrize("width", [16, 18])
@pytest.mark.parametrize("variant", ["raw", "log"])
def test_an_exported_network_gives_the_same_probabilities_as_torch(tmp_path: Path, width: int, variant: Any) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: extra visual-train")
    pytest.importorskip("pytorch_tabnet", reason="pytorch-tabnet is not installed: extra visual-train")
    from bonmun.training.visual.networks import Networks, Shape
    from bonmun.training.visual.pool import with_variant

    torch.set_num_threads(1)
    networks, matrix = Networks(Shape(COLUMNS[:width]), [7]), rows(512)
    x = torch.from_numpy(with_variant(matrix, variant))[None, :, :width]
    for _ in range(20):
        networks.logits(x, training=True)
    state = {name: value.numpy() for name, value in networks.states()[0].items()}
    write_model(tmp_path / "model.safetensors", result(Plan("one", "wcxb_dev", width, 7, variant=variant), state))
    with torch.no_grad():
        expected = networks.logits(x, training=False)[0][0].softmax(-1)[:, 1].numpy()
        masks = networks.importances(x)[0].numpy()
    network = TabNet.load(tmp_path / "model.safetensors")
    assert np.abs(network.probabilities(matrix) - expected).max() < 1e-4
    found = network.masks(matrix)
    held = found.sum(axis=1) > 1e-6
    assert np.abs(found / found.sum(axis=1, keepdims=True) - masks)[held].max() < 1e-3


@pytest.mark.parametrize("variant", ["raw", "log"])
def test_the_size_of_the_window_is_a_constant_of_an_exported_network(tmp_path: Path, variant: Any) -> None:
    fitted = result(Plan("one", "wcxb_dev", 18, 0, variant=variant))
    norm, window = "tabnet.encoder.initial_bn", slice(15, 17)  # the tag has four inputs
    fitted.state[f"{norm}.running_var"][:] = 1.0
    fitted.state[f"{norm}.running_mean"][window] = (1366, 768) if variant == "raw" else np.log1p((1366, 768))
    fitted.state[f"{norm}.running_var"][window] = 1e-8
    write_model(tmp_path / "model.safetensors", fitted)
    matrix = rows(64)
    matrix[:, 12], matrix[:, 13] = 1366, 768
    network = TabNet.load(tmp_path / "model.safetensors")
    before = network.probabilities(matrix)
    matrix[:, 12] = 1280
    assert np.array_equal(network.probabilities(matrix), before)
    changed = without_window(fitted.state, shape_of(fitted))
    assert np.flatnonzero(changed[f"{norm}.weight"] != fitted.state[f"{norm}.weight"]).tolist() == [15, 16]


def test_a_state_without_an_array_is_refused(tmp_path: Path) -> None:
    whole = result(Plan("one", "wcxb_dev", 18, 0))
    state = {name: value for name, value in whole.state.items() if "final_mapping" not in name}
    with pytest.raises(InputError, match=r"final_mapping\.weight .* \[2, 8\]"):
        write_model(tmp_path / "model.safetensors", result(whole.plan, state))


def test_results_are_complete_after_each_one(tmp_path: Path) -> None:
    writer = ResultWriter(tmp_path)
    for seed in range(2):
        writer.add(result(Plan("visual-1", "wcxb_dev", 16, seed)))
        assert [found.plan.seed for found in read_results(tmp_path)] == list(range(seed + 1))


def test_cards_name_data_licence_split_and_spread() -> None:
    results = [result(Plan("visual-2", "wcxb_dev", 18, seed)) for seed in range(3)]
    report = json.loads(json.dumps(report_of(results, {"visual-2": "visual-2-seed0"})))
    figures = report["models"]["visual-2"]
    assert figures["seeds"] == [0, 1, 2]
    assert figures["importances"]["d1"] == {"mean": 0.05556, "spread": 0.0, "values": [0.05556] * 3}
    settings = {"batch": 1024, "rate": 0.01, "clip": 1, "sparsity": 1e-4, "total": 9}
    text = card("visual-2", results[0].plan, report, settings)
    assert "Murrough Foley, 2026; CC-BY-4.0" in text
    assert "decile 0 are test sites, of decile 5 validation sites" in text
    assert "0.700 ± 0.000" in text


@pytest.mark.parametrize(("name", "columns"), [("visual-1", COLUMNS[:16]), ("visual-2", COLUMNS)])
def test_the_shipped_models_are_small_and_have_cards(name: str, columns: tuple[str, ...]) -> None:
    models = files("bonmun.models")
    content = models.joinpath(f"{name}.safetensors").read_bytes()
    assert len(content) < 300_000
    assert TabNet.load(content).columns == columns
    assert "CC-BY-4.0" in models.joinpath(f"{name}.md").read_text(encoding="utf-8")
    report = json.loads(models.joinpath("visual.json").read_text(encoding="utf-8"))
    assert len(report["models"][name]["seeds"]) >= 5


@pytest.mark.parametrize("name", ["visual-1", "visual-2"])
def test_the_shipped_models_give_what_pytorch_tabnet_gives(name: str) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: extra visual-train")
    pytest.importorskip("pytorch_tabnet", reason="pytorch-tabnet is not installed: extra visual-train")
    from bonmun.training.visual.networks import Shape

    content = files("bonmun.models").joinpath(f"{name}.safetensors").read_bytes()
    own, file = TabNet.load(content), read_tensors(content)
    network = Shape(own.columns).network().double().eval()
    arrays = {key: torch.tensor(values).reshape(file.shapes[key]) for key, values in file.arrays.items()}
    assert not network.load_state_dict(arrays, strict=False).unexpected_keys
    encoder = network.tabnet.encoder
    encoder.group_attention_matrix = encoder.group_attention_matrix.double()
    matrix = rows(400) * np.float32(300)
    matrix[:, (1, 5, 12, 13)] = np.stack([rows(400)[:, 1], rows(400)[:, 5], np.full(400, 1366), np.full(400, 768)], 1)
    with torch.no_grad():
        expected = network(torch.from_numpy(matrix[:, : len(own.columns)]))[0].softmax(-1)[:, 1].numpy()
    assert expected.std() > 0.01
    assert np.abs(own.probabilities(matrix) - expected).max() < 1e-4
