"""A page by its address: the URL inside a path, and the page as Markdown under a few lines of metadata."""

import re
from dataclasses import dataclass
from urllib.parse import unquote

from bonmun.serve.extraction import Extracted, Options, extracted
from bonmun.serve.given_page import GivenPage
from bonmun.serve.work import drawing_seconds
from bonmun.sites.site import Site

_SCHEME = re.compile(r"^(https?):/{1,2}(?=[^/])", re.IGNORECASE)
_ENCODED_SCHEME = re.compile(r"^https?(:|%3a)(/|%2f)", re.IGNORECASE)


def target(path: str, query: str) -> str:
    """Return the URL that the rest of a path names, as it was sent; a query belongs to it.

    >>> target("https://example.org/a%20b", "page=2&q=%EC%B0%A8")
    'https://example.org/a%20b?page=2&q=%EC%B0%A8'

    It may be percent-encoded as a whole; a proxy may have merged its slashes; `https://` may be left out.

    >>> target("https%3A%2F%2Fexample.org%2Fa%2520b%3Fpage%3D2", "")
    'https://example.org/a%20b?page=2'
    >>> target("http:/example.org/", ""), target("example.org/tea", "")
    ('http://example.org/', 'https://example.org/tea')
    """
    if "/" not in path and (_ENCODED_SCHEME.match(path) or "%2f" in path.lower()):
        path = unquote(path)
    url = f"{path}?{query}" if query else path
    if _SCHEME.match(url):
        return _SCHEME.sub(r"\1://", url)
    return url if re.match(r"^[a-z][a-z0-9+.-]*:(?![0-9])", url, re.IGNORECASE) else f"https://{url}"


@dataclass(frozen=True, slots=True)
class ReaderWork:
    """Extract a page and write it as Markdown under its title, address and date."""

    page: GivenPage
    options: Options
    site: Site | None = None
    """The known site of the page, whose rules decide instead of `auto`."""

    @property
    def seconds(self) -> float:
        """Three times the limit: extraction, metadata and output."""
        return 3 * self.options.limits.seconds + drawing_seconds(self.options.method)

    def run(self) -> Extracted:
        """Return the page as plain text."""
        document = extracted(self.page, self.options, self.site)
        moment = document.published or document.date
        lines = [f"Title: {document.title or ''}", f"URL Source: {document.url or ''}"]
        lines += [f"Published Time: {moment.isoformat()}"] if moment is not None else []
        lines += [f"Markdown Content:\n{document.to_markdown(self.options.output)}\n"]
        text = "\n\n".join(lines)
        return Extracted(text.encode("utf-8", "replace"), document.status.value, document.confidence)
