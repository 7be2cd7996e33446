"""The pages of web archives."""

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Final

from bonmun.errors import BonmunError
from bonmun.limits import DEFAULT_LIMITS
from bonmun.middleware.exchange import Network, SourcePage
from bonmun.middleware.sources.files import pages_in
from bonmun.middleware.sources.local_files import files_at
from bonmun.middleware.sources.problems import Problems

_SUFFIXES: Final = frozenset({".warc", ".warc.gz", ".warc.zst", ".warc.bz2", ".warc.xz", ".wacz"})


@dataclass(slots=True)
class Warc:
    """The HTML responses of a WARC or WACZ file, of those below a folder, or of those that match a pattern.

    >>> Warc("crawl.warc.gz").name
    'warc:crawl.warc.gz'
    """

    path: str | PathLike[str]
    most: int = DEFAULT_LIMITS.bytes
    """Bytes of the largest page."""
    name: str = ""

    def __post_init__(self) -> None:
        self.name = self.name or f"warc:{fspath(self.path)}"

    def items(self, network: Network) -> Iterator[SourcePage]:
        """Yield the pages as archived; a `SourceError` for truncated or damaged archives comes last."""
        problems = Problems(self.name)
        for path in files_at(fspath(self.path), _SUFFIXES):
            try:
                yield from pages_in(path, self.name, self.most, problems)
            except BonmunError as error:
                problems.add(error)
        problems.raise_any()
