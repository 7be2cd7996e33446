"""File names of measurements are hashes of page and code, so that files of older code are never reused."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="training needs the extra train")

import bonmun

SCRIPT = """
import sys
from pathlib import Path
from bonmun.evaluate.corpora import Case
from bonmun.evaluate.systems import code_stamp
from bonmun.training import measuring

def name(html="<p>tea"):
    code_stamp.cache_clear()
    measuring._code.cache_clear()
    return measuring.case_file(Case("1", html, ("tea",)))

print(name(), name(), name("<p>milk"))
for file in sys.argv[1:]:
    path = Path(measuring.__file__).parents[1] / file
    content = path.read_bytes()
    path.unlink()  # a compiled module may be in use
    path.write_bytes(content + b"\\n")
    print(name())
"""
MEASURING = [
    *("pipeline.py", "read/embedded.py", "model/page.py", "features/whole.py", "_core.abi3.so"),
    *("evaluate/tokens.py", "training/block_labels.py"),
]


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Names of a page's measurements: twice, of another page, then after a change to each file and to one of `cli`."""
    folder = tmp_path_factory.mktemp("code")
    shutil.copytree(Path(bonmun.__file__).parent, folder / "bonmun", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "bonmun" / "_core.abi3.so").touch()
    command = [sys.executable, "-c", SCRIPT, *MEASURING, "cli/extract.py"]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.split()


def test_the_same_page_and_code_give_the_same_name(names: list[str]) -> None:
    assert names[0] == names[1] != names[2]


def test_any_change_to_the_measuring_code_gives_another_name(names: list[str]) -> None:
    seen = names[1:2] + names[3:-1]
    assert len(set(seen)) == len(seen) == 1 + len(MEASURING)


def test_a_change_to_other_code_keeps_the_name(names: list[str]) -> None:
    assert names[-1] == names[-2]
