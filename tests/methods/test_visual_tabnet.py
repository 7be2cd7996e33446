"""TabNet in numpy: equal to pytorch_tabnet, and model files that are refused.

`tabnet_case/` has a tiny model with random weights and its outputs; `tools/make_tabnet_case.py` made it with torch.
"""

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from bonmun.errors import BadModel
from bonmun.methods.tensor_file import Array, read_tensors, write_tensors
from bonmun.methods.visual.rows import CATEGORIES, COLUMNS, TABNET_1
from bonmun.methods.visual.tabnet import TabNet, shipped

CASE = Path(__file__).parent / "tabnet_case"
TINY = CASE / "tiny.safetensors"
MAKER = Path(__file__).parents[2] / "tools" / "make_tabnet_case.py"


def whole(columns: tuple[str, ...], rows: Any) -> Any:
    """Rows of some columns with zeros in all others."""
    matrix = np.zeros((len(rows), len(COLUMNS)), np.float32)
    matrix[:, [COLUMNS.index(name) for name in columns]] = rows
    return matrix


def test_outputs_and_masks_are_those_of_pytorch_tabnet() -> None:
    case, model = json.loads((CASE / "outputs.json").read_text(encoding="utf-8")), TabNet.load(TINY)
    matrix = whole(model.columns, case["rows"])
    assert model.probabilities(matrix) == pytest.approx(case["probabilities"], abs=1e-5)
    assert model.masks(matrix) == pytest.approx(np.array(case["masks"]), abs=1e-4)
    assert min(case["probabilities"]) < 0.5 < 0.7 < max(case["probabilities"])


def test_a_page_of_any_number_of_rows_is_read_in_parts() -> None:
    case, model = json.loads((CASE / "outputs.json").read_text(encoding="utf-8")), TabNet.load(TINY)
    matrix = whole(model.columns, case["rows"])
    many = model.probabilities(np.tile(matrix, (3000, 1)))
    assert many.shape == (18_000,)
    assert many.reshape(3000, 6) == pytest.approx(np.tile(case["probabilities"], (3000, 1)), abs=1e-5)
    assert model.probabilities(matrix[:0]).shape == (0,)
    assert model.masks(matrix[:0]).shape == (0, 5)


def test_the_size_of_the_window_changes_nothing_if_all_training_pages_had_the_same() -> None:
    rows = np.random.default_rng(1).uniform(0, 900, (50, len(COLUMNS))).astype(np.float32)
    rows[:, [COLUMNS.index("tag"), COLUMNS.index("visible")]] = 1
    model, other = shipped(), rows.copy()
    rows[:, COLUMNS.index("viewport_width")], rows[:, COLUMNS.index("viewport_height")] = 1366, 768
    other[:, COLUMNS.index("viewport_width")], other[:, COLUMNS.index("viewport_height")] = 1920, 1080
    assert np.array_equal(model.probabilities(rows), model.probabilities(other))


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    pytest.importorskip("torch", reason="torch is not installed")
    pytest.importorskip("pytorch_tabnet", reason="pytorch_tabnet is not installed")
    spec = importlib.util.spec_from_file_location("make_tabnet_case", MAKER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "change",
    [
        {"columns": list(TABNET_1), "n_d": 8, "n_a": 8, "n_steps": 3, "n_independent": 2},
        {"columns": list(COLUMNS), "n_d": 4, "n_a": 6, "n_steps": 5, "embedding": {"tag": 8, "visible": 2}},
        {"n_shared": 0},
        {"n_independent": 0},
        {"gamma": 1.9, "n_shared": 1, "n_independent": 3},
    ],
)
def test_networks_of_other_shapes_equal_torch_too(maker: ModuleType, tmp_path: Path, change: dict[str, Any]) -> None:
    about = maker.ABOUT | change
    network, rows = maker.network(about, 3), maker.rows_for(about, 300)
    maker.write(network, about, tmp_path / "model.safetensors")
    probabilities, masks = maker.outputs(network, about, rows)
    model, matrix = TabNet.load(tmp_path / "model.safetensors"), whole(tuple(about["columns"]), rows.numpy())
    assert np.abs(model.probabilities(matrix) - probabilities.numpy()).max() < 1e-4
    assert np.abs(model.masks(matrix) - masks.numpy()).max() < 1e-3 * float(masks.max())  # five steps amplify rounding


Damage = Callable[[dict[str, Array], dict[str, Any]], object]


def named(suffix: str, arrays: dict[str, Array]) -> str:
    return next(name for name in arrays if name.endswith(suffix))


def poisoned(arrays: dict[str, Array], suffix: str, value: float) -> None:
    name = named(suffix, arrays)
    kind, shape, data = arrays[name]
    arrays[name] = kind, shape, np.float32(value).tobytes() + data[4:]


def reshaped(arrays: dict[str, Array]) -> None:
    kind, shape, data = arrays[name := named("final_mapping.weight", arrays)]
    arrays[name] = kind, shape[::-1], data


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda arrays, about: arrays.pop(named("final_mapping.weight", arrays)), r"final_mapping.weight is missing"),
        (lambda arrays, about: reshaped(arrays), r"final_mapping.weight must be of type F32 and shape \[2, 3\]"),
        (lambda arrays, about: poisoned(arrays, "fc.weight", float("nan")), "not finite"),
        (lambda arrays, about: poisoned(arrays, "running_var", -1.0), "variance below 0"),
        (lambda arrays, about: about.update(format=2), "not a TabNet of format 1"),
        (lambda arrays, about: about.pop("n_d"), "incomplete.*n_d"),
        (lambda arrays, about: about.update(n_d=10**9), "sensible size"),
        (lambda arrays, about: about.update(n_steps=0), "sensible size"),
        (lambda arrays, about: about.update(n_shared=0, n_independent=0), "both 0"),
        (lambda arrays, about: about.update(gamma="high"), "gamma"),
        (lambda arrays, about: about.update(columns=["order", "taste"]), "list of columns"),
        (lambda arrays, about: about.update(columns=["tag", "tag"]), "unique"),
        (lambda arrays, about: about.update(categories={"tag": 3, "visible": 2}), "'categories'"),
        (lambda arrays, about: about.update(embedding={"visible": 1, "tag": 2}), "'embedding'"),
        (lambda arrays, about: about.update(embedding=None), "objects"),
        (lambda arrays, about: about.update(transform="square"), "transform"),
    ],
)
def test_a_model_file_that_makes_no_sense_is_refused(damage: Damage, message: str, tmp_path: Path) -> None:
    content = read_tensors(TINY)
    arrays = {name: ("F32", content.shapes[name], bytes(numbers)) for name, numbers in content.arrays.items()}
    about = json.loads(content.metadata["bonmun"])
    damage(arrays, about)
    path = tmp_path / "damaged.safetensors"
    write_tensors(path, arrays, {"bonmun": json.dumps(about)})
    with pytest.raises(BadModel, match=message) as raised:
        TabNet.load(path)
    assert str(path) in str(raised.value)


def test_a_damaged_file_and_one_of_another_kind_are_refused(tmp_path: Path) -> None:
    content = bytearray(TINY.read_bytes())
    content[-1] ^= 1
    with pytest.raises(BadModel, match="checksum mismatch"):
        TabNet.load(bytes(content))
    write_tensors(tmp_path / "other.safetensors", {}, {"format": "1"})
    with pytest.raises(BadModel, match="bonmun"):
        TabNet.load(tmp_path / "other.safetensors")
    with pytest.raises(BadModel, match="cannot read model file"):
        TabNet.load(tmp_path / "missing.safetensors")


def test_the_categories_of_the_case_are_those_of_rows() -> None:
    assert TabNet.load(TINY).shape.categories == CATEGORIES
