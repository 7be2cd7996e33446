"""readability-lxml: the summary, as HTML."""

from collections.abc import Callable


def load() -> Callable[[str, str | None, str | None], str]:
    """Return the extraction function."""
    import readability

    def run(html: str, url: str | None, _: str | None) -> str:
        return str(readability.Document(html, url=url).summary())

    return run
