"""`Article` of newspaper4k, answered by Bonmun: ``from bonmun.compat import newspaper``.

>>> from bonmun.compat import newspaper
>>> newspaper.fulltext("<html><body><p>Tea is made of leaves, and of water that has just boiled.</p></body></html>")
'Tea is made of leaves, and of water that has just boiled.'
"""

from typing import Any

from bonmun.compat.newspaper.article import (
    Article,
    ArticleBinaryDataException,
    ArticleDownloadState,
    ArticleException,
)
from bonmun.compat.newspaper.configuration import Configuration
from bonmun.pipeline import extract

__all__ = [
    "Article",
    "ArticleBinaryDataException",
    "ArticleDownloadState",
    "ArticleException",
    "Config",
    "Configuration",
    "article",
    "build_article",
    "fulltext",
]

Config = Configuration


def article(url: str, language: str | None = None, **kwargs: Any) -> Article:
    """Return the article at a URL, or the one in `input_html`, downloaded and parsed.

    >>> article("https://example.org/", input_html="<title>Tea</title><p>Tea is made of leaves.</p>").title
    'Tea'
    """
    input_html = kwargs.pop("input_html", None)
    settings = {"language": language, **kwargs} if language else kwargs
    return Article(url, **settings).download(input_html).parse()


def build_article(url: str = "", config: Configuration | None = None, **kwargs: Any) -> Article:
    """Return an article that is neither downloaded nor parsed.

    >>> build_article("https://example.org/tea").is_parsed
    False
    """
    return Article(url, config=config, **kwargs)


def fulltext(html: str, language: str = "en") -> str:
    """Return the main text of a page; an empty string if there is none."""
    return extract(html).text
