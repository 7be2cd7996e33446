"""Two-fold cross-validation of site learning: each page is judged by a method learned from other pages."""

from collections.abc import Callable, Sequence

from bonmun.errors import InputError
from bonmun.model.page import Page
from bonmun.registry import Method


def held_out(
    pages: Sequence[Page], learn: Callable[[Sequence[Page]], Method], fallback: Method | None = None
) -> list[Method]:
    """Return, for every page, the method learned from the half without it: every second page.

    `learn` is `Site.learn` or `learn_published`; `fallback` replaces it if there are too few pages to learn from.
    """
    methods = [_learned(pages[half::2], learn, fallback) for half in (1, 0)]
    return [methods[number % 2] for number in range(len(pages))]


def _learned(pages: Sequence[Page], learn: Callable[[Sequence[Page]], Method], fallback: Method | None) -> Method:
    try:
        return learn(pages)
    except InputError:
        if fallback is None:
            raise
        return fallback
