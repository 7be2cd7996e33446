"""The pages of a source, read in this process: for commands that look at all pages together."""

from collections.abc import Iterator
from dataclasses import dataclass

from bonmun.cli.pages import pages_of, read
from bonmun.cli.sources import PageSource, expand
from bonmun.inputs.member import Reading
from bonmun.inputs.saved_page import Raw


@dataclass(frozen=True, slots=True)
class Record:
    """A page before decoding, or the error that it gave."""

    name: str
    raw: Raw | None
    error: Exception | None = None


def records_of(argument: str, reading: Reading, *, allow_private: bool = False) -> Iterator[Record]:
    """Yield the pages of an argument; an unreadable page is a record with its error."""
    for source in expand(argument):
        for page in pages_of(source, reading):
            yield _record(page, reading.most, allow_private)


def _record(page: PageSource, most: int, allow_private: bool) -> Record:
    try:
        return Record(page.name, read(page, most, allow_private=allow_private))
    except Exception as error:  # One bad page does not stop the others.
        return Record(page.name, None, error)
