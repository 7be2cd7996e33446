"""Ten groups of sites, by a hash of their names: training and report of the method `visual` hold the same ones out."""

import hashlib
from typing import Final

DECILES: Final = 10


def decile(site: str) -> int:
    """Return the tenth of all sites that a site is in.

    >>> [decile(site) for site in ("example.org", "example.com", "bbc.co.uk")]
    [5, 3, 0]
    """
    return int(hashlib.sha1(site.encode(errors="replace"), usedforsecurity=False).hexdigest(), 16) % DECILES
