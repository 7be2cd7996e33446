"""The requests of a page: its own address is answered with the page, the others are aborted or fetched for it."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

from ada_url import URL

from bonmun.errors import BonmunError, LimitExceeded
from bonmun.middleware.network import Fetched, FetchPolicy, fetch
from bonmun.rendering.settings import RenderSettings

if TYPE_CHECKING:
    from playwright.async_api import Request, Route

NOWHERE: Final = "http://page.invalid/"
"""The address of a page without one."""
_LOADED = frozenset({"stylesheet", "image", "font", "script", "xhr", "fetch"})
"""What an online page may load. Not: frames, media, web sockets, event streams, pings."""
_OWN_HEADERS = {
    "content-type": "text/html; charset=utf-8",
    # No dialogs, popups, forms, downloads; frames cannot navigate the page.
    "content-security-policy": "sandbox allow-scripts allow-same-origin",
}
_REFRESH = re.compile(rb"(?i)(<meta\b[^<>]{0,500}?http-equiv\s*=\s*[\"']?\s*)refresh")


def address_of(url: str | None) -> str:
    """Return the address that a page is given in the browser: its own without the fragment, which would scroll it.

    >>> address_of("https://example.org/tea#green"), address_of("file:///etc/passwd"), address_of(None)
    ('https://example.org/tea', 'http://page.invalid/', 'http://page.invalid/')
    """
    try:
        parsed = URL(url or NOWHERE)
    except ValueError:
        return NOWHERE
    if parsed.protocol not in ("http:", "https:") or parsed.username or parsed.password:
        return NOWHERE
    return parsed.href.partition("#")[0]


class Requests:
    """Answers the requests of one page."""

    def __init__(self, settings: RenderSettings, html: bytes, threads: ThreadPoolExecutor) -> None:
        self._settings, self._html, self._threads = settings, html, threads
        self._left, self._bytes = settings.requests, settings.bytes
        self._served = False
        self.aborted = 0
        """Requests that were not answered."""

    async def answer(self, route: "Route") -> None:
        """Answer a request, or abort it."""
        request = route.request
        if request.is_navigation_request():
            await self._navigate(route)
        elif not self._settings.online or not self._is_allowed(request):
            await self._abort(route)
        else:
            await self._load(route)

    async def _navigate(self, route: "Route") -> None:
        """Serve the page once. Later navigations get "no content", on which the browser stays where it is.

        A refresh to `about:blank` makes no request: it is taken out. Where scripts run, one of ours prevents it.
        """
        if not self._served and route.request.frame.parent_frame is None:
            self._served = True
            html = self._html if self._settings.javascript else _REFRESH.sub(rb"\1ignored", self._html)
            await route.fulfill(status=200, headers=_OWN_HEADERS, body=html)
        else:
            self.aborted += 1
            await route.fulfill(status=204)

    def _is_allowed(self, request: "Request") -> bool:
        self._left -= 1
        return self._left >= 0 and self._bytes > 0 and request.method == "GET" and request.resource_type in _LOADED

    async def _load(self, route: "Route") -> None:
        request = route.request
        policy = FetchPolicy(
            max_bytes=max(0, self._bytes), seconds=self._settings.seconds, allow_private=self._settings.allow_private
        )
        try:
            fetched = await asyncio.get_running_loop().run_in_executor(self._threads, fetch, request.url, policy)
            self._bytes -= len(fetched.content)
            if self._bytes < 0:
                raise LimitExceeded("bytes", self._settings.bytes, self._settings.bytes)
        except BonmunError:
            await self._abort(route)
        else:
            await route.fulfill(status=200, headers=_headers(fetched, request), body=fetched.content)

    async def _abort(self, route: "Route") -> None:
        self.aborted += 1
        await route.abort()


def _headers(fetched: Fetched, request: "Request") -> dict[str, str]:
    """The headers of a response. Any origin may read it: it was fetched without cookies, from a public address."""
    headers = {
        "access-control-allow-origin": request.headers.get("origin", "*"),
        "access-control-allow-credentials": "true",
        "timing-allow-origin": "*",
    }
    if fetched.content_type is not None:
        headers["content-type"] = fetched.content_type
    return headers
