"""The interface of readability-lxml: a page's titles, and its main content as HTML."""

import re
from functools import cached_property
from html import escape
from typing import Any, Final

from bonmun.compat.arguments import warn_ignored
from bonmun.compat.markup import inner, markup_of, title_element
from bonmun.errors import BonmunError
from bonmun.model.document import Document as Extracted
from bonmun.model.page import Page
from bonmun.model.verdict import Verdicts
from bonmun.pipeline import extract

_NO_TITLE, _NO_AUTHOR = "[no-title]", "[no-author]"
_IGNORED: Final = {
    "positive_keywords": None,
    "negative_keywords": None,
    "min_text_length": 25,
    "retry_length": 250,
    "xpath": False,
    "handle_failures": "discard",
}


class Unparseable(BonmunError, ValueError):
    """The input is no page.

    >>> Document("").summary()
    Traceback (most recent call last):
    bonmun.compat.readability.readability.Unparseable: the document is empty
    """


class Document:
    """A page, read at the first call of a method.

    >>> text = "<p>Tea is made of leaves, and of water that has just boiled.</p>"
    >>> document = Document(f"<title>Tea | The Post</title><h1>Tea</h1>{text}")
    >>> document.title(), document.short_title()
    ('Tea | The Post', 'Tea')
    >>> document.summary(html_partial=True)
    '<div><h1>Tea</h1>\\n<p>Tea is made of leaves, and of water that has just boiled.</p></div>'
    """

    def __init__(
        self,
        input: Any,
        positive_keywords: str | list[str] | re.Pattern[str] | None = None,
        negative_keywords: str | list[str] | re.Pattern[str] | None = None,
        url: str | None = None,
        min_text_length: int = 25,
        retry_length: int = 250,
        xpath: bool = False,
        handle_failures: str | None = "discard",
    ) -> None:
        warn_ignored("readability.Document", locals(), _IGNORED, stacklevel=2)
        self.input, self.url = input, url

    def title(self) -> str:
        """The text of the page's `title` element; ``[no-title]`` if there is none."""
        return title_element(self._document.page) or _NO_TITLE

    def short_title(self) -> str:
        """The title without the site's name; empty if there is none."""
        return self._document.title or ""

    def author(self) -> str:
        """The author or authors; ``[no-author]`` if the page names none."""
        return self._document.author or _NO_AUTHOR

    def summary(self, html_partial: bool = False, keep_all_images: bool = False) -> str:
        """The main content as HTML in a `div`, inside `html` and `body` unless `html_partial`."""
        warn_ignored("readability.Document.summary", locals(), {"keep_all_images": False}, stacklevel=2)
        try:
            content = f"<div>{inner(self._document.html)}</div>"
        except TypeError as error:
            raise Unparseable(str(error)) from error
        return content if html_partial else f"<html><body>{content}</body></html>"

    def content(self) -> str:
        """All content of the page as HTML, boilerplate and all, in a `body`."""
        return f"<body>{inner(_whole(self._document.page).html)}</body>"

    def get_clean_html(self) -> str:
        """The page as HTML without scripts, styles and attributes: its title and all its content."""
        title = escape(title_element(self._document.page), quote=False)
        return f"<html><head><title>{title}</title></head>{self.content()}</html>"

    @cached_property
    def _document(self) -> Extracted:
        html = markup_of(self.input)
        if not html.strip():
            raise Unparseable("the document is empty")
        try:
            return extract(html, url=self.url)
        except BonmunError as error:
            raise Unparseable(str(error)) from error


def _whole(page: Page) -> Extracted:
    """Return the page as a document that keeps every block."""
    count = len(page.blocks)
    return Extracted(page, Verdicts([1] * count, [1.0] * count, [()] * count, 1.0), "all")
