"""Draw docs/explain.png: the explain view of a sample page in headless Chromium.

python tools/draw_explain.py

Run it after a change to the default model, its reasons or the explain view. It needs playwright and Chromium.
"""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

import bonmun

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "examples" / "pages" / "en-harbour.html"
URL = "https://tidewater.example/news/2026/05/harbour-bath"
PICTURE = ROOT / "docs" / "explain.png"
WIDTH, HEIGHT = 1400, 1000


def main() -> None:
    """Write the picture."""
    binary = shutil.which("chromium") or shutil.which("chromium-headless-shell")
    if binary is None:
        sys.exit("no Chromium on this machine (apt-get install chromium)")
    drawn = bonmun.extract(PAGE.read_bytes(), url=URL).explain()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=binary, args=["--no-sandbox", "--disable-gpu"])
        view = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        view.set_content(drawn)
        view.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    main()
