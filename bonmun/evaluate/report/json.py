"""The report as JSON; NaN becomes null."""

import json
from dataclasses import asdict
from typing import Any

from bonmun.evaluate.report.data import BenchReport


def write(report: BenchReport) -> str:
    """Return the whole report as JSON."""
    return json.dumps(_plain(asdict(report)), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return None if value != value else round(value, 6)
    return value
