"""The site of a page, among those that the store knows."""

from typing import TYPE_CHECKING

from bonmun.serve.given_page import GivenPage
from bonmun.serve.service import Service
from bonmun.serve.stored import in_store

if TYPE_CHECKING:
    from bonmun.sites.site import Site


async def known_site(service: Service, page: GivenPage, method: str) -> "Site | None":
    """Return the learned site whose rules decide on a page, if the method leaves that to them: `auto`, `template`."""
    url = page.url
    if not url or method not in ("auto", "template"):
        return None
    return await in_store(service, lambda store: store.site_of(url))
