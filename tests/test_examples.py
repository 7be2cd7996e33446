import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
OUTPUTS = {
    "from_newspaper.py": "SUCCESS True True",
    "from_readability.py": "unparseable: the document is empty",
    "from_trafilatura.py": "True True True None",
    "quickstart.py": "작은 항구에 돌아온 등대지기 | 이바람 | 2026-03-14 | ko",
    "own_format.py": "- 오래된 \\ `전기 배선 <https://hanbit.example/local/2210>`__",
    "own_method.py": "坂の上の小さな窯に火が入る",
    "own_wrapper.py": "4 pages",
    "xpath_analysis.py": "茶凉了可以再泡",
}


def test_every_example_is_tested() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(OUTPUTS)


@pytest.mark.parametrize("name", OUTPUTS)
def test_an_example_runs_and_prints_its_result(name: str) -> None:
    utf8 = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, EXAMPLES / name]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=utf8, timeout=300)
    assert done.returncode == 0, done.stderr
    assert OUTPUTS[name] in done.stdout
