"""The learned sites for ``--site``: one site file, or a folder of site files."""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonmun.registry import SiteLookup


@lru_cache(1)
def known_sites(path: str) -> "SiteLookup":
    """Load the site or sites at a path; cached, because a site keeps statistics on its templates."""
    from bonmun.sites.library import SiteLibrary
    from bonmun.sites.site import Site

    return SiteLibrary(path) if Path(path).is_dir() else Site.load(path)
