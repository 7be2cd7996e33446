"""Models with random weights, in the format of trained ones."""

import json
import random
from array import array
from math import prod

from bonmun.methods.tensor_file import write_tensors
from bonmun.methods.visual.rows import CATEGORIES
from bonmun.methods.visual.tabnet_file import Shape, expected_arrays

SIZES = {"n_d": 4, "n_a": 4, "n_steps": 2, "gamma": 1.3, "n_independent": 1, "n_shared": 1}


def write_model(path, columns, seed):
    """Write a model that reads these columns."""
    draw = random.Random(seed)
    about = {"format": 1, "name": path.stem, "columns": list(columns), "categories": CATEGORIES,
             "embedding": {"tag": 2, "visible": 1}, **SIZES}  # fmt: skip
    shape = Shape(**{name: value for name, value in about.items() if name != "format"})
    arrays = {}
    for name, sizes in expected_arrays(shape):
        positive = name.endswith("running_var")
        numbers = array("f", [draw.uniform(0.5, 2) if positive else draw.gauss(0, 1) for _ in range(prod(sizes))])
        arrays[name] = ("F32", sizes, numbers.tobytes())
    write_tensors(path, arrays, {"bonmun": json.dumps(about)})
