"""Every error Bonmun raises on purpose. Emptiness is not one of them: it is a `Document` with a status and a reason.

::

    BonmunError
    ├── InputError                 what was given cannot be read as a page
    │   ├── NotAPage               a PNG, a PDF, a ZIP …
    │   ├── SourceError            a file or directory that is missing, unreadable or holds no page
    │   └── SiteFileError          a saved site that is not as it should be; says the line
    ├── BadModel                   a model file that is damaged, or not one that this version reads
    ├── LimitExceeded              a page beyond `Limits`: bytes, nodes or seconds
    ├── UnknownName                no method or format of that name
    ├── MissingExtra               an optional part is not installed; the message says what to `pip install`
    └── FetchError                 a URL that gave no page
        ├── AddressRefused         private, loopback or otherwise not public
        ├── TooManyRedirects
        ├── FetchTimeout
        └── BadStatus              the server answered with an error
"""

from collections.abc import Iterable


class BonmunError(Exception):
    """The root: ``except bonmun.BonmunError`` catches everything below, and nothing else."""


class InputError(BonmunError):
    """What was given cannot be read as a page."""


class NotAPage(InputError):
    """The bytes are of another kind: an image, a PDF, an archive."""


class SourceError(InputError):
    """A file or directory that is missing, cannot be read, or holds no page."""


class SiteFileError(InputError):
    """A saved site that is not as it should be.

    >>> print(SiteFileError("example.json", 12, "'host' must be a string, not a list"))
    site file example.json, line 12: 'host' must be a string, not a list
    """

    def __init__(self, name: str, line: int, what: str) -> None:
        self.name, self.line, self.what = name, line, what
        super().__init__(name, line, what)

    def __str__(self) -> str:
        return f"site file {self.name}, line {self.line}: {self.what}"


class BadModel(BonmunError):
    """A model file that is damaged, or not one that this version reads."""


class LimitExceeded(BonmunError):
    """A page went beyond one of its `Limits`.

    >>> LimitExceeded("bytes", 50_000_000, 20_000_000).limit
    'bytes'
    """

    def __init__(self, limit: str, found: float, allowed: float) -> None:
        self.limit, self.found, self.allowed = limit, found, allowed
        super().__init__(limit, found, allowed)  # the arguments, so that it survives the way back from a worker

    def __str__(self) -> str:
        return f"the page has {self.found:,} {self.limit}; the limit is {self.allowed:,} (Limits.{self.limit})"


class UnknownName(BonmunError):
    """No method or format of that name; the message lists those there are."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        self.what, self.name, self.known = what, name, tuple(sorted(known))
        super().__init__(what, name, self.known)

    def __str__(self) -> str:
        return f"no {self.what} named {self.name!r}; there are: {', '.join(self.known)}"


class MissingExtra(BonmunError):
    """An optional part is not installed.

    >>> print(MissingExtra("the bench's peers", "bench"))
    the bench's peers need an extra: pip install 'bonmun[bench]'
    """

    def __init__(self, what: str, extra: str) -> None:
        self.what, self.extra = what, extra
        super().__init__(what, extra)

    def __str__(self) -> str:
        return f"{self.what} need an extra: pip install 'bonmun[{self.extra}]'"


class FetchError(BonmunError):
    """A URL that gave no page."""


class AddressRefused(FetchError):
    """The URL leads to a private, loopback or otherwise not public address."""


class TooManyRedirects(FetchError):
    """The server sent us on once too often."""


class FetchTimeout(FetchError):
    """The server took longer than allowed."""


class BadStatus(FetchError):
    """The server answered with an error status."""
