"""The browsers of this process: started for its first page, kept for the next ones, ended with the process."""

import atexit
import os
from functools import lru_cache

from bonmun.deadline import paused
from bonmun.model.page import Page
from bonmun.rendering.renderer import Renderer
from bonmun.rendering.settings import DEFAULT_RENDERING, RenderSettings


def with_layout(page: Page, settings: RenderSettings | None = None) -> Page:
    """Return a page as a browser draws it; that time has a limit of its own, and does not count for the caller's."""
    with paused():
        return kept_renderer(settings or DEFAULT_RENDERING).render(page)


def kept_renderer(settings: RenderSettings = DEFAULT_RENDERING) -> Renderer:
    """Return the renderer of this process for these settings. May be called from any thread; a fork gets its own."""
    _kept(settings, os.getpid())
    return _kept(settings, os.getpid())  # the one that is kept, if two threads made one at the same time


# Of two that threads make at the same time, it keeps the first, and the second call above returns that one. An
# unbounded cache would keep the second, when the first is in use already.
@lru_cache(maxsize=64)
def _kept(settings: RenderSettings, process: int) -> Renderer:
    renderer = Renderer(settings, jobs=0)
    atexit.register(_close, renderer, process)
    return renderer


def _close(renderer: Renderer, process: int) -> None:
    if process == os.getpid():  # A fork inherits the call, but not the threads that own the browsers.
        renderer.close(now=True)
