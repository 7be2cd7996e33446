"""Many pages on a pool of browsers, each in a process that can be killed."""

import json
import os
import sys
from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import Future
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from bonmun.errors import BonmunError, MissingBrowser, MissingExtra, RenderError, WorkerError
from bonmun.model.page import Page
from bonmun.read.page import read_page
from bonmun.rendering.browser import Drawn
from bonmun.rendering.chromium import check_playwright, chromium
from bonmun.rendering.elements import parsed
from bonmun.rendering.settings import DEFAULT_RENDERING, RenderSettings
from bonmun.rendering.tying import tied
from bonmun.rendering.worker import drawn
from bonmun.workers.failure import Failure
from bonmun.workers.pool import WorkerPool
from bonmun.workers.processes import Command

Source = Page | bytes | str | tuple[str | None, bytes | str]
"""A page, read or not, or a pair of its URL and either."""

_RESTART_SECONDS = 40.0
"""Time to replace a browser that died before, beyond the seconds for a page."""
_RECYCLE = 200
"""Pages after which a browser is replaced: its memory grows."""


class Renderer:
    """Up to `jobs` browsers that draw pages, started when they are needed; 0 for one on each core.

    A browser that crashes, hangs or exceeds a limit is replaced, and its page tried once more. May be called from any
    thread. As a context manager it waits for all pages at the end of the block, and kills the browsers if it raises.

    >>> with Renderer() as renderer:  # doctest: +SKIP
    ...     page = renderer.render("<p>Tea")
    """

    def __init__(self, settings: RenderSettings = DEFAULT_RENDERING, *, jobs: int = 1) -> None:
        check_playwright()
        chromium()  # a wrong BONMUN_CHROMIUM
        self.settings = settings
        self._pool = WorkerPool[dict[str, Any], dict[str, Any]](
            _command(settings), jobs=jobs, seconds=settings.seconds + _RESTART_SECONDS, recycle=_RECYCLE
        )
        self._ahead = 4 * self._pool.load.jobs

    def __enter__(self) -> "Renderer":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(now=kind is not None)

    def render(self, page: Page | bytes | str, *, url: str | None = None) -> Page:
        """Return a page with its layout; raise `RenderError`."""
        return self._result(self._started(page if isinstance(page, Page) else (url, page)))

    def map(self, pages: Iterable[Source]) -> Generator[Page | Failure, None, None]:
        """Yield every page with its layout, in order, and a `Failure` for one that was not drawn.

        Pages are taken only as far ahead as there are browsers for them, from endless iterables too. `MissingBrowser`
        is raised: no other page would do better.
        """
        calls: deque[_Call | Failure] = deque()
        try:
            for page in pages:
                calls.append(self._started_or_failure(page))
                while calls and (len(calls) >= self._ahead or _is_done(calls[0])):
                    yield self._outcome(calls.popleft())
            while calls:
                yield self._outcome(calls.popleft())
        finally:
            for call in calls:
                if isinstance(call, _Call):
                    call.answer.cancel()

    @property
    def restarts(self) -> int:
        """How often a browser was replaced with its process: after a crash, a limit or its share of pages."""
        return self._pool.load.restarts

    def close(self, *, now: bool = False) -> None:
        """Wait for the pages that are drawn, then end the browsers; `now` kills them."""
        self._pool.close(now=now)

    def _started(self, source: Source) -> "_Call":
        url, html = source if isinstance(source, tuple) else (None, source)
        page = html if isinstance(html, Page) else read_page(html, url=url)
        item = {"html": self._markup(page).decode("utf-8", "replace"), "url": page.url}
        return _Call(page, item, self._pool.submit(item))

    def _markup(self, page: Page) -> bytes:
        """Return what the browser gets: scripts make themselves what we took out of their data."""
        return page.source[: len(page.source) - page.added] if self.settings.javascript else page.source

    def _started_or_failure(self, source: Source) -> "_Call | Failure":
        try:
            return self._started(source)
        except BonmunError as error:
            return Failure.of(error)

    def _outcome(self, call: "_Call | Failure") -> Page | Failure:
        try:
            return call if isinstance(call, Failure) else self._result(call)
        except (MissingBrowser, MissingExtra):
            raise
        except BonmunError as error:
            return Failure.of(error)

    def _result(self, call: "_Call") -> Page:
        try:
            return _finished(call.page, drawn(call.answer.result()))
        except (MissingBrowser, MissingExtra):
            raise
        except (RenderError, WorkerError):
            pass
        try:
            return _finished(call.page, drawn(self._pool.submit(call.item).result()))
        except WorkerError as error:
            raise RenderError(f"the browser gave no layout: {error}") from error


@dataclass(frozen=True, slots=True)
class _Call:
    """A page on its way through a browser."""

    page: Page
    item: dict[str, Any]
    answer: Future[dict[str, Any]]


def _is_done(call: _Call | Failure) -> bool:
    return isinstance(call, Failure) or call.answer.done()


def _finished(page: Page, drawn: Drawn) -> Page:
    """Return the page with its layout: the one that was given, or what its scripts made of it."""
    elements, markup = parsed(drawn.found)
    if markup is not None:
        read = read_page(markup, url=page.url)
        own = page.warnings if page.text_source == "markup" else ()
        page = replace(read, encoding=page.encoding, warnings=(*own, *read.warnings))
    if drawn.is_cut:
        page = replace(page, warnings=(*page.warnings, "not loaded in time: rendered as far as it was"))
    layout = replace(tied(page.nodes, elements), aborted=drawn.aborted, screenshot=drawn.screenshot)
    return replace(page, layout=layout)


def _command(settings: RenderSettings) -> Command:
    """The process of a browser. A command, not a spawned Python task, which would import the caller's main module."""
    paths = [str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONWARNINGS": "ignore", "PYTHONUTF8": "1"}
    return Command((sys.executable, "-m", "bonmun.rendering.worker", json.dumps(asdict(settings))), environment)


def render(page: Page | bytes | str, *, url: str | None = None, settings: RenderSettings = DEFAULT_RENDERING) -> Page:
    """Return a page as a browser draws it: with its layout, and after its scripts if `settings` let them run.

    The browser is kept for the next call, and ended with this process.

    >>> import bonmun
    >>> page = bonmun.render("<p style='width: 200px'>Tea")  # doctest: +SKIP
    """
    from bonmun.rendering.kept import kept_renderer

    return kept_renderer(settings).render(page, url=url)
