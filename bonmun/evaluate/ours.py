"""Our own methods as systems."""

from collections.abc import Callable


def load(method: str) -> Callable[[str, str | None, str | None], str]:
    """Return the function that extracts by a method.

    >>> load("xpath")("<p>Tea is made of leaves.</p>", None, None)
    'Tea is made of leaves.'
    """
    from bonmun.pipeline import extract

    def run(html: str, url: str | None, _: str | None) -> str:
        return extract(html, url=url, method=method).text

    return run
