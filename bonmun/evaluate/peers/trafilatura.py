"""trafilatura (Adrien Barbaresi) with its default options: comments and tables included."""

from collections.abc import Callable


def load() -> Callable[[str, str | None, str | None], str]:
    """Return the extraction function."""
    import trafilatura

    def run(html: str, url: str | None, _: str | None) -> str:
        return str(trafilatura.extract(html, url=url) or "")

    return run
