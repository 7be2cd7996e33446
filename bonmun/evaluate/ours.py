"""Our own methods as systems."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from bonmun.registry import Method


def load(method: str) -> Callable[[str, str | None, str | None], str]:
    """Return the extraction function of a method.

    >>> load("xpath")("<p>Tea is made of leaves.</p>", None, None)
    'Tea is made of leaves.'
    """
    from bonmun.pipeline import extract

    def run(html: str, url: str | None, _: str | None) -> str:
        return extract(html, url=url, method=method).text

    return run


def load_folds(folder: str, load: Callable[[Path], Method] | None = None) -> Callable[[str, str, str | None], str]:
    """Return the out-of-fold extraction function of (page id, html, url)."""
    from bonmun.evaluate.folds import read_folds
    from bonmun.pipeline import extract

    folds = read_folds(Path(folder))
    method_of = folds.methods(load)

    def run(page: str, html: str, url: str | None) -> str:
        return extract(html, url=url, method=method_of(page)).text

    for page in {fold: page for page, fold in folds.fold_of.items()}.values():
        run(page, "<p>Tea is made of leaves.</p>", None)  # warm-up: lazy loading is not charged to a page
    return run


class Sited:
    """Extraction by rules learned from the page's siblings in a corpus (see `siblings`)."""

    def __init__(self, rules: str, corpus: str) -> None:
        from bonmun.evaluate.corpora import open_corpus
        from bonmun.evaluate.siblings import Siblings

        self._siblings = Siblings(open_corpus(corpus), rules)

    def prepare(self, page: dict[str, Any]) -> None:
        """Learn the page's site if it is not learned yet."""
        self._siblings.method_of(page["id"])

    def __call__(self, page: dict[str, Any]) -> str:
        """Return the text of a page."""
        from bonmun.pipeline import extract

        return extract(page["html"], url=page["url"], method=self._siblings.method_of(page["id"])).text
