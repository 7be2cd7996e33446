"""A folder of saved sites, one file a host."""

from pathlib import Path
from threading import Lock

from bonmun.errors import SourceError
from bonmun.model.document import Document
from bonmun.model.page import Page
from bonmun.sites.site import Site, host_of

_SUFFIX = ".json"


class SiteLibrary:
    """The sites of a folder: ``bonmun.extract(html, url=url, sites=SiteLibrary("sites"))`` uses the page's own.

    A site is read when its first page comes, and remembered. A page of ``m.news.example.org`` takes the site of that
    host, else that of ``news.example.org``, else that of ``example.org``.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise SourceError(f"no such folder of sites: {folder}")
        self._sites: dict[str, Site | None] = {}
        self._lock = Lock()

    def hosts(self) -> list[str]:
        """The hosts that there are sites of."""
        return sorted(path.name.removesuffix(_SUFFIX) for path in self.folder.glob(f"*{_SUFFIX}"))

    def site(self, url: str | None) -> Site | None:
        """The site that an address belongs to; `None` where there is none."""
        host = host_of(url)
        while "." in host:
            found = self._of_host(host)
            if found is not None:
                return found
            host = host.partition(".")[2]
        return None

    def add(self, site: Site) -> Path:
        """Keep a site in the folder, in the place of an earlier one of its host."""
        path = self._path(site.host)
        if path is None:
            raise SourceError(f"no host to file a site under: {site.host!r}")
        site.save(path)
        with self._lock:
            self._sites[site.host] = site
        return path

    def extract(self, page: Page, *, abstain_below: float = 0.0) -> Document | None:
        """The document of a page whose site is here; `None` where it is not."""
        site = self.site(page.url)
        return site.extract(page, abstain_below=abstain_below) if site is not None else None

    def _of_host(self, host: str) -> Site | None:
        with self._lock:
            if host not in self._sites:
                path = self._path(host)
                self._sites[host] = Site.load(path) if path is not None and path.is_file() else None
            return self._sites[host]

    def _path(self, host: str) -> Path | None:
        """The file of a host; `None` for what is no host name: it must not lead out of the folder."""
        fine = host and not host.startswith(".") and all(char.isalnum() or char in ".-_" for char in host)
        return self.folder / f"{host}{_SUFFIX}" if fine else None
