"""URLs from a list or a text file."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from bonmun.errors import SourceError
from bonmun.middleware.exchange import Network, Request
from bonmun.middleware.sources.local_files import opened
from bonmun.middleware.sources.problems import Problems
from bonmun.middleware.sources.url_rules import clean_url, url_key

_COMMENT = re.compile(r"(?:^|\s)#.*")
_LONGEST_LINE = 100_000


class Urls:
    """URLs from an iterable, or from a text file with one on each line; `#` begins a comment.

    Each page is requested once: URLs that differ in scheme, fragment, trackers or the order of parameters are the same.

    >>> list(Urls(["https://example.org/tea", "https://example.org/tea#top"]).items(network=None))
    [Request(url='https://example.org/tea', source='urls')]
    """

    def __init__(self, urls: Iterable[str] | Path, name: str = "") -> None:
        self.name = name or (f"urls:{urls}" if isinstance(urls, Path) else "urls")
        self._urls = [urls] if isinstance(urls, str) else urls

    def items(self, network: Network) -> Iterator[Request]:
        """Yield each URL once as given; lines that are none are named in a `SourceError` at the end."""
        problems = Problems(self.name)
        seen: set[str] = set()
        for number, line in enumerate(_lines(self._urls) if isinstance(self._urls, Path) else self._urls, 1):
            url = _COMMENT.sub("", line).strip()
            if not url:
                continue
            if clean_url(url) is None:
                problems.add(SourceError(f"line {number}: {url[:80]!r} is not a URL of http or https"))
            elif (key := url_key(url)) not in seen:
                seen.add(key)
                yield Request(url, self.name)
        problems.raise_any()


def _lines(path: Path) -> Iterator[str]:
    with opened(path) as file:
        while line := file.readline(_LONGEST_LINE):
            yield line.decode("utf-8-sig", "replace")
