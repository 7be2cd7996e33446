"""Metadata of a page."""

import datetime
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Metadata:
    """Facts that a page states about itself; `None` or empty for those it does not state. Never a guess.

    >>> import bonmun
    >>> bonmun.extract('<html lang=en><title>Tea</title><meta name=author content="Ann Lee"><p>Leaves.').metadata.author
    'Ann Lee'
    """

    title: str | None = None
    author: str | None = None
    date: datetime.date | None = None
    """When it was published."""
    language: str | None = None
    """The shortest BCP 47 tag: `ko`, `en`, `zh-TW`."""
    site: str | None = None
    """The site's name."""
    canonical_url: str | None = None
    description: str | None = None
    image: str | None = None
    tags: tuple[str, ...] = ()
