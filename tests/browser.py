"""Chromium for browser tests, which are skipped when it is not installed."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
_DEBIAN_SHELL = "/usr/lib/chromium/chromium-headless-shell"
"""The headless shell opens a page for 0.1 s of CPU, the whole Chromium for 0.8 s. Debian's command for it stays the
parent of the browser, and tests have to kill the browser itself."""


def require_chromium() -> str:
    """Return the path of Chromium; skips the test if playwright or Chromium is not installed."""
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    binary = shutil.which(_DEBIAN_SHELL) or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if binary is None:
        pytest.skip("Chromium is not installed (apt-get install chromium)")
    return binary


@contextmanager
def chromium() -> Iterator["Browser"]:
    """A headless Chromium; skips the test if playwright or Chromium is not installed."""
    binary = require_chromium()
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=binary, args=_QUIET)
        yield browser
        browser.close()
