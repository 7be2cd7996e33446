"""Metadata of a page."""

import datetime
from dataclasses import dataclass

from bonmun.model.valid_text import valid_text

_TEXTS = ("title", "author", "language", "site", "canonical_url", "description", "image", "hostname")
_LISTS = ("tags", "authors")


@dataclass(frozen=True, slots=True)
class Metadata:
    """Facts that a page states about itself; `None` or empty for those it does not state.

    `date` is the day as the page shows it, which is what most users need. `published` is the same moment with its time
    and zone. Both `published` and `modified` are at midnight without a zone if the page states only the day.

    >>> import bonmun
    >>> bonmun.extract('<html lang=en><title>Tea</title><meta name=author content="Ann Lee"><p>Leaves.').metadata.author
    'Ann Lee'
    """

    title: str | None = None
    author: str | None = None
    """The byline: names, separated by commas, with their degrees."""
    date: datetime.date | None = None
    """The day of publication; if the page states only the day of its last change, that day."""
    language: str | None = None
    """The shortest BCP 47 tag: `ko`, `en`, `zh-TW`."""
    site: str | None = None
    """The site's name: as declared, else the end of the page's title, else the host."""
    canonical_url: str | None = None
    description: str | None = None
    image: str | None = None
    tags: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    """The single names of `author`, without degrees."""
    published: datetime.datetime | None = None
    """`date` with its time and zone. In another zone than the site's it can be on the next or previous day."""
    modified: datetime.datetime | None = None
    """When it was last changed."""
    hostname: str | None = None
    """The host of the page's URL, else of its canonical URL."""

    def __post_init__(self) -> None:
        """Make the texts valid: JSON can escape any character."""
        for name in _TEXTS:
            text: str | None = getattr(self, name)
            if text and not text.isprintable():
                object.__setattr__(self, name, valid_text(text))
        for name in _LISTS:
            if any(not text.isprintable() for text in getattr(self, name)):
                object.__setattr__(self, name, tuple(map(valid_text, getattr(self, name))))

    @property
    def iso_published(self) -> str | None:
        """`published` in ISO 8601; the day alone if no time is known."""
        return _iso(self.published)

    @property
    def iso_modified(self) -> str | None:
        """`modified` in ISO 8601; the day alone if no time is known."""
        return _iso(self.modified)


def _iso(moment: datetime.datetime | None) -> str | None:
    return moment.isoformat().removesuffix("T00:00:00") if moment else None
