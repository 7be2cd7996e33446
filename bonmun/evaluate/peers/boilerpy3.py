"""boilerpy3: boilerpipe's (Christian Kohlschütter) article extractor."""

from collections.abc import Callable


def load() -> Callable[[str, str | None, str | None], str]:
    """Return the extraction function."""
    from boilerpy3.extractors import ArticleExtractor

    extractor = ArticleExtractor()

    def run(html: str, _: str | None, __: str | None) -> str:
        return str(extractor.get_content(html))

    return run
