"""Many pages on a pool of browsers, each in a worker process that can be killed."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from bonmun.model.page import Page
from bonmun.read.page import read_page
from bonmun.rendering.browser import Browser, Drawn
from bonmun.rendering.chromium import check_playwright
from bonmun.rendering.settings import DEFAULT_RENDERING, RenderSettings
from bonmun.rendering.tying import tied
from bonmun.workers.failure import Failure
from bonmun.workers.pool import WorkerPool

_GRACE_SECONDS = 20.0
"""Time to start a process with its browser, beyond the seconds for a page."""
_RECYCLE = 200
"""Pages after which a browser is replaced: its memory grows."""


class Renderer:
    """Up to `jobs` browsers that draw pages, started when they are needed.

    >>> with Renderer() as renderer:  # doctest: +SKIP
    ...     page = renderer.render("<p>Tea")
    """

    def __init__(self, settings: RenderSettings = DEFAULT_RENDERING, *, jobs: int = 1) -> None:
        check_playwright()
        self._settings = settings
        self._pool = WorkerPool[bytes, Drawn](
            _Drawing(settings), jobs=jobs, seconds=settings.seconds + _GRACE_SECONDS, recycle=_RECYCLE
        )

    def __enter__(self) -> "Renderer":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(now=kind is not None)

    def render(self, page: Page | bytes | str, *, url: str | None = None) -> Page:
        """Return a page with its layout; raise `RenderError`."""
        page = page if isinstance(page, Page) else read_page(page, url=url)
        return self._finished(page, self._pool.submit(page.nodes.buffer).result())

    def map(self, pages: Iterable[Page]) -> Iterator[Page | Failure]:
        """Yield every page with its layout, in order, and a `Failure` for one that was not drawn."""
        for page in pages:
            try:
                yield self.render(page)
            except Exception as error:
                yield Failure.of(error)

    def close(self, *, now: bool = False) -> None:
        """Wait for the pages that are drawn, then end the browsers; `now` kills them."""
        self._pool.close(now=now)

    def _finished(self, page: Page, drawn: Drawn) -> Page:
        if drawn.markup is not None:
            page = read_page(drawn.markup, url=page.url)
        layout = replace(tied(page.nodes, drawn.elements), aborted=drawn.aborted, screenshot=drawn.screenshot)
        return replace(page, layout=layout)


class _Drawing:
    """The work of a process: its browser and the pages for it."""

    def __init__(self, settings: RenderSettings) -> None:
        self._settings = settings

    @cached_property
    def _browser(self) -> Browser:
        return Browser(self._settings)

    def __call__(self, html: bytes) -> Drawn:
        return self._browser.draw(html)


def render(page: Page | bytes | str, *, url: str | None = None, settings: RenderSettings = DEFAULT_RENDERING) -> Page:
    """Return a page as a browser draws it: with its layout, and after its scripts if `settings` let them run.

    >>> import bonmun
    >>> page = bonmun.render("<p style='width: 200px'>Tea")  # doctest: +SKIP
    """
    with Renderer(settings) as renderer:
        return renderer.render(page, url=url)
