"""A folder of saved sites, one file per host."""

from pathlib import Path
from threading import Lock
from typing import Any

from bonmun.errors import SourceError
from bonmun.sites.site import Site, host_of

_SUFFIX = ".json"
_LONGEST = 250 - len(_SUFFIX)
"""Bytes of a host: file systems allow names of 255."""


class SiteLibrary:
    """The sites of a folder: ``bonmun.extract(html, url=url, sites=SiteLibrary("sites"))`` uses that of the page.

    A site is loaded at its first page and cached. A page of ``m.news.example.org`` belongs to the site of that host,
    else of ``news.example.org``, else of ``example.org``. Thread-safe, and picklable with the sites in its cache.

    >>> from tempfile import TemporaryDirectory
    >>> page = "<div id=menu><a href=/>Home</a> News</div><div id=text><p>{0} is made of {1}.</div>"
    >>> words = [("Tea", "leaves and hot water"), ("Bread", "flour and yeast"), ("Glass", "sand and soda ash")]
    >>> with TemporaryDirectory() as folder:
    ...     library = SiteLibrary(folder)
    ...     path = library.add(Site.learn([page.format(*pair) for pair in words], host="example.org"))
    ...     path.name, library.site("https://www.example.org/tea").host
    ('example.org.json', 'example.org')
    """

    def __init__(self, folder: str | Path, *, most_cached: int | None = None) -> None:
        """With `most_cached`, so many sites are in memory; those that were used last stay."""
        self.folder = Path(folder)
        self.most_cached = most_cached
        if not self.folder.is_dir():
            raise SourceError(f"{folder}: no such folder of site files")
        self._sites: dict[str, Site | None] = {}
        self._lock = Lock()

    def hosts(self) -> list[str]:
        """The hosts of all sites."""
        return sorted(path.name.removesuffix(_SUFFIX) for path in self.folder.glob(f"*{_SUFFIX}"))

    def site(self, url: str | None, /) -> Site | None:
        """The site that a URL belongs to; `None` for an unknown one."""
        host = host_of(url)
        while "." in host:
            site = self._of_host(host)
            if site is not None:
                return site
            host = host.partition(".")[2]
        return None

    def add(self, site: Site) -> Path:
        """Save a site to the folder; it replaces an earlier one of the same host."""
        path = self.path(site.host)
        if path is None:
            raise SourceError(f"site host {site.host!r} is not a valid file name; learn the site with host=…")
        site.save(path)
        with self._lock:
            self._sites[site.host] = site
        return path

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {"folder": self.folder, "most_cached": self.most_cached, "_sites": dict(self._sites)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=Lock())

    def _of_host(self, host: str) -> Site | None:
        with self._lock:
            if host in self._sites:
                site = self._sites.pop(host)
            else:
                path = self.path(host)
                site = Site.load(path) if path is not None and path.is_file() else None
            self._sites[host] = site
            if self.most_cached is not None and len(self._sites) > self.most_cached:
                del self._sites[next(iter(self._sites))]
            return site

    def path(self, host: str) -> Path | None:
        """The file of a host; `None` for an invalid host name, which could lead out of the folder."""
        valid = host and not host.startswith(".") and all(char.isalnum() or char in ".-_" for char in host)
        return self.folder / f"{host}{_SUFFIX}" if valid and len(host.encode()) <= _LONGEST else None
