"""One Chromium in a worker process: pages in, boxes of all elements out.

Nothing that a page does reaches anything outside: no name resolves, every request is aborted or answered by us, no
file, download, dialog, popup, service worker or refresh gets through. A browser that hangs is killed with its process.
"""

import json
import os
import re
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from bonmun.errors import MissingBrowser, MissingExtra, RenderError
from bonmun.rendering.address_space import lift_address_limit
from bonmun.rendering.chromium import chromium
from bonmun.rendering.settings import RenderSettings
from bonmun.rendering.tying import DrawnElements

if TYPE_CHECKING:
    from playwright.sync_api import Browser as Chromium
    from playwright.sync_api import BrowserContext, FloatRect, Page, Playwright, Route

_NO_NETWORK = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
_QUIET = (
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--mute-audio",
    "--no-first-run",
)
_WIDEST, _HIGHEST = 4096, 16_000
"""The largest screenshot in pixels; Chromium repeats the first 16,384 rows below them."""
_REFRESH = re.compile(rb"(?i)(http-equiv\s*=\s*[\"']?\s*)refresh")

Fetch = Callable[[str], tuple[int, str, bytes]]
"""Fetches a URL for a page: status, content type, body. Raises our errors."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A page as the browser drew it."""

    elements: DrawnElements
    markup: str | None
    """The document after its scripts ran; `None` if they did not."""
    aborted: int
    """Requests that were not answered."""
    screenshot: bytes | None = None
    """PNG of the document."""


class Browser:
    """A browser for one page after the other. Use it in one thread, in a process that can be killed."""

    def __init__(self, settings: RenderSettings, fetch: Fetch | None = None) -> None:
        self._settings, self._fetch = settings, fetch

    def draw(self, html: bytes, url: str | None = None) -> Drawn:
        """Lay a page out; raise `RenderError`."""
        from playwright.sync_api import Error

        try:
            context = self._context()
            try:
                return self._drawn(context, html, url)
            finally:
                context.close()
        except Error as error:
            self.close()
            raise RenderError(f"the browser gave no layout: {_first_line(error)}") from error

    def close(self) -> None:
        """End the browser; the next page starts another."""
        from playwright.sync_api import Error

        for name in ("_chromium", "_playwright"):
            part = vars(self).pop(name, None)
            try:
                if part is not None:
                    part.close() if name == "_chromium" else part.stop()
            except Error:
                pass

    @cached_property
    def _playwright(self) -> "Playwright":
        try:
            from playwright.sync_api import sync_playwright
        except ModuleNotFoundError as error:
            raise MissingExtra("rendered pages", "visual") from error
        lift_address_limit()
        return sync_playwright().start()

    @cached_property
    def _chromium(self) -> "Chromium":
        from playwright.sync_api import Error

        scripts = f"--js-flags=--max-old-space-size={self._settings.memory}"
        is_root = hasattr(os, "geteuid") and os.geteuid() == 0  # Chromium's sandbox refuses root
        try:
            return self._playwright.chromium.launch(
                executable_path=chromium(), args=[*_QUIET, *_NO_NETWORK, scripts], chromium_sandbox=not is_root
            )
        except Error as error:
            raise MissingBrowser(f"Chromium does not start ({_first_line(error)})") from error

    def _context(self) -> "BrowserContext":
        width, height = self._settings.viewport
        context = self._chromium.new_context(
            viewport={"width": width, "height": height},
            java_script_enabled=self._settings.javascript,
            service_workers="block",
            accept_downloads=False,
            offline=self._fetch is None,
            locale="en-US",
            timezone_id="UTC",
        )
        context.set_default_timeout(self._settings.seconds * 1000)
        return context

    def _drawn(self, context: "BrowserContext", html: bytes, url: str | None) -> Drawn:
        page = context.new_page()
        guard = _Guard(self._settings, self._fetch, url, html)
        context.route("**/*", guard.answer)
        context.on("page", lambda popup: popup.close())
        page.on("dialog", lambda dialog: dialog.dismiss())
        safe = _REFRESH.sub(rb"\1ignored", html)
        page.set_content(safe.decode("utf-8", "replace"), wait_until=self._settings.wait)
        found: dict[str, Any] = json.loads(page.evaluate(_SCRIPT, self._settings.javascript))
        elements = DrawnElements(
            names=found["names"].split(),
            boxes=array("i", map(int, found["boxes"].split())),
            viewport=(found["viewport"][0], found["viewport"][1]),
            document=(found["document"][0], found["document"][1]),
        )
        picture = self._picture(page, elements.document) if self._settings.screenshot else None
        return Drawn(elements, found["markup"], guard.aborted, picture)

    def _picture(self, page: "Page", document: tuple[int, int]) -> bytes:
        width, height = document
        clip: FloatRect = {
            "x": 0,
            "y": 0,
            "width": min(width, max(self._settings.viewport[0], _WIDEST)),
            "height": min(height, _HIGHEST),
        }
        return page.screenshot(full_page=True, clip=clip, type="png", animations="disabled", scale="css")


class _Guard:
    """Answers the requests of one page."""

    def __init__(self, settings: RenderSettings, fetch: Fetch | None, url: str | None, html: bytes) -> None:
        self._settings, self._fetch = settings, fetch
        self._left, self._bytes = settings.requests, settings.bytes
        self.aborted = 0

    def answer(self, route: "Route") -> None:
        """Abort a request, or answer it with what the network manager fetched."""
        request = route.request
        if self._fetch is None or request.is_navigation_request() or self._left <= 0 or request.method != "GET":
            self.aborted += 1
            route.abort()
            return
        self._left -= 1
        try:
            status, content_type, body = self._fetch(request.url)
        except Exception:
            self.aborted += 1
            route.abort()
            return
        self._bytes -= len(body)
        if self._bytes < 0:
            self.aborted += 1
            route.abort()
            return
        route.fulfill(status=status, content_type=content_type, body=body)


_SCRIPT = files("bonmun.rendering").joinpath("elements.js").read_text(encoding="utf-8").split("\n", 1)[1]


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0]
