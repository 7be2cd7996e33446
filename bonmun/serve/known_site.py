"""The site of a page, among those that the store knows."""

import asyncio
from collections.abc import Collection
from typing import TYPE_CHECKING

from bonmun.serve.given_page import GivenPage
from bonmun.serve.service import Service
from bonmun.sites.site import host_of

if TYPE_CHECKING:
    from bonmun.sites.site import Site
    from bonmun.store.store import Store


async def site_for(service: Service, page: GivenPage, methods: Collection[str]) -> "Site | None":
    """Return the site that the method `template` needs for a page; `None` if it is not asked for, or not known."""
    if "template" not in methods or not page.url:
        return None
    return await asyncio.to_thread(known_site, service.store, page.url)


def known_site(store: "Store", url: str | None) -> "Site | None":
    """Return the site that a URL belongs to; `None` for an unknown one. Blocks.

    A page of ``m.news.example.org`` belongs to the site of that host, else of ``news.example.org``, else of
    ``example.org``, as in a `SiteLibrary`.

    >>> from bonmun.store import open_store
    >>> with open_store(":memory:") as store:
    ...     known_site(store, "https://example.org/tea")
    """
    host = host_of(url)
    while "." in host:
        site = store.load_site(host)
        if site is not None:
            return site
        host = host.partition(".")[2]
    return None
