"""The configurations and tables of docs/run.md are true."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from bonmun.run.config import ExtractConfig, LogConfig, MetricsConfig, RunConfig, ScheduleConfig, SitesConfig
from bonmun.run.metrics import Metrics
from bonmun.run.reading import read_text

PAGE = (Path(__file__).parents[2] / "docs" / "run.md").read_text(encoding="utf-8")
SECTIONS = {
    "schedule": ScheduleConfig, "extract": ExtractConfig, "sites": SitesConfig, "metrics": MetricsConfig,
    "log": LogConfig,
}  # fmt: skip


@pytest.mark.parametrize("text", re.findall(r"```toml\n(.*?)```", PAGE, re.S))
def test_a_configuration_of_the_docs_is_valid(text: str) -> None:
    assert read_text(text, "config.toml", RunConfig).value.sources


@pytest.mark.parametrize("section", SECTIONS)
def test_every_key_is_in_the_table(section: str) -> None:
    row = "\n".join(line for line in PAGE.splitlines() if line.startswith(f"| `{section}."))
    for field in fields(SECTIONS[section]):
        assert re.search(rf"`({section})?\.{field.name}`", row), field.name


def test_every_metric_is_in_the_table() -> None:
    text = Metrics().text()
    names = [name for name in re.findall(r"^# TYPE (bonmun_\w+) ", text, re.M) if not name.endswith("_created")]
    assert len(names) == 9
    for name in names:
        assert f"`{name}`" in PAGE, name
