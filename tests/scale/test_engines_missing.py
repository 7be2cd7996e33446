"""What a module of an engine says where the engine is not installed."""

import subprocess
import sys

SCRIPT = """
import importlib, sys
sys.modules |= dict.fromkeys(("pyspark", "ray", "datatrove"))  # as if they were not installed
from bonmun.errors import MissingExtra
for name in ("spark", "ray", "datatrove"):
    try:
        importlib.import_module(f"bonmun.scale.{name}")
    except MissingExtra as error:
        print(error)
"""


def test_an_engine_that_is_missing_names_its_extra() -> None:
    said = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == [
        "DataFrames of Spark need an extra: pip install 'bonmun[spark]'",
        "datasets of Ray need an extra: pip install 'bonmun[ray]'",
        "blocks of datatrove need an extra: pip install 'bonmun[datatrove]'",
    ]
