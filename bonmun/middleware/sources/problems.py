"""Errors of single items: a source goes on after them, and raises them together at its end."""

from typing import Final

from bonmun.errors import BonmunError, SourceError

_SHOWN: Final = 3


class Problems:
    """What a source could not read.

    >>> problems = Problems("pages")
    >>> problems.add(SourceError("no such file: a.html"))
    >>> problems.add(SourceError("no such file: b.html"))
    >>> problems.raise_any()
    Traceback (most recent call last):
    bonmun.errors.SourceError: pages: 2 errors: no such file: a.html; no such file: b.html
    """

    def __init__(self, source: str) -> None:
        self._source, self._count = source, 0
        self._first: list[BonmunError] = []

    def add(self, error: BonmunError) -> None:
        """Keep an error for the end; of many, the first ones and their number."""
        self._count += 1
        if len(self._first) < _SHOWN:
            self._first.append(error)

    def raise_any(self) -> None:
        """Raise the errors as one `SourceError`, if there are any."""
        if not self._count:
            return
        shown = "; ".join(map(str, self._first))
        more = f"; and {self._count - _SHOWN} more" if self._count > _SHOWN else ""
        many = f"{self._count} errors: " if self._count > 1 else ""
        raise SourceError(f"{self._source}: {many}{shown}{more}") from self._first[0]
