"""A running service and pages of Chromium that are watched.

An error on the console, a violation of the content security policy, or a request to anything but the service fails
the test. `BONMUN_SCREENSHOTS=docs/images` keeps the screenshots.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("fastapi", reason="the extra `serve` is not installed")
pytest.importorskip("uvicorn", reason="the extra `serve` is not installed")

import uvicorn

from bonmun.serve.app import create_app
from bonmun.serve.settings import ServeSettings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Route

TIMEOUT = 60_000
"""Milliseconds that a test waits for something to appear: the machine may be busy."""
WIDE = {"width": 1440, "height": 900}
NARROW = {"width": 390, "height": 844}
_SETTLED = """() => document.getAnimations()
    .filter((one) => one.playbackRate && one.effect.getComputedTiming().iterations !== Infinity)
    .forEach((one) => one.finish())"""
"""Takes transitions to their end: half-way between two themes no contrast is right. Not by waiting, which never
ended in a third of the runs of a test that saves a file first."""
_GRAVE = ("serious", "critical")


@contextmanager
def running(settings: ServeSettings) -> Iterator[str]:
    """Run a service in a thread; yield its address."""
    config = uvicorn.Config(create_app(settings), host="127.0.0.1", port=0, log_level="error", access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        deadline = monotonic() + 60
        while not server.started:
            assert thread.is_alive() and monotonic() < deadline, "the service does not start"
            thread.join(0.02)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(60)
        assert not thread.is_alive(), "the service does not stop"


@dataclass
class Watched:
    """A page of the browser whose console and requests are watched."""

    page: "Page"
    address: str
    expected: list[str] = field(default_factory=list)
    """Parts of console errors that the test provokes, such as the status 422 of a request."""
    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    transferred: int = 0

    def open(self, path: str = "/") -> "Page":
        """Open a screen and wait until its scripts have run."""
        self.page.goto(self.address + path, wait_until="load")
        return self.page

    def check(self) -> None:
        """Fail on any error on the console and any request to another origin."""
        unexpected = [text for text in self.errors if not any(part in text for part in self.expected)]
        assert not unexpected, f"errors on the console: {unexpected}"
        assert not self.foreign, f"requests to other origins: {self.foreign}"


@contextmanager
def watched(browser: "Browser", address: str, **options: Any) -> Iterator[Watched]:
    """A page in a context of its own: `locale`, `viewport`, `color_scheme` and more of `Browser.new_context`."""
    context: BrowserContext = browser.new_context(**{"locale": "en-GB", "viewport": WIDE, **options})
    context.set_default_timeout(TIMEOUT)
    result = Watched(context.new_page(), address)

    def guard(route: "Route") -> None:
        if route.request.url.startswith((address, "data:", "blob:", "about:")):
            route.continue_()
        else:
            result.foreign.append(route.request.url)
            route.abort()

    def heard(text: "ConsoleMessage") -> None:
        if text.type == "error":
            result.errors.append(f"{text.text} ({text.location.get('url', '')})")

    context.route("**/*", guard)
    result.page.on("console", heard)
    result.page.on("pageerror", lambda error: result.errors.append(str(error)))
    try:
        yield result
        result.check()
    finally:
        context.close()


def screenshot(page: "Page", name: str) -> None:
    """Keep a screenshot in the folder that BONMUN_SCREENSHOTS names; without it, do nothing."""
    folder = os.environ.get("BONMUN_SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}.png", animations="disabled", caret="hide")


def accessible(page: "Page") -> None:
    """Fail on serious and critical findings of axe-core, frames included."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    page.evaluate(_SETTLED)
    found = axe.Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    grave = [
        f"{one['id']} ({one['impact']}): {node['target']} {node.get('failureSummary', '')}"
        for one in found
        if one["impact"] in _GRAVE
        for node in one["nodes"]
    ]
    assert not grave, "\n".join(grave)
