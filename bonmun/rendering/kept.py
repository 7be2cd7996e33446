"""The browser of a worker process: started for its first page, kept for the next ones, ended with the process."""

import atexit
from functools import cache
from multiprocessing import parent_process

from bonmun.model.page import Page
from bonmun.rendering.renderer import Renderer, render
from bonmun.rendering.settings import DEFAULT_RENDERING, RenderSettings

_START_SECONDS = 20.0


def with_layout(page: Page, settings: RenderSettings = DEFAULT_RENDERING) -> Page:
    """Return a page as a browser draws it: the one that a worker process keeps, elsewhere one for this page alone."""
    if parent_process() is None:
        return render(page, settings=settings)
    return _kept(settings).render(page)


def most_seconds(settings: RenderSettings = DEFAULT_RENDERING) -> float:
    """Return the time after which a page is given up: two tries, each with the start of a browser."""
    return 2 * (settings.seconds + _START_SECONDS)


@cache
def _kept(settings: RenderSettings) -> Renderer:
    renderer = Renderer(settings)
    atexit.register(renderer.close, now=True)
    return renderer
