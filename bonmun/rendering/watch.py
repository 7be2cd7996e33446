"""The limits of a browser, kept by a thread: time and memory of a page, and the life of the parent process."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bonmun.rendering.guardian import kill_browser, memory_of

_INTERVAL = 0.2
"""Seconds between two looks at the browser. A script fills some hundred megabytes in that time."""
_LAST_SECONDS = 15.0
"""Time in which the driver has to report that its browser was killed; this process ends otherwise."""


@dataclass(frozen=True, slots=True)
class _Watched:
    """A page in a browser."""

    browser: int
    root: int
    """The process whose memory counts, with its descendants."""
    end: float


class Watch:
    """Kills the browser of a page at its limits, and this process if the browser's driver hangs or the parent dies."""

    def __init__(self, seconds: float, megabytes: int) -> None:
        self._seconds, self._bytes = seconds, megabytes << 20
        self._parent = os.getppid()
        self._watched: _Watched | None = None
        self._changed = threading.Event()
        self.reason = ""
        """Why the browser was killed; empty if it was not."""
        threading.Thread(target=self._run, name="bonmun-watch", daemon=True).start()

    @contextmanager
    def page(self, browser: int, root: int) -> Iterator[None]:
        """Watch a browser while it draws a page; `root` is the process whose memory counts, with its descendants."""
        self.reason = ""
        self._watched = _Watched(browser, root, time.monotonic() + self._seconds)
        self._changed.set()
        try:
            yield
        finally:
            self._watched = None

    def _run(self) -> None:
        while True:
            watched = self._watched
            if os.getppid() != self._parent:
                os._exit(1)  # The guardian ends the browser.
            if watched is not None:
                self._check(watched)
            self._changed.wait(_INTERVAL if watched is not None else 1.0)
            self._changed.clear()

    def _check(self, watched: _Watched) -> None:
        late = time.monotonic() - watched.end
        used = memory_of(watched.root)
        if self._watched is not watched:  # The page is done.
            return
        if used > self._bytes:
            self.reason = f"the browser needs more than {self._bytes >> 20:,} MB (RenderSettings.memory)"
        elif late > 0:
            self.reason = self.reason or f"not drawn in {self._seconds:g} seconds (RenderSettings.seconds)"
        if self.reason:
            kill_browser(watched.browser)
        if late > _LAST_SECONDS:
            os._exit(1)
