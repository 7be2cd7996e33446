"""Our own methods as systems."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from bonmun.registry import Method


def load(method: str) -> Callable[[str, str | None, str | None], str]:
    """Return the function that extracts by a method.

    >>> load("xpath")("<p>Tea is made of leaves.</p>", None, None)
    'Tea is made of leaves.'
    """
    from bonmun.pipeline import extract

    def run(html: str, url: str | None, _: str | None) -> str:
        return extract(html, url=url, method=method).text

    return run


def load_folds(folder: str, load: Callable[[Path], Method] | None = None) -> Callable[[str, str, str | None], str]:
    """Return the function that extracts a page, given its id first, by the model that has not seen it."""
    from bonmun.evaluate.folds import read_folds
    from bonmun.pipeline import extract

    folds = read_folds(Path(folder))
    method_of = folds.methods(load)

    def run(page: str, html: str, url: str | None) -> str:
        return extract(html, url=url, method=method_of(page)).text

    for page in {fold: page for page, fold in folds.fold_of.items()}.values():
        run(page, "<p>Tea is made of leaves.</p>", None)  # What loads at first use is no page's cost.
    return run


class Sited:
    """A page, as a worker is asked it, extracted by what its siblings in a corpus taught."""

    def __init__(self, rules: str, corpus: str) -> None:
        from bonmun.evaluate.corpora import open_corpus
        from bonmun.evaluate.siblings import Siblings

        self._siblings = Siblings(open_corpus(corpus), rules)

    def prepare(self, page: dict[str, Any]) -> None:
        """Learn the page's site, unless that is done."""
        self._siblings.method_of(page["id"])

    def __call__(self, page: dict[str, Any]) -> str:
        """Return the text of a page."""
        from bonmun.pipeline import extract

        return extract(page["html"], url=page["url"], method=self._siblings.method_of(page["id"])).text
