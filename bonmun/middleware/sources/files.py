"""Pages that are files."""

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import BinaryIO

from bonmun.errors import BonmunError, LimitExceeded, SourceError
from bonmun.inputs.kinds import COMPRESSION_SUFFIXES, MHTML_SUFFIXES, PAGE_SUFFIXES
from bonmun.inputs.member import Damage, Member, Reading
from bonmun.inputs.opening import members_of, page_in
from bonmun.inputs.opening import opened as open_input
from bonmun.limits import DEFAULT_LIMITS
from bonmun.middleware.exchange import Network, SourcePage
from bonmun.middleware.sources.local_files import file_url, files_at, opened
from bonmun.middleware.sources.problems import Problems


def page_suffixes() -> frozenset[str]:
    """Return the suffixes of files with one page, compressed or not.

    >>> ".html.gz" in page_suffixes()
    True
    """
    plain = PAGE_SUFFIXES | MHTML_SUFFIXES
    return plain | {page + packed for page in plain for packed in COMPRESSION_SUFFIXES}


@dataclass(slots=True)
class Files:
    """The pages of a file, of a folder and the folders below it, or of the files that match a pattern.

    HTML and MHTML files, compressed or not. A file that is named directly may be a container: WARC, WACZ, ZIP, tar,
    JSON lines, Parquet.

    >>> Files("pages/*.html").name
    'files:pages/*.html'
    """

    path: str | PathLike[str]
    most: int = DEFAULT_LIMITS.bytes
    """Bytes of the largest page."""
    name: str = ""

    def __post_init__(self) -> None:
        self.name = self.name or f"files:{fspath(self.path)}"

    def items(self, network: Network) -> Iterator[SourcePage]:
        """Yield the pages in the order of their names; a `SourceError` for the unreadable ones comes last."""
        problems = Problems(self.name)
        for path in files_at(fspath(self.path), page_suffixes()):
            try:
                yield from pages_in(path, self.name, self.most, problems)
            except BonmunError as error:
                problems.add(error)
        problems.raise_any()


def pages_in(path: Path, source: str, most: int, problems: Problems) -> Iterator[SourcePage]:
    """Yield the pages of a file; raise `SourceError` where it is damaged, after those before the damage."""
    with opened(path) as raw:
        try:
            yield from _pages(raw, path, source, most, problems)
        except SourceError as error:
            raise error if str(path) in str(error) else SourceError(f"{path}: {error}") from error
        except BonmunError as error:
            raise SourceError(f"{path}: {error}") from error
        except Exception as error:  # Damage shows as an error of the decompressor, the archive reader or the disk.
            raise SourceError(f"cannot read {path}: {error or type(error).__name__}") from error


def _pages(raw: BinaryIO, path: Path, source: str, most: int, problems: Problems) -> Iterator[SourcePage]:
    input = open_input(raw, path.name)
    if not input.kind.is_container:
        page = page_in(input, most)
        if len(page.content) > most:
            raise LimitExceeded("bytes", len(page.content), most)
        yield SourcePage(page.url or file_url(path), page.content, page.content_type, source)
        return
    number = 0
    for found in members_of(input, Reading(most)):
        if isinstance(found, Damage):
            problems.add(SourceError(f"cannot read {path}{found.where}: {found.what}"))
        elif isinstance(found, Member):
            number += 1
            if found.error is not None:
                problems.add(SourceError(f"{path}{found.label}: {found.error}"))
            elif len(found.content) > most:
                problems.add(SourceError(f"{path}{found.label}: {LimitExceeded('bytes', len(found.content), most)}"))
            else:
                yield _of_member(found, f"{file_url(path)}#{number}", source)


def _of_member(member: Member, url: str, source: str) -> SourcePage:
    return SourcePage(member.url or url, member.content, member.charset, source)
