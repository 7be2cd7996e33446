"""The sites that ``--site`` names: a saved one, or a folder of them."""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonmun.registry import SiteLookup


@lru_cache(1)
def known_sites(path: str) -> "SiteLookup":
    """Return what is at a path; the same each time, since a site remembers how its templates did."""
    from bonmun.sites.library import SiteLibrary
    from bonmun.sites.site import Site

    return SiteLibrary(path) if Path(path).is_dir() else Site.load(path)
