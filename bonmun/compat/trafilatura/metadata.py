"""The metadata of a page under trafilatura's names."""

import datetime
import logging
from typing import Any
from urllib.parse import urlsplit

from bonmun.compat.arguments import warn_ignored
from bonmun.compat.markup import has_markup, markup_of
from bonmun.compat.trafilatura.settings import Document
from bonmun.compat.trafilatura.tree import elements
from bonmun.errors import BonmunError
from bonmun.model.metadata import Metadata
from bonmun.model.page import Page
from bonmun.read.metadata import read_metadata
from bonmun.read.page import read_page
from bonmun.read.structured import read_structured

_LOG = logging.getLogger(__name__)


def extract_metadata(
    filecontent: Any,
    default_url: str | None = None,
    date_config: dict[str, Any] | None = None,
    extensive: bool = True,
    author_blacklist: set[str] | None = None,
) -> Document:
    """Return the metadata of a page without its text.

    >>> extract_metadata('<html><title>Tea</title><meta name="author" content="Ann Lee"></html>').author
    'Ann Lee'
    """
    warn_ignored("trafilatura.extract_metadata", locals(), {"date_config": None, "extensive": True}, stacklevel=2)
    html = markup_of(filecontent)
    element = elements().Element
    try:
        result = Document()
        if has_markup(html):
            page = read_page(html, url=default_url)
            result = described(page, read_metadata(page), author_blacklist or set())
    except BonmunError as error:
        _LOG.warning("no metadata: %s", error)
        result = Document()
    result.body, result.commentsbody = element("body"), element("body")
    return result


def described(page: Page, metadata: Metadata, without: set[str]) -> Document:
    """Return the metadata of a page as strings and lists of strings, without some authors."""
    unwanted = {name.lower() for name in without}
    authors = [name for name in metadata.authors if name.lower() not in unwanted]
    structured = read_structured(page.nodes)
    url = metadata.canonical_url or page.url
    return Document(
        title=metadata.title,
        author="; ".join(authors) or None,
        url=url,
        hostname=_host(url),
        description=metadata.description,
        sitename=metadata.site,
        date=metadata.date.isoformat() if metadata.date else None,
        categories=structured.all("article:section"),
        tags=list(metadata.tags),
        image=metadata.image,
        pagetype=structured.first("og:type"),
        filedate=datetime.date.today().isoformat(),
    )


def _host(url: str | None) -> str | None:
    """Return the host without ``www.``; theirs is the registered domain, which takes a list of suffixes to know."""
    try:
        return (urlsplit(url or "").hostname or "").removeprefix("www.") or None
    except ValueError:
        return None
