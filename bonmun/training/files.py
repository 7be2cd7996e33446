"""The model files of a training run."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bonmun import __version__
from bonmun.methods.learned.model_file import FORMAT
from bonmun.methods.learned.page_figures import SUMMARY
from bonmun.methods.tensor_file import write_tensors
from bonmun.training.dataset import Dataset
from bonmun.training.ensembles import plain
from bonmun.training.pages import PageParts
from bonmun.training.recipe import Recipe
from bonmun.training.trees import CrossValidation


def write_models(
    folder: Path,
    data: Dataset,
    validation: CrossValidation,
    parts: Sequence[PageParts],
    types: Sequence[str],
    recipe: Recipe,
) -> list[str]:
    """Write the model of each fold and the final model; return the file names in this order."""
    names = [f"fold{k}.safetensors" for k in range(recipe.folds)] + ["model.safetensors"]
    trained_on = ", ".join(dict.fromkeys(info.corpus for info in data.infos))
    for k, name in enumerate(names):
        arrays = {**validation.ensembles[k].arrays("blocks"), **parts[k].confidence.arrays("confidence")}
        for number, ensemble in enumerate(parts[k].types):
            arrays |= ensemble.arrays(f"type.{number}")
        arrays["terms.weights"], arrays["names.weights"] = map(plain, validation.weights[k])
        arrays["calibration.x"], arrays["calibration.y"] = plain(parts[k].calibration.x), plain(parts[k].calibration.y)
        metadata = {
            "format": FORMAT,
            "name": folder.resolve().name,
            "bonmun": __version__,
            "columns": json.dumps(data.columns),
            "summary": json.dumps(SUMMARY),
            "types": json.dumps(types),
            "trained_on": trained_on if k == recipe.folds else f"{trained_on}, without fold {k}",
            "seed": str(recipe.seed),
            "empty": f"{recipe.empty:g}",
            "exit": json.dumps(asdict(validation.exit)),
        }
        write_tensors(folder / name, arrays, metadata)
    return names


def write_folds(folder: Path, data: Dataset, fold: NDArray[np.int64], names: Sequence[str]) -> None:
    """Write `folds.json`, the fold of each page, for `bonmun bench --folds`."""
    fold_of = {info.id: int(k) for info, k in zip(data.infos, fold, strict=True)}
    text = json.dumps({"models": list(names), "fold_of": fold_of}, ensure_ascii=False)
    (folder / "folds.json").write_text(text + "\n", encoding="utf-8")
