"""Skips the tests of the compiled core where it is missing or switched off."""

from pathlib import Path

import pytest

from bonmun.core import core

FOLDER = Path(__file__).parent
WITHOUT_CORE = {"test_tables.py"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if core() is not None:
        return
    for item in items:
        if item.path.parent == FOLDER and item.path.name not in WITHOUT_CORE:
            item.add_marker(pytest.mark.skip(reason="the compiled core is not built, or BONMUN_READER=reference"))
