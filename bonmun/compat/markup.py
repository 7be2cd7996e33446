"""What callers of other packages pass as a page, as markup: text, bytes, lxml trees, HTTP responses."""

from importlib import import_module
from typing import Any

from bonmun.errors import MissingExtra
from bonmun.model.page import Page


def markup_of(content: object) -> bytes | str:
    """Return a page's markup; `TypeError` for anything that is none.

    An lxml tree is serialised. A response is any object with the bytes of its body in `data`.

    >>> markup_of("<p>Tea")
    '<p>Tea'
    >>> markup_of(5)
    Traceback (most recent call last):
    TypeError: a page must be str, bytes, an lxml tree or a response with data, not int
    """
    if isinstance(content, bytes | str):
        return content
    if callable(getattr(content, "getroottree", None)):
        serialised: str = lxml("html").tostring(content, encoding="unicode", with_tail=False)
        return serialised
    data = getattr(content, "data", None)
    if isinstance(data, bytes):
        return data
    raise TypeError(f"a page must be str, bytes, an lxml tree or a response with data, not {type(content).__name__}")


def has_markup(html: bytes | str) -> bool:
    """Whether there is any tag: other packages give `None` for plain text.

    >>> has_markup("<p>Tea"), has_markup(b"Tea")
    (True, False)
    """
    return (b"<" if isinstance(html, bytes) else "<") in html  # type: ignore[operator]


def lxml(module: str) -> Any:
    """Return a module of lxml, which only trees of lxml need."""
    try:
        return import_module(f"lxml.{module}")
    except ImportError:
        raise MissingExtra("lxml trees", "compat") from None


def title_element(page: Page) -> str:
    """Return the text of the page's `title`, with the site's name and all; empty if there is none.

    >>> from bonmun.read.page import read_page
    >>> title_element(read_page("<title>Tea | The Post</title><p>Leaves."))
    'Tea | The Post'
    """
    nodes = page.nodes
    rows = (row for row in nodes.rows_of("title") if nodes.name(nodes.parent[row]) != "svg")
    return next(filter(None, map(nodes.content, rows)), "")


def inner(article: str) -> str:
    """Return what our `<article>` contains.

    >>> inner('<article lang="en">\\n<p>Tea</p>\\n</article>')
    '<p>Tea</p>'
    """
    return article.partition(">")[2].removesuffix("</article>").strip()
