"""Real Chromium for the tests that need a browser; they are skipped, with the reason, where there is none."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@contextmanager
def chromium() -> Iterator["Browser"]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    binary = shutil.which("chromium") or shutil.which("chromium-headless-shell")
    if binary is None:
        pytest.skip("no Chromium on this machine (apt-get install chromium)")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=binary, args=_QUIET)
        yield browser
        browser.close()
