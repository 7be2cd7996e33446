"""Extra trees in a model file, arranged so that the early exit does not skip them."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace

import numpy as np

from bonmun.methods.learned.model_file import PARTS, ModelFile
from bonmun.methods.tensor_file import Array
from bonmun.training.ensembles import Ensemble, plain
from bonmun.training.tuning.start import StartModel


def with_trees(start: StartModel, extra: Ensemble) -> tuple[dict[str, Array], str]:
    """Return the arrays of a model with extra trees, and its `exit`.

    The first tier's sum of a settled row is multiplied by the weight *w* of the exit. So the trees are stored twice:
    in front of the first tier with their leaves divided by *w*, and at the end of the second with the remainder. Then
    they add their sum once, whether a row is settled or not, and can unsettle a row.
    """
    arrays = {name: plain(np.array(numbers)) for name, numbers in start.file.arrays.items()}
    exit, count = start.parts.blocks.exit, len(extra.start) - 1
    if count:
        early = 1 / exit.weight
        parts = [scaled(extra, early), blocks(start.file), scaled(extra, 1 - early)]
        arrays |= concatenated(parts).arrays("blocks")
    return arrays, json.dumps(asdict(replace(exit, trees=exit.trees + count)))


def blocks(model: ModelFile) -> Ensemble:
    """Return the trees over blocks of a model file."""
    return Ensemble(**dict(zip(PARTS, map(np.array, model.forest("blocks")), strict=True)))


def scaled(trees: Ensemble, factor: float) -> Ensemble:
    """Return trees with all leaves multiplied by a factor."""
    return replace(trees, leaf=(trees.leaf * factor).astype(np.float32))


def concatenated(parts: Sequence[Ensemble]) -> Ensemble:
    """Return the trees of several ensembles as one.

    >>> from bonmun.training.ensembles import constant
    >>> concatenated([constant(0.5), constant(1.0), constant(2.0)]).sums(np.zeros((1, 3), np.float32)).tolist()
    [3.5]
    """
    nodes = np.cumsum([0, *(len(part.feature) for part in parts)])
    leaves = np.cumsum([0, *(len(part.leaf) for part in parts)])
    offsets = list(zip(parts, nodes, leaves, strict=False))
    starts = [part.start[:-1] + first for part, first, _ in offsets]
    return Ensemble(
        feature=np.concatenate([part.feature for part in parts]),
        threshold=np.concatenate([part.threshold for part in parts]),
        left=np.concatenate([_moved(part.left, node, leaf) for part, node, leaf in offsets]),
        right=np.concatenate([_moved(part.right, node, leaf) for part, node, leaf in offsets]),
        leaf=np.concatenate([part.leaf for part in parts]),
        start=np.concatenate([*starts, nodes[-1:]]).astype(np.int32),
    )


def _moved(children: np.ndarray, nodes: int, leaves: int) -> np.ndarray:
    """Return children by their numbers among all ensembles; one below 0 is the leaf `~child`."""
    return np.where(children >= 0, children + nodes, children - leaves).astype(np.int32)
