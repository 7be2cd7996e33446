"""The store's calls on sites: templates by host, and a few pages of each to try rules on."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import Connection, delete, func, insert, select, update

from bonmun.errors import NotStored
from bonmun.model.valid_text import valid_text
from bonmun.store.clock import moment, now
from bonmun.store.database import Database
from bonmun.store.schema import DOCUMENTS, SITE_PAGES, SITES
from bonmun.store.upsert import insert_replacing
from bonmun.store.urls import host_of, normalized

if TYPE_CHECKING:
    from bonmun.sites.site import Site

MOST_PAGES = 20
"""Pages that are kept of a site."""


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page of a site, as it came."""

    url: str
    content: bytes
    content_type: str | None = None


@dataclass(frozen=True, slots=True)
class StoredSite:
    """A site with what the store knows of it."""

    site: "Site"
    saved_at: datetime
    documents: int
    """Stored documents of the host and its subdomains."""
    pages: int
    """Pages that are kept to try rules on."""


class SiteCalls:
    """The part of `Store` that keeps sites."""

    name: str
    _database: Database

    def save_site(self, site: "Site", pages: Sequence[SitePage] | None = None) -> None:
        """Store the templates of a site; they replace earlier ones of its host. Pages replace the kept ones, if given.

        At most `MOST_PAGES` pages are kept, evenly spaced.
        """
        row = {"host": valid_text(site.host), "data": site.to_json(), "saved_at": now()}
        kept = [pages[index * len(pages) // MOST_PAGES] for index in range(MOST_PAGES)] if pages else []
        kept = list(pages or ()) if pages is None or len(pages) <= MOST_PAGES else kept
        rows = [_page_row(str(row["host"]), number, page) for number, page in enumerate(kept)]

        def work(connection: Connection) -> None:
            insert_replacing(connection, SITES, row, ["host"], row)
            if pages is not None:
                connection.execute(delete(SITE_PAGES).where(SITE_PAGES.c.host == row["host"]))
            if rows:
                connection.execute(insert(SITE_PAGES), rows)

        self._database.write(work)

    def load_site(self, host: str) -> "Site | None":
        """Return the templates of a site; `None` for an unknown host."""
        with self._database.reading() as connection:
            data = connection.execute(select(SITES.c.data).where(SITES.c.host == valid_text(host))).scalar()
        return self._site(host, data) if data is not None else None

    def site_of(self, url: str) -> "Site | None":
        """Return the site that a URL belongs to: that of its host, else of a domain above it; `None` for none."""
        host = host_of(normalized(url)).removeprefix("www.")
        hosts = [host]
        while "." in host:
            host = host.partition(".")[2]
            hosts.append(host)
        found = select(SITES.c.host, SITES.c.data).where(SITES.c.host.in_(hosts))
        with self._database.reading() as connection:
            known = dict(map(tuple, connection.execute(found)))
        nearest = next((one for one in hosts if one in known), None)
        return self._site(nearest, known[nearest]) if nearest is not None else None

    def update_site(self, old: "Site", new: "Site") -> bool:
        """Store a site in place of what was read as `old`; return whether it was: not if it was changed since."""
        same = (SITES.c.host == valid_text(old.host)) & (SITES.c.data == old.to_json())
        statement = update(SITES).where(same).values(data=new.to_json())
        return self._database.write(lambda connection: connection.execute(statement).rowcount) > 0

    def sites(self, host: str | None = None) -> tuple[StoredSite, ...]:
        """Return all sites, in the order of their hosts; or that of one host, if there is one."""
        found = select(SITES).order_by(SITES.c.host)
        counted = select(SITE_PAGES.c.host, func.count()).group_by(SITE_PAGES.c.host)
        if host is not None:
            found = found.where(SITES.c.host == valid_text(host))
            counted = counted.where(SITE_PAGES.c.host == valid_text(host))
        with self._database.reading() as connection:
            rows = connection.execute(found).all()
            kept = dict(map(tuple, connection.execute(counted)))
            documents = _documents(connection, {row.host for row in rows})
        return tuple(
            StoredSite(self._site(row.host, row.data), moment(row.saved_at), documents[row.host], kept.get(row.host, 0))
            for row in rows
        )

    def site_pages(self, host: str) -> tuple[SitePage, ...]:
        """Return the kept pages of a site."""
        found = select(SITE_PAGES).where(SITE_PAGES.c.host == valid_text(host)).order_by(SITE_PAGES.c.number)
        with self._database.reading() as connection:
            rows = connection.execute(found).all()
        return tuple(SitePage(row.url, zlib.decompress(row.content), row.content_type) for row in rows)

    def delete_site(self, host: str) -> None:
        """Remove a site with its pages; raise `NotStored`."""
        removed = self._database.write(
            lambda connection: connection.execute(delete(SITES).where(SITES.c.host == valid_text(host))).rowcount
        )
        if not removed:
            raise NotStored(f"no site {host} in this store")

    def _site(self, host: str, data: str) -> "Site":
        from bonmun.sites.site import Site

        return Site.from_json(data, f"{host} in {self.name}")


def _page_row(host: str, number: int, page: SitePage) -> dict[str, object]:
    kind = None if page.content_type is None else valid_text(page.content_type)
    content = zlib.compress(page.content)
    return {"host": host, "number": number, "url": valid_text(page.url), "content_type": kind, "content": content}


def _documents(connection: Connection, hosts: set[str]) -> dict[str, int]:
    """Count the documents of hosts and their subdomains."""
    counts = dict.fromkeys(hosts, 0)
    if not hosts:
        return counts
    for found, count in connection.execute(select(DOCUMENTS.c.host, func.count()).group_by(DOCUMENTS.c.host)):
        host = found
        while host:
            if host in counts:
                counts[host] += count
            host = host.partition(".")[2]
    return counts
