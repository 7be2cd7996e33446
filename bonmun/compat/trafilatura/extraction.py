"""A page extracted by the options of trafilatura."""

import logging
from typing import Any, Final

from bonmun.compat.markup import has_markup, lxml, markup_of
from bonmun.compat.trafilatura.formats import comment_text, content_text, plain_text
from bonmun.compat.trafilatura.metadata import described
from bonmun.compat.trafilatura.settings import Document
from bonmun.errors import BonmunError
from bonmun.model.document import Document as Extracted
from bonmun.pipeline import extract as extract_page
from bonmun.read.decode import decode

_LOG = logging.getLogger(__name__)
_PREFER: Final = {"precision": "precision", "recall": "recall"}


def extraction(content: Any, options: Any, prune: str | list[str] | None) -> tuple[Extracted, Document] | None:
    """Extract a page; `None` if it has no text, or not the language or the metadata that the options ask for."""
    try:
        html = markup_of(content)
    except TypeError as error:
        _LOG.warning("no text: %s", error)
        return None
    if not has_markup(html):
        return None
    html = _pruned(html, prune) if prune else html
    try:
        document = extract_page(html, url=options.url, prefer=_PREFER.get(options.focus, "balance"))
        result = Document()
        if options.with_metadata:
            result = described(document.page, document.metadata, options.author_blacklist)
        if not _is_wanted(document, result, options):
            return None
        result.text = content_text(document, options)
        as_written = options.format == "python" or not (options.formatting or options.links or options.images)
        result.raw_text = result.text if as_written else plain_text(document, options)
        result.comments = comment_text(document.comments) if options.comments else None
    except BonmunError as error:
        _LOG.warning("no text: %s", error)
        return None
    return (document, result) if result.text or result.comments else None


def _is_wanted(document: Extracted, result: Document, options: Any) -> bool:
    if result.url in options.url_blacklist:
        return False
    if options.only_with_metadata and not (result.date and result.title and result.url):
        return False
    if options.lang:
        result.language = (document.language or "").partition("-")[0] or None
        return result.language in (None, options.lang)
    return True


def load_html(htmlobject: Any, max_size: int | None = None) -> Any:
    """Return a page as a tree of lxml, `None` if it is no HTML or has more than `max_size` bytes. Needs lxml.

    All functions here take such trees; they are faster with the bytes or the text of the page.
    """
    if callable(getattr(htmlobject, "getroottree", None)):
        return htmlobject
    html = markup_of(htmlobject)
    if not has_markup(html) or (max_size is not None and len(html) > max_size):
        return None
    utf8 = decode(html).utf8 if isinstance(html, bytes) else html.encode(errors="replace")
    try:
        return lxml("html").document_fromstring(utf8, lxml("html").HTMLParser(encoding="utf-8"))
    except lxml("etree").ParserError:  # nothing but comments
        return None


def _pruned(html: bytes | str, prune: str | list[str]) -> bytes | str:
    tree = load_html(html)
    if tree is None:
        return html
    for xpath in [prune] if isinstance(prune, str) else prune:
        for element in tree.xpath(xpath):
            if element.getparent() is not None:
                element.drop_tree()
    pruned: str = lxml("html").tostring(tree, encoding="unicode")
    return pruned
