import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from bonmun.compat import newspaper, readability, trafilatura

HEAVY = "lxml pyarrow numpy httpx2 sqlalchemy trafilatura readability newspaper kiwipiepy".split()


def test_the_modules_load_no_other_package() -> None:
    modules = ", ".join(f"bonmun.compat.{name}" for name in ("trafilatura", "readability", "newspaper"))
    script = f"import sys, {modules}; print(*({{*sys.modules}} & {{*{HEAVY}}}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("module", [newspaper, readability, trafilatura], ids=lambda module: module.__name__)
def test_every_name_is_in_the_docs(module: ModuleType) -> None:
    docs = (Path(__file__).parents[2] / "docs" / "migrating.md").read_text(encoding="utf-8")
    assert [name for name in module.__all__ if name not in docs] == []
