"""Pages of a site, each judged by what was learned from others: the way to measure what learning a site is worth."""

from collections.abc import Callable, Sequence

from bonmun.errors import InputError
from bonmun.model.page import Page
from bonmun.registry import Method


def held_out(
    pages: Sequence[Page], learn: Callable[[Sequence[Page]], Method], otherwise: Method | None = None
) -> list[Method]:
    """For every page the method learned from the half of the pages that it is not in: every second one.

    `learn` is `Site.learn` or `learn_published`; `otherwise` takes its place where there was too little to learn from.
    """
    found = [_learned(pages[half::2], learn, otherwise) for half in (1, 0)]
    return [found[number % 2] for number in range(len(pages))]


def _learned(pages: Sequence[Page], learn: Callable[[Sequence[Page]], Method], otherwise: Method | None) -> Method:
    try:
        return learn(pages)
    except InputError:
        if otherwise is None:
            raise
        return otherwise
