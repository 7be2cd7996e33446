"""What a page says about itself."""

import datetime
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Metadata:
    """Facts about a page; `None`, or empty, where the page does not say. Never a guess."""

    title: str | None = None
    author: str | None = None
    date: datetime.date | None = None
    """When it was published."""
    language: str | None = None
    """A BCP 47 tag as short as it can be: `ko`, `en`, `zh-TW`."""
    site: str | None = None
    """The site's name."""
    canonical_url: str | None = None
    description: str | None = None
    image: str | None = None
    tags: tuple[str, ...] = ()
