"""What tests of the Extract screen do again and again."""

import re
from typing import TYPE_CHECKING

from tests.serve.page.watched import TIMEOUT

if TYPE_CHECKING:
    from playwright.sync_api import FrameLocator, Locator, Page


def paste(page: "Page", text: str, html: str = "") -> None:
    """Paste into the input as a browser does: the event carries the clipboard."""
    page.locator("#source").evaluate(
        """(field, [text, html]) => {
            const data = new DataTransfer();
            data.setData("text/plain", text);
            if (html) data.setData("text/html", html);
            const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
            if (field.dispatchEvent(event)) field.value = text;
        }""",
        [text, html],
    )


def give(page: "Page", html: str) -> None:
    """Paste a page and wait for its answer."""
    padding = "<!--" + " " * 2000 + "-->"  # long HTML is extracted at once
    with page.expect_response("**/v1/explain", timeout=TIMEOUT):
        paste(page, html + padding)
    page.locator("#work").wait_for()
    drawn(page).locator(".bm-page").wait_for()


def drawn(page: "Page") -> "FrameLocator":
    """The page in its frame."""
    return page.frame_locator("#frame")


def mark(page: "Page", text: str) -> "Locator":
    """The mark of the block that has a text, on the left side."""
    return drawn(page).locator("[data-block]", has_text=re.compile(re.escape(text))).first


def block_of(page: "Page", text: str) -> int:
    """The number of the block that has a text."""
    return int(mark(page, text).get_attribute("data-block") or -1)


def read(page: "Page", text: str) -> "Locator":
    """The text of a block in the reading view."""
    return page.locator(".reading [data-block]", has_text=re.compile(re.escape(text))).first
