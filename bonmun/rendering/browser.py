"""One Chromium: pages in, boxes of all elements out. It lives in a worker process, as a task of its event loop.

Nothing that a page does reaches anything outside: its requests are aborted or answered by us (`requests`), nothing
resolves or connects by itself (`chromium`), and a browser that hangs or grows is killed (`watch`, `guardian`).
"""

import asyncio
import base64
import os
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bonmun.errors import MissingBrowser, RenderError
from bonmun.rendering.address_space import lift_address_limit
from bonmun.rendering.chromium import arguments, chromium, sandboxed
from bonmun.rendering.elements import expression
from bonmun.rendering.guardian import Guardian, group_of, kill_browser
from bonmun.rendering.requests import Requests, address_of
from bonmun.rendering.settings import RenderSettings
from bonmun.rendering.watch import Watch

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import BrowserContext, CDPSession, Page, Playwright

_WIDEST, _HIGHEST = 4096, 16_000
"""The largest screenshot in pixels; Chromium repeats the first 16,384 rows below them."""
_LOADING = 2 / 3
"""The largest share of a page's time that loading may take."""
_STAY = """
{
  let left = 100;
  navigation.addEventListener("navigate", (event) => {
    if (event.cancelable && (!event.destination.sameDocument || left-- <= 0)) event.preventDefault();
  });
}
for (const name of ["alert", "confirm", "prompt", "print"]) window[name] = () => null;
for (const name of Object.keys(console)) console[name] = () => undefined;
for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport"]) delete window[name];
"""
"""Runs before the page's scripts. A navigation that begins ends the parser, even if it leads nowhere; a loop of dialogs,
messages or new addresses would flood the driver."""
_CLOSING_SECONDS = 5.0
_LOADERS = 8
"""Requests of an online page at a time."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A page as the browser drew it."""

    found: str
    """The value of `elements.expression`."""
    aborted: int
    """Requests that were not answered."""
    is_cut: bool
    """Whether the page was not loaded in time, or its scripts did not end."""
    screenshot: bytes | None
    """PNG of the document."""


class Browser:
    """A browser for one page after the other, started with the first and replaced after a crash."""

    def __init__(self, settings: RenderSettings) -> None:
        self._settings = settings
        self._watch = Watch(settings.seconds, settings.memory)
        self._guardian = Guardian()
        self._threads = ThreadPoolExecutor(_LOADERS)
        self._playwright: Playwright | None = None
        self._chromium: Chromium | None = None
        self._pid, self._driver = 0, 0

    async def draw(self, html: bytes, url: str | None = None) -> Drawn:
        """Lay a page out; raise `RenderError`."""
        from playwright.async_api import Error

        try:
            browser = await self.start()
            with self._watch.page(self._pid, self._driver or self._pid):
                context = await self._context(browser)
                try:
                    return await _unless_crashed(context, self._drawn(context, html, url))
                finally:
                    await asyncio.wait_for(context.close(), _CLOSING_SECONDS)
        except (Error, TimeoutError) as error:
            await self._drop()
            raise RenderError(self._watch.reason or f"the browser gave no layout: {_first_line(error)}") from error

    async def start(self) -> "Chromium":
        """Start the browser if it does not run; raise `MissingBrowser`."""
        from playwright.async_api import Error, async_playwright

        if self._chromium is not None:
            return self._chromium
        executable = chromium()
        try:
            if self._playwright is None:
                lift_address_limit()
                os.environ["TMPDIR"] = str(self._guardian.folder)
                self._playwright = await async_playwright().start()
            self._chromium = await self._launched(self._playwright, executable)
        except Error as error:
            raise MissingBrowser(f"Chromium does not start ({_first_line(error)})") from error
        return self._chromium

    async def close(self) -> None:
        """End the browser and its driver."""
        from playwright.async_api import Error

        await self._drop()
        if self._playwright is not None:
            with suppress(Error):
                await self._playwright.stop()
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._guardian.close()

    async def _launched(self, playwright: "Playwright", executable: str | None) -> "Chromium":
        browser = await playwright.chromium.launch(
            executable_path=executable,
            args=arguments(self._settings.memory // 2),
            chromium_sandbox=sandboxed(),
            ignore_default_args=["--disable-popup-blocking"],
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )
        session = await browser.new_browser_cdp_session()
        processes = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
        self._pid = next(process["id"] for process in processes if process["type"] == "browser")
        await session.detach()
        self._driver = _driver_of(self._pid)
        self._guardian.watch(self._driver, group_of(self._pid))
        return browser

    async def _drop(self) -> None:
        """Kill the browser; the next page starts another."""
        from playwright.async_api import Error

        browser, self._chromium = self._chromium, None
        if browser is not None:
            kill_browser(self._pid)
            with suppress(Error, TimeoutError):
                await asyncio.wait_for(browser.close(), _CLOSING_SECONDS)

    async def _context(self, browser: "Chromium") -> "BrowserContext":
        width, height = self._settings.viewport
        return await browser.new_context(
            viewport={"width": width, "height": height},
            java_script_enabled=self._settings.javascript,
            service_workers="block",
            accept_downloads=False,
            offline=not self._settings.online,
            locale="en-US",
            timezone_id="UTC",
        )

    async def _drawn(self, context: "BrowserContext", html: bytes, url: str | None) -> Drawn:
        page = await context.new_page()
        session = await context.new_cdp_session(page)
        requests = Requests(self._settings, html, self._threads)
        await context.route("**/*", requests.answer)
        if self._settings.javascript:
            await context.add_init_script(_STAY)
        is_cut = await self._load(page, session, address_of(url))
        found = await self._measured(session)
        picture = await self._picture(session) if self._settings.screenshot else None
        return Drawn(found, requests.aborted, is_cut, picture)

    async def _load(self, page: "Page", session: "CDPSession", address: str) -> bool:
        """Load a page; stop it after its time, and return whether that was so."""
        from playwright.async_api import TimeoutError as LoadingTimeout

        try:
            milliseconds = 1000 * min(self._settings.loading, self._settings.seconds * _LOADING)
            await page.goto(address, wait_until=self._settings.wait, timeout=milliseconds)
            return False
        except LoadingTimeout:
            await _end_scripts(session)
            with suppress(LoadingTimeout):  # The rest of the markup is read without scripts.
                await page.wait_for_load_state("domcontentloaded", timeout=milliseconds / 4)
            await session.send("Page.stopLoading")
            return True

    async def _measured(self, session: "CDPSession") -> str:
        """Run `elements.js` where the page's scripts cannot change what it calls."""
        call = expression(markup=self._settings.javascript)
        for _ in range(2):  # The first call may be the one that `_end_scripts` terminates.
            world = {"frameId": await _frame(session), "worldName": "bonmun"}
            context = (await session.send("Page.createIsolatedWorld", world))["executionContextId"]
            parameters = {"expression": call, "contextId": context, "returnByValue": True, "disableBreaks": True}
            answer = await session.send("Runtime.evaluate", parameters)
            found = answer["result"].get("value")
            if isinstance(found, str) and await _frame(session):
                return found
        raise RenderError(f"the boxes of the page cannot be read: {_exception(answer)}")

    async def _picture(self, session: "CDPSession") -> bytes:
        metrics = (await session.send("Page.getLayoutMetrics"))["cssContentSize"]
        width = min(metrics["width"], max(self._settings.viewport[0], _WIDEST))
        clip = {"x": 0, "y": 0, "width": width, "height": min(metrics["height"], _HIGHEST), "scale": 1}
        parameters = {"format": "png", "clip": clip, "captureBeyondViewport": True, "optimizeForSpeed": False}
        return base64.b64decode((await session.send("Page.captureScreenshot", parameters))["data"])


async def _unless_crashed(context: "BrowserContext", drawing: Coroutine[Any, Any, Drawn]) -> Drawn:
    """Draw a page; `RenderError` as soon as its process dies, which leaves some calls of the driver without answer."""
    task = asyncio.ensure_future(drawing)
    crashed = asyncio.Event()

    def listen(page: "Page") -> None:
        page.on("crash", lambda _: crashed.set())

    context.on("page", listen)
    crash = asyncio.ensure_future(crashed.wait())
    await asyncio.wait([task, crash], return_when=asyncio.FIRST_COMPLETED)
    crash.cancel()
    if task.done():
        return task.result()
    task.cancel()
    await asyncio.wait([task])
    raise RenderError("the page crashed its browser")


async def _frame(session: "CDPSession") -> str:
    """Return the frame of the page; `RenderError` if it shows another document."""
    frame = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]
    if not frame["url"].startswith(("http://", "https://")):  # Only the page itself was served from such an address.
        raise RenderError(f"the page left its address for {frame['url'][:100]}")
    return str(frame["id"])


async def _end_scripts(session: "CDPSession") -> None:
    """End the scripts of a page for good, those that never end too."""
    calls = [
        asyncio.ensure_future(session.send("Emulation.setScriptExecutionDisabled", {"value": True})),
        asyncio.ensure_future(session.send("Runtime.terminateExecution")),
    ]
    _, pending = await asyncio.wait(calls, timeout=1.0)
    for call in pending:
        call.cancel()


def _driver_of(browser: int) -> int:
    """Return the process that started a browser; 0 if that is unknown."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{browser}/stat").read_bytes().rpartition(b")")[2].split()[1])
    return 0


def _exception(answer: dict[str, Any]) -> str:
    details = answer.get("exceptionDetails", {})
    return str(details.get("exception", {}).get("description") or details.get("text", "no result"))[:200]


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0] or type(error).__name__
