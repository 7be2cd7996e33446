"""The generated C headers are up to date, and C writes every feature column by its name."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bonmun.features.columns import COLUMNS, FAMILIES, REPEATED
from tools.make_core_tables import constant

ROOT = Path(__file__).parents[2]
CORE = ROOT / "bonmun" / "_core"
BY_BIT = ("concept", "landmark")
"""Families whose cells are written in a loop, by the number of a bit."""


def test_the_generated_headers_are_up_to_date() -> None:
    command = [sys.executable, "tools/make_core_tables.py", "--check"]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, f"run tools/make_core_tables.py: {checked.stderr}"


def cells_written() -> list[str]:
    """The constants that index an assigned cell in the feature code."""
    code = "".join(path.read_text(encoding="utf-8") for path in sorted(CORE.glob("feature_*.c")))
    return re.findall(r"\[((?:COLUMN|WINDOW|NEIGHBOUR|CONTAINER|GROUP)_\w+)\] = ", code)


@pytest.mark.parametrize("family", [family for family in FAMILIES if family not in (*REPEATED, *BY_BIT)])
def test_every_column_of_a_family_is_written_once(family: str) -> None:
    written = cells_written()
    for column in FAMILIES[family]:
        assert written.count(constant(column, "COLUMN")) == 1, column


@pytest.mark.parametrize("family", REPEATED)
def test_every_column_of_a_repeated_family_is_written(family: str) -> None:
    member, columns = next(iter(REPEATED[family].items()))
    for column in columns:
        assert constant(column.replace(member, "").strip("_"), constant(family)) in cells_written(), column


def test_no_two_columns_have_the_same_constant() -> None:
    assert len({constant(column) for column in COLUMNS}) == len(COLUMNS)
