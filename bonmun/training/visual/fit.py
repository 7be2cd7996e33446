"""Fitting of networks: Adam with clipped gradients and a cosine rate; the state with the best validation is kept.

The best is that with the largest area under the ROC curve, the default of `pytorch_tabnet` for two classes.
On a GPU the step of all networks of a shape is captured once as a CUDA graph and replayed.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import softplus

from bonmun.training.visual.networks import Networks, Shape
from bonmun.training.visual.plans import Plan
from bonmun.training.visual.pool import Batches, Pool, RowSet
from bonmun.training.visual.scores import Scores, scores

_AHEAD = 64
"""Steps whose batches are chosen at once."""
_ROWS = 1 << 17
"""Rows that are scored at once."""
Log = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class FitSettings:
    """How networks are fitted; `steps` or `seconds` ends it."""

    batch: int = 1024
    rate: float = 0.01
    last_rate: float = 1e-4
    warm_up: float = 0.02
    """Share of the steps in which the rate rises."""
    clip: float = 1.0
    """Maximum norm of a network's gradient."""
    sparsity: float = 1e-4
    steps: int | None = None
    seconds: float | None = None
    every: int = 300
    """Steps between validations."""
    graphs: bool = False


@dataclass(frozen=True, eq=False)
class Fitted:
    """A network that was fitted."""

    plan: Plan
    state: dict[str, Tensor]
    validation: Scores
    step: int
    """The step of the best validation."""


class Fit:
    """Networks of one shape, each with its plan, that are fitted together."""

    def __init__(self, pool: Pool, plans: Sequence[Plan], shape: Shape, settings: FitSettings) -> None:
        self.plans, self.settings, self._pool = plans, settings, pool
        self.networks = Networks(shape, [plan.seed for plan in plans], pool.device)
        self.validation = [pool.of_part(plan, "validation") for plan in plans]
        self._batches = [Batches(pool, plan) for plan in plans]
        starts = [pool.label_start(plan) for plan in plans]
        self._label_start = torch.tensor(starts, device=pool.device)[:, None]
        weights = self.networks.weights
        self._first, self._second = torch.zeros_like(weights), torch.zeros_like(weights)
        self._count = torch.zeros((), device=pool.device)
        self.rate = torch.zeros((), device=pool.device)
        self.index = torch.zeros(len(plans), settings.batch, dtype=torch.int64, device=pool.device)
        self.loss = torch.zeros(len(plans), device=pool.device)
        self._ahead: list[Tensor] = []
        self._best_rows = weights.detach().clone(), self.networks.statistics.clone()
        self.best: list[Scores | None] = [None] * len(plans)
        self.best_step = [0] * len(plans)
        self._graph: Any = None
        self._stream = torch.cuda.Stream() if settings.graphs else None

    def epoch(self) -> int:
        """The steps of an epoch of the largest training set."""
        return max(len(batches) for batches in self._batches) // self.settings.batch

    def capture(self) -> None:
        """Capture the step as a CUDA graph, after three steps to warm up."""
        torch.cuda.synchronize()
        with torch.cuda.stream(self._stream):
            for _ in range(3):
                self._next()
                self._step()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=self._stream):
            self._step()
        torch.cuda.synchronize()
        self._graph = graph

    def step(self, rate: float) -> None:
        """Train all networks on a batch each."""
        if self._graph is None:
            self._next()
            self.rate.fill_(rate)
            self._step()
            return
        with torch.cuda.stream(self._stream):
            self._next()
            self.rate.fill_(rate)
            self._graph.replay()

    def _next(self) -> None:
        """Put the rows of the next batches into `index`."""
        if not self._ahead:
            size = self.settings.batch
            rows = torch.stack([batches.take(size * _AHEAD) for batches in self._batches])
            self._ahead = list(rows.unflatten(1, (_AHEAD, size)).transpose(0, 1).contiguous())
        self.index.copy_(self._ahead.pop())

    def _step(self) -> None:
        """One step of Adam on the rows of `index`; it never waits for the device, so that it can be captured."""
        width = len(self.networks.shape.columns)
        x = self._pool.x.index_select(0, self.index.flatten()).view(*self.index.shape, -1)[..., :width]
        y = self._pool.y.index_select(0, (self.index + self._label_start).flatten()).view_as(self.index)
        logits, sparsity = self.networks.logits(x, training=True)
        difference = logits[..., 1] - logits[..., 0]
        losses = (softplus(difference) - y * difference).mean(1)  # the cross entropy of two classes
        loss = losses - self.settings.sparsity * sparsity
        (gradient,) = torch.autograd.grad(loss.sum(), self.networks.weights)
        with torch.no_grad():
            self.loss.copy_(losses)
            self._update(gradient)

    def _update(self, gradient: Tensor) -> None:
        norm = gradient.norm(dim=1, keepdim=True)
        scale = torch.where(norm.isfinite(), (self.settings.clip / (norm + 1e-12)).clamp_max(1), 0)
        gradient = torch.nan_to_num(gradient, 0.0, 0.0, 0.0) * scale
        self._count.add_(1)
        self._first.mul_(0.9).add_(gradient, alpha=0.1)
        self._second.mul_(0.999).addcmul_(gradient, gradient, value=0.001)
        mean = self._first / (1 - torch.pow(0.9, self._count))
        spread = self._second / (1 - torch.pow(0.999, self._count))
        self.networks.weights.sub_(self.rate * mean / (spread.sqrt() + 1e-8))

    def validate(self, step: int, log: Log) -> None:
        """Score all networks on their validation rows, and keep the states of those that are best now."""
        for number, (plan, rows) in enumerate(zip(self.plans, self.validation, strict=True)):
            found = scores(self.probabilities(number, rows), self._pool.labels(plan, rows), rows.page, rows.pages)
            before = self.best[number]
            if before is None or found.auc > before.auc:
                self.best[number], self.best_step[number] = found, step
                self._best_rows[0][number].copy_(self.networks.weights[number].detach())
                self._best_rows[1][number].copy_(self.networks.statistics[number])
            log({"plan": plan.id, "step": step, "loss": round(float(self.loss[number]), 5), **rounded(found)})

    def probabilities(self, number: int, rows: RowSet) -> Tensor:
        """Return the probability of main content of each row by one network."""
        own, width = slice(number, number + 1), len(self.networks.shape.columns)
        with torch.no_grad():
            parts = [
                self.networks.logits(self._pool.x[index][None, :, :width], training=False, models=own)[0][0].softmax(-1)
                for index in rows.index.split(_ROWS)
            ]
        return torch.cat(parts)[:, 1] if parts else torch.empty(0, device=self._pool.device)

    def importances(self, number: int) -> Tensor:
        """Return the mean importance of each column on the validation rows."""
        own, width = slice(number, number + 1), len(self.networks.shape.columns)
        index = self.validation[number].index
        with torch.no_grad():
            sums = [
                self.networks.importances(self._pool.x[part][None, :, :width], own)[0].double().sum(0)
                for part in index.split(_ROWS)
            ]
        return torch.stack(sums).sum(0) / len(index)

    def use_best(self) -> None:
        """Put the best states into the networks."""
        with torch.no_grad():
            self.networks.weights.copy_(self._best_rows[0])
            self.networks.statistics.copy_(self._best_rows[1])

    def fitted(self) -> list[Fitted]:
        """Return the best states so far."""
        return [
            Fitted(plan, self.networks.state(weights, statistics), best, step)
            for plan, best, step, weights, statistics in zip(
                self.plans, self.best, self.best_step, *self._best_rows, strict=True
            )
            if best is not None
        ]


def rate_at(progress: float, settings: FitSettings) -> float:
    """Return the learning rate: a short rise, then half a cosine.

    >>> [round(rate_at(progress, FitSettings()), 4) for progress in (0.0, 0.01, 0.02, 0.51, 1.0)]
    [0.0001, 0.005, 0.01, 0.0051, 0.0001]
    """
    if progress < settings.warm_up:
        return max(settings.rate * progress / settings.warm_up, settings.last_rate)
    done = min((progress - settings.warm_up) / (1 - settings.warm_up), 1.0)
    return settings.last_rate + (settings.rate - settings.last_rate) * (1 + math.cos(math.pi * done)) / 2


def run(fits: Sequence[Fit], settings: FitSettings, log: Log, saved: Callable[[], None] = lambda: None) -> int:
    """Fit until the steps are done or the time is over; return the number of steps.

    `saved` is called after each validation.
    """
    start, step, progress = time.monotonic(), 0, 0.0
    while progress < 1:
        rate = rate_at(progress, settings)
        for fit in fits:
            fit.step(rate)
        step += 1
        if fits[0].index.is_cuda and step % 25 == 0:
            torch.cuda.synchronize()  # the clock must not run ahead of the device
        elapsed = time.monotonic() - start
        progress = step / settings.steps if settings.steps else elapsed / (settings.seconds or 1)
        if step % settings.every == 0 or progress >= 1:
            _synchronize(fits)
            log({"step": step, "rate": round(rate, 6), "seconds": round(elapsed, 1)})
            for fit in fits:
                fit.validate(step, log)
            _synchronize(fits)
            saved()
    return step


def _synchronize(fits: Sequence[Fit]) -> None:
    if fits[0].index.is_cuda:
        torch.cuda.synchronize()


def rounded(found: Scores) -> dict[str, float]:
    """Return scores as plain numbers for logs."""
    return {name: round(value, 5) for name, value in asdict(found).items()}
