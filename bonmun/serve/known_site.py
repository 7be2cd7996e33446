"""The site of a page, among those that the store knows."""

from typing import TYPE_CHECKING

from bonmun.serve.given_page import GivenPage
from bonmun.serve.service import Service
from bonmun.serve.stored import in_store

if TYPE_CHECKING:
    from bonmun.sites.site import Site


async def known_site(service: Service, page: GivenPage, method: str, in_place_of_auto: bool = True) -> "Site | None":
    """Return the learned site whose rules decide on a page: with the method `template`, or in place of `auto`."""
    url = page.url
    if not url or not (method == "template" or (method == "auto" and in_place_of_auto)):
        return None
    return await in_store(service, lambda store: store.site_of(url))
