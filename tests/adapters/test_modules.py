"""What holds for all adapters: they run as documented, they are not loaded by others, and say what they miss."""

import doctest
import os
import runpy
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

PACKAGES = {
    "scrapy": "scrapy",
    "langchain": "langchain_core",
    "llama_index": "llama_index",
    "haystack": "haystack",
    "pandas": "pandas",
    "polars": "polars",
}
EXAMPLES = Path(__file__).parents[2] / "examples" / "adapters"
OUTPUTS = {
    "langchain_loader.py": ("langchain", "老街尽头的茶馆: chunk 1 of 1, 167 tokens"),
    "llama_index_nodes.py": ("llama_index", "What is open now: 170 characters, the last one"),
    "haystack_pipeline.py": ("haystack", "8 chunks of 4 pages"),
    "pandas_column.py": ("pandas", "'ko-harbour': 369, 'zh-teahouse': 170}"),
    "polars_expression.py": ("polars", "ja-bakery.html | ja | 朝四時のパン屋さん | 209"),
    "scrapy_spider.py": ("scrapy", "4 pages stored"),
}
EXTRAS = {name: name.replace("_", "-") for name in PACKAGES}


def require(name: str) -> None:
    if find_spec(PACKAGES[name]) is None:
        pytest.skip(f"{PACKAGES[name]} is not installed")


@pytest.mark.parametrize("name", PACKAGES)
def test_the_examples_of_an_adapter_run(name: str) -> None:
    require(name)
    module = import_module(f"bonmun.adapters.{name}")
    result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted > 2
    assert not result.failed


def test_a_missing_package_is_an_error_that_names_the_extra() -> None:
    script = f"""
import sys
from importlib import import_module
import bonmun
for name, package in {PACKAGES}.items():
    sys.modules[package] = None
    try:
        import_module(f"bonmun.adapters.{{name}}")
    except bonmun.MissingExtra as error:
        print(name, error.extra)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert dict(line.split() for line in done.stdout.splitlines()) == EXTRAS


def test_every_example_is_tested() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(OUTPUTS)
    assert {name for name, _ in OUTPUTS.values()} == set(PACKAGES)


@pytest.mark.parametrize("file", [file for file in OUTPUTS if file != "scrapy_spider.py"])
def test_an_example_runs_and_prints_its_result(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    name, printed = OUTPUTS[file]
    require(name)
    runpy.run_path(str(EXAMPLES / file), run_name="__main__")
    assert printed in capsys.readouterr().out


def test_the_example_of_a_spider_runs_in_a_process_of_its_own() -> None:
    require("scrapy")
    utf8 = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, EXAMPLES / "scrapy_spider.py"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=utf8, timeout=300)
    assert done.returncode == 0, done.stderr
    assert OUTPUTS["scrapy_spider.py"][1] in done.stdout
    assert "Traceback" not in done.stderr, done.stderr
