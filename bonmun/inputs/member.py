"""What reading a container yields: pages, records that are none, and what could not be read."""

from dataclasses import dataclass

from bonmun.errors import BonmunError
from bonmun.limits import DEFAULT_LIMITS


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of the fields of JSON lines, or of the columns of a Parquet file."""

    html: str = "html"
    url: str = "url"


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read containers."""

    most: int = DEFAULT_LIMITS.bytes
    """The largest page, in bytes: a page is read just beyond it, so that it is refused and not cut."""
    columns: Columns = Columns()


@dataclass(frozen=True, slots=True)
class Member:
    """A page of a container, or the error that it gave."""

    label: str
    """Its place in the container, after the container's name in messages."""
    content: bytes = b""
    url: str | None = None
    charset: str | None = None
    is_html: bool = False
    """Whether the container says that it is HTML; else the content has to look like it."""
    error: BonmunError | None = None
    digest: str | None = None
    """The digest that a web archive recorded."""
    fetched: str | None = None
    """When a web archive says that it was fetched, in ISO 8601."""
    truncated: bool = False
    """Whether a web archive says that the crawler cut it."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record of a web archive that is no page; most have another reason to be there.

    >>> Skipped("revisit").reason
    'revisit'
    """

    reason: str


@dataclass(frozen=True, slots=True)
class Damage:
    """A part of a container that cannot be read.

    >>> Damage("pages.parquet, row group 2", "checksum mismatch", 1000).pages
    1000
    """

    where: str
    what: str
    pages: int | None = None
    """The number of pages that are lost; None if it is unknown."""


Found = Member | Skipped | Damage


def reason_of(error: Exception) -> str:
    """Return why a file cannot be read, by the error of a decompressor, an archive reader or the disk.

    >>> reason_of(OSError(13, "Permission denied")), reason_of(EOFError())
    ('Permission denied', 'EOFError')
    """
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
