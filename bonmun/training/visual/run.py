"""A run: all plans fitted at once, their test rows scored, everything written into a folder as it comes."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from bonmun.training.visual.fit import Fit, FitSettings, rounded
from bonmun.training.visual.fit import run as run_fits
from bonmun.training.visual.networks import Shape
from bonmun.training.visual.plans import Plan
from bonmun.training.visual.pool import Pool
from bonmun.training.visual.results import Result, ResultWriter
from bonmun.training.visual.row_table import RowTable
from bonmun.training.visual.scores import scores

_SAVE_EVERY = 60.0
"""Seconds between copies of the best states."""


class GraphsFailed(Exception):
    """The step could not be captured as a CUDA graph, or replaying it computes something else."""


def fit_plans(
    tables: Mapping[str, RowTable], plans: Sequence[Plan], settings: FitSettings, output: Path, device: str
) -> None:
    """Fit all plans; write `log.jsonl`, `states.npz` while it runs, and `results-N.tar` at the end."""
    output.mkdir(parents=True, exist_ok=True)
    pool = Pool(tables, plans, device)
    columns = next(iter(tables.values())).columns
    fits = [
        Fit(pool, [plan for plan in plans if plan.width == width], Shape(columns[:width]), settings)
        for width in sorted({plan.width for plan in plans})
    ]
    log = _Log(output / "log.jsonl")
    log({"settings": asdict(settings), "device": device, "epoch": [fit.epoch() for fit in fits]})
    if settings.graphs:
        _captured(fits, log)
    saver = _Saver(fits, output / "states.npz")
    steps = run_fits(fits, settings, log, saver)
    log({"steps": steps})
    _write_results(fits, pool, tables, steps, output, log)


def _captured(fits: Sequence[Fit], log: "_Log") -> None:
    """Capture the graphs, and check that replaying them trains."""
    try:
        for fit in fits:
            fit.capture()
        first = torch.cat([fit.loss.clone() for fit in fits])
        start = time.monotonic()
        for _ in range(100):
            for fit in fits:
                fit.step(0.005)
        torch.cuda.synchronize()
        last = torch.cat([fit.loss.clone() for fit in fits])
    except RuntimeError as error:
        raise GraphsFailed(str(error)) from error
    milliseconds = round((time.monotonic() - start) * 10, 3)
    log({"step_ms": milliseconds, "before": float(first.mean()), "after": float(last.mean())})
    if not bool(last.isfinite().all()) or float(last.mean()) > float(first.mean()):
        raise GraphsFailed(f"the loss went from {float(first.mean()):.3f} to {float(last.mean()):.3f}")


def _write_results(
    fits: Sequence[Fit], pool: Pool, tables: Mapping[str, RowTable], steps: int, output: Path, log: "_Log"
) -> None:
    writer = ResultWriter(output)
    for fit in fits:
        fit.use_best()
    entries = [(fit, number) for fit in fits for number in range(len(fit.plans))]
    for fit, number in sorted(entries, key=lambda entry: len(entry[0].plans[entry[1]].name)):  # the main ones first
        result = _result(fit, number, pool, tables, steps)
        writer.add(result)
        log({"plan": result.plan.id, "final": dict(result.facts)})


def _result(fit: Fit, number: int, pool: Pool, tables: Mapping[str, RowTable], steps: int) -> Result:
    plan, best = fit.plans[number], fit.best[number]
    assert best is not None
    facts: dict[str, Any] = {"validation": rounded(best), "step": fit.best_step[number], "steps": steps}
    probabilities, tested = {}, {}
    for name in tables:
        trained = name in ("wcxb_dev", plan.corpus)
        rows = pool.of_test_decile(plan, name) if trained else pool.of_corpus(plan, name)
        found = fit.probabilities(number, rows)
        probabilities[name] = found.cpu().numpy().astype(np.float16)
        if len(found):
            tested[name] = rounded(scores(found, pool.labels(plan, rows), rows.page, rows.pages))
    facts["test"] = tested
    networks = fit.networks
    state = networks.state(networks.weights[number].detach(), networks.statistics[number])
    weights = {name: value.numpy() for name, value in state.items()}
    return Result(plan, facts, weights, fit.importances(number).cpu().numpy(), probabilities)


class _Log:
    """JSON lines."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._start = time.monotonic()

    def __call__(self, record: dict[str, Any]) -> None:
        line = json.dumps({"at": round(time.monotonic() - self._start, 1), **record})
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


class _Saver:
    """Keeps a copy of the best states on disk, renewed now and then."""

    def __init__(self, fits: Sequence[Fit], path: Path) -> None:
        self._fits, self._path, self._last = fits, path, time.monotonic()

    def __call__(self) -> None:
        if time.monotonic() - self._last < _SAVE_EVERY:
            return
        self._last = time.monotonic()
        states = {
            f"{fitted.plan.id}/{name}": value.numpy()
            for fit in self._fits
            for fitted in fit.fitted()
            for name, value in fitted.state.items()
        }
        part = self._path.with_name(".states.part.npz")
        np.savez(part, **states)
        part.replace(self._path)
