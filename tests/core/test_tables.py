"""The C tables that a script makes are what it would make now."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_generated_tables_are_up_to_date() -> None:
    command = [sys.executable, "tools/make_core_tables.py", "--check"]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, f"run tools/make_core_tables.py: {checked.stderr}"
