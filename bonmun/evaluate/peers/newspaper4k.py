"""newspaper4k: the article's text, without any download."""

import warnings
from collections.abc import Callable


def load() -> Callable[[str, str | None, str | None], str]:
    """Return the extraction function."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about nltk, which only its keywords need
        import newspaper

    def run(html: str, url: str | None, _: str | None) -> str:
        article = newspaper.Article(url or "http://localhost/", fetch_images=False)
        article.download(input_html=html)
        article.parse()
        return str(article.text)

    return run
