"""Figures of a run over its seeds, as plain data for cards, tables and plots."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import mean, stdev
from typing import Any

from bonmun.methods.visual.rows import COLUMNS
from bonmun.training.visual.results import Result

Report = dict[str, Any]


def report_of(results: Iterable[Result], shipped: Mapping[str, str]) -> Report:
    """Return the figures of all results by model; `shipped` names the model files that are in the package."""
    by_name: dict[str, list[Result]] = {}
    for result in results:
        by_name.setdefault(result.plan.name, []).append(result)
    models = {name: _figures(sorted(own, key=lambda one: one.plan.seed)) for name, own in sorted(by_name.items())}
    return {"shipped": dict(shipped), "models": models}


def _figures(results: Sequence[Result]) -> dict[str, Any]:
    plan = results[0].plan
    corpora = results[0].facts["test"]
    return {
        "corpus": plan.corpus,
        "columns": plan.width,
        "label": plan.label,
        "variant": plan.variant,
        "sampling": plan.sampling,
        "seeds": [result.plan.seed for result in results],
        "steps": [result.facts["step"] for result in results],
        "validation": _spread([result.facts["validation"] for result in results]),
        "test": {name: _spread([result.facts["test"][name] for result in results]) for name in corpora},
        "importances": _importances(results),
    }


def _spread(scores: Sequence[Mapping[str, float]]) -> dict[str, dict[str, Any]]:
    return {name: summary([one[name] for one in scores]) for name in scores[0]}


def summary(values: Sequence[float]) -> dict[str, Any]:
    """Return mean, standard deviation and the values themselves.

    >>> summary([1.0, 2.0, 3.0])
    {'mean': 2.0, 'spread': 1.0, 'values': [1.0, 2.0, 3.0]}
    """
    spread = stdev(values) if len(values) > 1 else 0.0
    return {"mean": round(mean(values), 5), "spread": round(spread, 5), "values": [round(value, 5) for value in values]}


def _importances(results: Sequence[Result]) -> dict[str, dict[str, Any]]:
    """The share of each column in the masks, over the validation rows of each seed."""
    width = results[0].plan.width
    return {
        column: summary([float(result.importances[number]) for result in results])
        for number, column in enumerate(COLUMNS[:width])
    }
