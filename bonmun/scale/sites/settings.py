"""How the sites of a batch are learned."""

from dataclasses import dataclass

from bonmun.limits import DEFAULT_LIMITS, Limits


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """How many pages of a host its templates are learned from, and the columns of the pages.

    >>> SiteSettings(least_pages=10).most_pages
    32
    """

    least_pages: int = 5
    """Hosts with fewer pages are not learned."""
    most_pages: int = 32
    """Pages of a host that are learned from: those with the smallest hashes of their URLs, whatever their order."""
    safe: bool = True
    """Whether doubtful templates are left out: those of few pages that disagree with `auto`, and those of shops."""
    most_bytes: int = 2 << 20
    """Larger pages are not learned from."""
    limits: Limits = DEFAULT_LIMITS
    """Limits of each page; learning a host may take four times the seconds of a page."""
    html: str = "html"
    url: str = "url"
    charset: str = "charset"
    fetched: str = "fetched"

    def __post_init__(self) -> None:
        if not 1 <= self.least_pages <= self.most_pages:
            raise ValueError(
                f"SiteSettings.least_pages must be from 1 to most_pages ({self.most_pages}), not {self.least_pages}"
            )


DEFAULT_SITES = SiteSettings()
