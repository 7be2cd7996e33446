"""The usual calls of trafilatura 2, answered by Bonmun: ``from bonmun.compat import trafilatura``.

`None` stands for a page without content, as there. docs/migrating.md lists what differs.

>>> from bonmun.compat.trafilatura import extract
>>> extract("<html><body><h1>Tea</h1><p>Tea is made of leaves, and of water that has just boiled.</p></body></html>")
'Tea\\nTea is made of leaves, and of water that has just boiled.'
"""

import logging
from configparser import ConfigParser
from typing import Any, Final

from bonmun.compat.arguments import warn_ignored
from bonmun.compat.markup import has_markup, markup_of
from bonmun.compat.trafilatura.downloads import fetch_response, fetch_url
from bonmun.compat.trafilatura.extraction import extraction, load_html
from bonmun.compat.trafilatura.formats import comment_tree, fingerprint, main_tree, serialised
from bonmun.compat.trafilatura.metadata import extract_metadata
from bonmun.compat.trafilatura.settings import Document, Extractor, Response, use_config
from bonmun.compat.trafilatura.tree import elements
from bonmun.errors import BonmunError
from bonmun.model.document import Document as Extracted
from bonmun.read.page import read_page

__all__ = [
    "Document",
    "Extractor",
    "Response",
    "bare_extraction",
    "baseline",
    "extract",
    "extract_metadata",
    "extract_with_metadata",
    "fetch_response",
    "fetch_url",
    "html2txt",
    "load_html",
    "use_config",
]

_LOG = logging.getLogger(__name__)
_LOG.addHandler(logging.NullHandler())  # failures are logged, as there; a program that sets up no logging sees none
_IGNORED: Final = {
    "tei_validation": False,
    "deduplicate": False,
    "date_extraction_params": None,
    "settingsfile": None,
    "config": None,
}
_NAME_IN_OPTIONS: Final = {
    "output_format": "output_format",
    "fast": "fast",
    "favor_precision": "precision",
    "favor_recall": "recall",
    "include_comments": "comments",
    "include_formatting": "formatting",
    "include_links": "links",
    "include_images": "images",
    "include_tables": "tables",
    "target_language": "lang",
    "url": "url",
    "with_metadata": "with_metadata",
    "only_with_metadata": "only_with_metadata",
    "author_blacklist": "author_blacklist",
    "url_blacklist": "url_blacklist",
}


def extract(
    filecontent: Any,
    url: str | None = None,
    record_id: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "txt",
    tei_validation: bool = False,
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: Any = False,
    date_extraction_params: dict[str, Any] | None = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: set[str] | None = None,
    author_blacklist: set[str] | None = None,
    settingsfile: str | None = None,
    prune_xpath: str | list[str] | None = None,
    config: ConfigParser | None = None,
    options: Any = None,
) -> str | None:
    """Return the main text of a page as txt, markdown, json, xml, html, csv or xmltei; `None` if there is none.

    >>> page = '<html><body><p>Tea is made of <a href="https://example.org/">leaves</a>, and of water.</p>'
    >>> extract(page, include_links=True)
    'Tea is made of [leaves](https://example.org/), and of water.'
    >>> extract("<html></html>") is None
    True
    """
    written = _written(filecontent, _options("extract", locals()), prune_xpath, record_id)
    return written[1].text if written else None


def extract_with_metadata(
    filecontent: Any,
    url: str | None = None,
    record_id: str | None = None,
    fast: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "txt",
    tei_validation: bool = False,
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: Any = False,
    date_extraction_params: dict[str, Any] | None = None,
    url_blacklist: set[str] | None = None,
    author_blacklist: set[str] | None = None,
    settingsfile: str | None = None,
    prune_xpath: str | list[str] | None = None,
    config: ConfigParser | None = None,
    options: Any = None,
) -> Document | None:
    """Return the metadata with the serialised text in `text`; `None` if there is no text.

    >>> page = "<html><title>Tea</title><body><p>Tea is made of leaves, and of water that has just boiled."
    >>> extract_with_metadata(page).title
    'Tea'
    """
    arguments = {**locals(), "with_metadata": True}
    wanted = _options("extract_with_metadata", arguments)
    written = _written(filecontent, wanted, prune_xpath, record_id)
    return _with_trees(*written, wanted) if written else None


def bare_extraction(
    filecontent: Any,
    url: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "python",
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: Any = False,
    date_extraction_params: dict[str, Any] | None = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: set[str] | None = None,
    author_blacklist: set[str] | None = None,
    as_dict: bool = False,
    prune_xpath: str | list[str] | None = None,
    config: ConfigParser | None = None,
    options: Any = None,
) -> Document | dict[str, Any] | None:
    """Return texts, trees and, `with_metadata`, the metadata of a page; `None` if there is no text.

    >>> document = bare_extraction("<html><body><p>Tea is made of leaves, and of water that has just boiled.")
    >>> document.text, document.body.tag, document.title
    ('Tea is made of leaves, and of water that has just boiled.', 'body', None)
    """
    wanted = _options("bare_extraction", locals())
    found = extraction(filecontent, wanted, prune_xpath)
    if found is None:
        return None
    result = _with_trees(*found, wanted)
    return result.as_dict() if as_dict else result


def html2txt(content: Any, clean: bool = True) -> str:
    """Return all visible text of a page on one line, boilerplate and all; an empty string if there is none.

    >>> html2txt("<html><body><nav>Home</nav><p>Tea is made of leaves.</p></body></html>")
    'Home Tea is made of leaves.'
    """
    warn_ignored("trafilatura.html2txt", locals(), {"clean": True}, stacklevel=2)
    html = markup_of(content)
    try:
        return " ".join(" ".join(read_page(html).blocks.text).split()) if has_markup(html) else ""
    except BonmunError as error:
        _LOG.warning("no text: %s", error)
        return ""


def baseline(filecontent: Any) -> tuple[Any, str, int]:
    """Return the main text, with recall preferred: as a `body` of paragraphs, as a string, and its length.

    >>> baseline("<html><body><p>Tea is made of leaves, and of water that has just boiled.</p></body></html>")[1:]
    ('Tea is made of leaves, and of water that has just boiled.', 57)
    """
    markup_of(filecontent)  # TypeError for anything that is no page
    wanted = Extractor(recall=True, comments=False)
    found = extraction(filecontent, wanted, None)
    if found is None:
        return elements().Element("body"), "", 0
    text = found[1].text or ""
    return main_tree(found[0], wanted, "body"), text, len(text)


def _options(call: str, given: dict[str, Any]) -> Any:
    """Return the options that the arguments of a call state; warn of those without effect, at the caller's line."""
    if given.get("max_tree_size"):
        raise ValueError("max_tree_size is not supported; bonmun.Limits has limits of a page")
    warn_ignored(f"trafilatura.{call}", given, _IGNORED, stacklevel=3)
    if given.get("options") is not None:
        return given["options"]
    return Extractor(**{name: given[argument] for argument, name in _NAME_IN_OPTIONS.items() if argument in given})


def _with_trees(document: Extracted, result: Document, options: Any) -> Document:
    result.body = main_tree(document, options, "body")
    result.commentsbody = comment_tree(document.comments if options.comments else (), "body")
    return result


def _written(
    content: Any, options: Any, prune: str | list[str] | None, record_id: str | None
) -> tuple[Extracted, Document] | None:
    """Extract a page and set `text` to the output."""
    found = extraction(content, options, prune)
    if found is None:
        return None
    if options.format == "python":
        raise ValueError("the output format 'python' is for bare_extraction()")
    document, result = found
    if options.format not in ("txt", "markdown") or options.with_metadata:
        result.id, result.fingerprint = record_id, fingerprint(f"{result.title} {result.raw_text}")
    try:
        result.text = serialised(document, result, options)
    except BonmunError as error:  # an output beyond the limits
        _LOG.warning("no text: %s", error)
        return None
    return document, result
