"""Many TabNets trained at once: the network of `pytorch_tabnet`, with a leading axis of models.

A TabNet is tiny and a training step of one is hundreds of kernels on a few kilobytes: a GPU spends its time starting
them. Here a step trains all networks of a shape, each on its own batch. Weights are those of `pytorch_tabnet`, which
initialises them and can load what comes out; outputs and gradients are the same (tests/training/test_visual_fit.py).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import torch
from pytorch_tabnet.tab_network import TabNet
from torch import Tensor

_SCALE: Final = math.sqrt(0.5)
_SMALL: Final = 1e-15
"""Keeps logarithms finite; the value of `pytorch_tabnet`."""
_NORM: Final = 1e-5
_INITIAL_MOMENTUM: Final = 0.01
ENCODER: Final = "tabnet.encoder"


@dataclass(frozen=True)
class Shape:
    """Hyper-parameters of a TabNet; the defaults are those of `pytorch_tabnet`, but for the embedding of tags."""

    columns: tuple[str, ...]
    categories: Mapping[str, int] = field(default_factory=lambda: {"tag": 138, "visible": 2})
    embedding: Mapping[str, int] = field(default_factory=lambda: {"tag": 4, "visible": 1})
    n_d: int = 8
    n_a: int = 8
    n_steps: int = 3
    gamma: float = 1.3
    n_independent: int = 2
    n_shared: int = 2
    virtual_batch: int = 128
    momentum: float = 0.02

    @property
    def categorical(self) -> list[int]:
        """The numbers of the categorical columns."""
        return [self.columns.index(name) for name in self.categories]

    def network(self) -> Any:
        """Return a new network of `pytorch_tabnet`, with random weights."""
        return TabNet(
            len(self.columns),
            2,
            self.n_d,
            self.n_a,
            self.n_steps,
            self.gamma,
            cat_idxs=self.categorical,
            cat_dims=list(self.categories.values()),
            cat_emb_dim=[self.embedding[name] for name in self.categories],
            n_independent=self.n_independent,
            n_shared=self.n_shared,
            virtual_batch_size=self.virtual_batch,
            momentum=self.momentum,
            group_attention_matrix=torch.eye(len(self.columns)),
        )


class Networks:
    """Networks of one shape: `weights` and `statistics` have a row for each, all its arrays one after the other."""

    def __init__(self, shape: Shape, seeds: Sequence[int], device: str = "cpu") -> None:
        self.shape = shape
        self.device = device
        states = [_initial(shape, seed) for seed in seeds]
        weights = [dict(state.named_parameters()) for state in states]
        statistics = [{n: b for n, b in state.named_buffers() if not n.endswith("tracked")} for state in states]
        self._places = _Places.of(weights[0])
        self._statistic_places = _Places.of(statistics[0])
        self.weights = torch.stack([self._places.flat(one) for one in weights]).to(device).requires_grad_()
        self.statistics = torch.stack([self._statistic_places.flat(one) for one in statistics]).to(device)
        self._groups = states[0].embedder.embedding_group_matrix.to(device)

    def __len__(self) -> int:
        return len(self.weights)

    def logits(self, x: Tensor, *, training: bool, models: slice = slice(None)) -> tuple[Tensor, Tensor]:
        """Return outputs (models × rows × 2) and the sparsity loss of each, for rows (models × rows × columns)."""
        run = self._run(training, models)
        outputs, sparsity, _ = run.steps(x)
        return run.linear(torch.stack(outputs).sum(0), "tabnet.final_mapping"), sparsity

    def importances(self, x: Tensor, models: slice = slice(None)) -> Tensor:
        """Return the masks aggregated over the steps, by the columns (models × rows × columns); each row sums to 1."""
        outputs, _, masks = self._run(False, models).steps(x)
        total = sum(mask * output.sum(-1, keepdim=True) for mask, output in zip(masks, outputs, strict=True))
        assert isinstance(total, Tensor)
        return total / total.sum(-1, keepdim=True).clamp_min(_SMALL)

    def states(self) -> list[dict[str, Tensor]]:
        """Return copies of the weights and statistics of each network."""
        return [self.state(weights, own) for weights, own in zip(self.weights.detach(), self.statistics, strict=True)]

    def state(self, weights: Tensor, statistics: Tensor) -> dict[str, Tensor]:
        """Return the arrays of one network by the names of its `state_dict`."""
        parts = {**self._places.split(weights[None]), **self._statistic_places.split(statistics[None])}
        return {name: value[0].detach().cpu().clone() for name, value in parts.items()}

    def _run(self, training: bool, models: slice) -> "_Run":
        arrays = self._places.split(self.weights[models])
        return _Run(self.shape, arrays, self._statistic_places.split(self.statistics[models]), self._groups, training)


def _initial(shape: Shape, seed: int) -> Any:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return shape.network()


@dataclass(frozen=True)
class _Places:
    """Where the arrays of a network are in its row."""

    sizes: Mapping[str, tuple[int, ...]]

    @classmethod
    def of(cls, arrays: Mapping[str, Tensor]) -> "_Places":
        return cls({name: tuple(value.shape) for name, value in arrays.items()})

    def flat(self, arrays: Mapping[str, Tensor]) -> Tensor:
        return torch.cat([arrays[name].detach().reshape(-1).float() for name in self.sizes])

    def split(self, rows: Tensor) -> dict[str, Tensor]:
        parts = rows.split([math.prod(size) for size in self.sizes.values()], dim=1)
        return {
            name: part.unflatten(1, size) if len(size) > 1 else part
            for (name, size), part in zip(self.sizes.items(), parts, strict=True)
        }


@dataclass(frozen=True)
class _Run:
    """One pass through the networks."""

    shape: Shape
    arrays: Mapping[str, Tensor]
    statistics: Mapping[str, Tensor]
    groups: Tensor
    training: bool

    def steps(self, x: Tensor) -> tuple[list[Tensor], Tensor, list[Tensor]]:
        """Return the output and the mask of each step, and the sparsity loss."""
        shape, n_d = self.shape, self.shape.n_d
        x = self._normalised(self._embedded(x), f"{ENCODER}.initial_bn", None, _INITIAL_MOMENTUM)
        prior = torch.ones(*x.shape[:2], len(shape.columns), device=x.device, dtype=x.dtype)
        attention = self._transformed(x, f"{ENCODER}.initial_splitter")[..., n_d:]
        outputs, masks, loss = [], [], x.new_zeros(len(x))
        for step in range(shape.n_steps):
            scores = self._ghost(self.linear(attention, f"{ENCODER}.att_transformers.{step}.fc"), step)
            mask = sparsemax(scores * prior)
            loss = loss + (mask * torch.log(mask + _SMALL)).sum(-1).mean(-1) / shape.n_steps
            prior = (shape.gamma - mask) * prior
            out = self._transformed(mask @ self.groups * x, f"{ENCODER}.feat_transformers.{step}")
            outputs.append(torch.relu(out[..., :n_d]))
            masks.append(mask)
            attention = out[..., n_d:]
        return outputs, loss, masks

    def linear(self, x: Tensor, name: str) -> Tensor:
        return torch.bmm(x, self.arrays[f"{name}.weight"].transpose(1, 2))

    def _ghost(self, x: Tensor, step: int) -> Tensor:
        name = f"{ENCODER}.att_transformers.{step}.bn.bn"
        return self._normalised(x, name, self.shape.virtual_batch, self.shape.momentum)

    def _embedded(self, x: Tensor) -> Tensor:
        """Replace categories by their embeddings; a product with one-hot rows needs no scattered gradients."""
        parts, start = [], 0
        for number, (column, count) in enumerate(
            zip(self.shape.categorical, self.shape.categories.values(), strict=True)
        ):
            index = x[..., column, None]
            one_hot = (index == torch.arange(count, device=x.device, dtype=x.dtype)).to(x.dtype)
            embedded = torch.bmm(one_hot, self.arrays[f"embedder.embeddings.{number}.weight"])
            parts += [x[..., start:column], embedded]
            start = column + 1
        return torch.cat([*parts, x[..., start:]], dim=-1)

    def _transformed(self, x: Tensor, name: str) -> Tensor:
        """The feature transformer: shared layers, then those of the step."""
        for number in range(self.shape.n_shared):
            weight = f"{ENCODER}.initial_splitter.shared.shared_layers.{number}"
            out = self._gated(x, weight, f"{name}.shared.glu_layers.{number}")
            x = (x + out) * _SCALE if number else out
        for number in range(self.shape.n_independent):
            layer = f"{name}.specifics.glu_layers.{number}"
            x = (x + self._gated(x, f"{layer}.fc", layer)) * _SCALE
        return x

    def _gated(self, x: Tensor, weight: str, layer: str) -> Tensor:
        x = self._normalised(self.linear(x, weight), f"{layer}.bn.bn", self.shape.virtual_batch, self.shape.momentum)
        value, gate = x.chunk(2, dim=-1)
        return value * torch.sigmoid(gate)

    def _normalised(self, x: Tensor, name: str, virtual: int | None, momentum: float) -> Tensor:
        """Batch norm; in training over virtual batches of that size, over the whole batch for `None`."""
        weight, bias = self.arrays[f"{name}.weight"][:, None], self.arrays[f"{name}.bias"][:, None]
        running = self.statistics[f"{name}.running_mean"], self.statistics[f"{name}.running_var"]
        if not self.training:
            mean, variance = running
            return (x - mean[:, None]) * (torch.rsqrt(variance + _NORM)[:, None] * weight) + bias
        ghosts = x.unflatten(1, (-1, virtual or x.shape[1]))
        variances, means = torch.var_mean(ghosts, dim=2, correction=0, keepdim=True)
        _update(running, means.detach()[:, :, 0], variances.detach()[:, :, 0], ghosts.shape[2], momentum)
        scale = torch.rsqrt(variances + _NORM) * weight[:, None]
        return ((ghosts - means) * scale + bias[:, None]).flatten(1, 2)


def _update(running: tuple[Tensor, Tensor], means: Tensor, variances: Tensor, size: int, momentum: float) -> None:
    """Update running statistics by virtual batches, one after the other."""
    count = means.shape[1]
    later = torch.arange(count - 1, -1, -1, device=means.device, dtype=means.dtype)[:, None]
    weight = momentum * torch.pow(1 - momentum, later)
    unbiased = size / max(size - 1, 1)
    for own, values in zip(running, (means, variances * unbiased), strict=True):
        own.mul_((1 - momentum) ** count).add_((values * weight).sum(1))


class _Sparsemax(torch.autograd.Function):  # type: ignore[misc]
    """Sparsemax of the last axis (Martins and Astudillo, 2016), without operations that wait for the device."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        x = x - x.amax(-1, keepdim=True)
        ordered = x.sort(-1, descending=True).values
        sums = ordered.cumsum(-1) - 1
        numbers = torch.arange(1, x.shape[-1] + 1, device=x.device, dtype=x.dtype)
        size = (numbers * ordered > sums).sum(-1, keepdim=True)
        output = torch.clamp(x - sums.gather(-1, size - 1) / size, min=0)
        ctx.save_for_backward(size, output)
        return output

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        size, output = ctx.saved_tensors
        support = output > 0
        gradient = torch.where(support, gradients[0], 0)
        return torch.where(support, gradient - gradient.sum(-1, keepdim=True) / size, 0)


def sparsemax(x: Tensor) -> Tensor:
    """Return the nearest distributions to the rows of the last axis."""
    result: Tensor = _Sparsemax.apply(x)
    return result
