"""Model files of fitted networks: read by `bonmun.methods.visual` with numpy alone."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bonmun.errors import InputError
from bonmun.methods.tensor_file import Array, write_tensors
from bonmun.methods.visual.rows import CATEGORIES, COLUMNS
from bonmun.methods.visual.tabnet_file import FORMAT, Shape, expected_arrays
from bonmun.training.visual.results import Result

HYPER_PARAMETERS: Final = {"n_d": 8, "n_a": 8, "n_steps": 3, "gamma": 1.3, "n_independent": 2, "n_shared": 2}
EMBEDDING: Final = {"tag": 4, "visible": 1}
WINDOW: Final = {"viewport_width": 1366, "viewport_height": 768}
"""The window of all training pages: columns that are constant in training."""
_NORM: Final = "tabnet.encoder.initial_bn"
_SMALL: Final = 1e-5
"""Added to variances; the value of torch."""
_CONSTANT: Final = 0.01
"""A running variance below this is that of a constant column: it decays from 1."""


def shape_of(result: Result) -> Shape:
    """Return the hyper-parameters of a result's network, which are the defaults of `networks.Shape`."""
    transform = "log" if result.plan.variant.startswith("log") else "none"
    columns = COLUMNS[: result.plan.width]
    return Shape(result.plan.id, columns, categories=CATEGORIES, embedding=EMBEDDING, transform=transform,
                 **HYPER_PARAMETERS)  # type: ignore[arg-type]  # fmt: skip


def write_model(path: Path, result: Result) -> None:
    """Write the model file of a result; `InputError` if an array is missing or has another shape."""
    shape = shape_of(result)
    state = without_window(result.state, shape)
    arrays = {name: _plain(state, name, wanted) for name, wanted in expected_arrays(shape)}
    about: dict[str, Any] = {"format": FORMAT, **vars(shape), "trained": _trained(result)}
    write_tensors(path, arrays, {"bonmun": json.dumps(about)})


def without_window(state: Mapping[str, NDArray[np.float32]], shape: Shape) -> dict[str, NDArray[np.float32]]:
    """Return the state with the window's size as a constant: the outputs for pages drawn in that window stay the same.

    The first batch norm divides a constant column by 0.003: one pixel more would be 300 standard deviations, and torch
    itself loses the digits (its CPU kernel is off by up to 0.4 in the probability of a row).
    """
    parts = {
        name: state[f"{_NORM}.{name}"].astype(np.float64) for name in "weight bias running_mean running_var".split()
    }
    for name, value in WINDOW.items():
        at = sum(shape.widths[: shape.columns.index(name)])
        if parts["running_var"][at] < _CONSTANT:
            number = np.log1p(np.float32(value)) if shape.transform == "log" else np.float32(value)
            scale = parts["weight"][at] / np.sqrt(parts["running_var"][at] + _SMALL)
            parts["bias"][at] += (np.float64(number) - parts["running_mean"][at]) * scale
            parts["weight"][at] = 0.0
    return {**state, **{f"{_NORM}.{name}": part.astype(np.float32) for name, part in parts.items()}}


def _trained(result: Result) -> dict[str, Any]:
    plan = result.plan
    named = {"corpus": plan.corpus, "seed": plan.seed, "label": plan.label, "sampling": plan.sampling}
    return {**named, "variant": plan.variant, "threshold": result.facts["validation"]["threshold"]}


def _plain(state: Mapping[str, NDArray[np.float32]], name: str, wanted: tuple[int, ...]) -> Array:
    values = state.get(name, state.get(_shared(name)))
    if values is None or values.shape != wanted:
        raise InputError(f"array {name} of the network must have the shape {list(wanted)}")
    return "F32", wanted, np.ascontiguousarray(values, "<f4").tobytes()


def _shared(name: str) -> str:
    """The name under which the fitted state has the weights of a shared layer.

    >>> _shared("tabnet.encoder.initial_splitter.shared.glu_layers.1.fc.weight")
    'tabnet.encoder.initial_splitter.shared.shared_layers.1.weight'
    """
    return name.replace(".shared.glu_layers.", ".shared.shared_layers.").replace(".fc.weight", ".weight")
