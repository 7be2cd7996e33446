"""Where Chromium is: `BONMUN_CHROMIUM`, an installed one, or Playwright's own."""

import os
import shutil
from pathlib import Path

from bonmun.errors import MissingExtra, SourceError

_NAMES = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def chromium() -> str | None:
    """Return the path of an installed Chromium; `None` to let Playwright use its own."""
    given = os.environ.get("BONMUN_CHROMIUM")
    if given:
        if not Path(given).is_file():
            raise SourceError(f"BONMUN_CHROMIUM={given}: no such file")
        return given
    return next((path for path in map(shutil.which, _NAMES) if path), None)


def check_playwright() -> None:
    """Raise `MissingExtra` if Playwright is not installed."""
    from importlib.util import find_spec

    if find_spec("playwright") is None:
        raise MissingExtra("rendered pages", "visual")
