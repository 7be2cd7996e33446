"""newspaper4k: an article's text; the page is given, nothing is downloaded."""

import warnings
from collections.abc import Callable


def load() -> Callable[[str, str | None, str | None], str]:
    """Return its extraction."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Its keywords need nltk; the text does not.
        import newspaper

    def run(html: str, url: str | None, _: str | None) -> str:
        article = newspaper.Article(url or "http://localhost/", fetch_images=False)
        article.download(input_html=html)
        article.parse()
        return str(article.text)

    return run
