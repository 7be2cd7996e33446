"""The pages of ZIP, WACZ and tar files."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, BinaryIO, cast

from bonmun.errors import SourceError
from bonmun.inputs.kinds import MHTML_SUFFIXES, PAGE_SUFFIXES, suffixes_of
from bonmun.inputs.member import Damage, Found, Member, Reading, reason_of
from bonmun.inputs.web_archive import from_warc

if TYPE_CHECKING:
    import zipfile


def from_zip(stream: BinaryIO, reading: Reading) -> Iterator[Found]:
    """Yield the pages of a ZIP archive, or those of the WARC files in a WACZ."""
    import zipfile

    with zipfile.ZipFile(stream) as archive:
        names = archive.namelist()
        crawls = [name for name in names if name.startswith("archive/") and ".warc" in suffixes_of(name)]
        if crawls and "datapackage.json" in names:
            for name in crawls:
                yield from _crawl(archive, name, reading)
            return
        for entry in archive.infolist():
            if not entry.is_dir() and _is_page(entry.filename):
                yield _zipped(archive, entry, reading.most)


def _crawl(archive: "zipfile.ZipFile", name: str, reading: Reading) -> Iterator[Found]:
    """Yield the pages of a WARC file in a WACZ; a damaged one does not stop the others."""
    try:
        with archive.open(name) as file:
            yield from from_warc(cast(BinaryIO, file), reading)
    except Exception as error:
        yield Damage(f": {name}", reason_of(error))


def _zipped(archive: "zipfile.ZipFile", entry: "zipfile.ZipInfo", most: int) -> Member:
    label = f": {entry.filename}"
    try:
        with archive.open(entry) as file:
            return Member(label, file.read(most + 1))
    except Exception as error:  # A damaged or encrypted entry does not stop the others.
        return Member(label, error=SourceError(f"cannot read it: {error}"))


def from_tar(stream: BinaryIO, reading: Reading) -> Iterator[Member]:
    """Yield the pages of a tar archive."""
    import tarfile

    with tarfile.open(fileobj=stream, mode="r|") as archive:
        while (entry := archive.next()) is not None:
            if entry.isfile() and _is_page(entry.name):
                file = archive.extractfile(entry)
                yield Member(f": {entry.name}", file.read(reading.most + 1) if file else b"")
            vars(archive)["members"].clear()  # It keeps every entry, and an archive may have millions.


def _is_page(name: str) -> bool:
    """Whether a file of an archive is a page: by suffix, without hidden files and those that macOS adds."""
    parts = PurePosixPath(name).parts
    hidden = any((part.startswith(".") and part not in (".", "..")) or part == "__MACOSX" for part in parts)
    return not hidden and bool(suffixes_of(name) & (PAGE_SUFFIXES | MHTML_SUFFIXES))
