"""What holds for all adapters: they run as documented, they are not loaded by others, and say what they miss."""

import doctest
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec

import pytest

PACKAGES = {
    "scrapy": "scrapy",
    "langchain": "langchain_core",
    "llama_index": "llama_index",
    "haystack": "haystack",
    "pandas": "pandas",
    "polars": "polars",
}
EXTRAS = {name: name.replace("_", "-") for name in PACKAGES}


@pytest.mark.parametrize("name", PACKAGES)
def test_the_examples_of_an_adapter_run(name: str) -> None:
    if find_spec(PACKAGES[name]) is None:
        pytest.skip(f"{PACKAGES[name]} is not installed")
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
