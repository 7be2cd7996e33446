"""Templates of sites, learned from the pages of a run and watched for drift.

The container asks for a host's site when a page goes to a worker, and gets a copy of the templates: small, and without
state. The site itself stays here: each page of its host is judged once more in the background, which records how well
the templates did, ends those that no longer fit, and learns new ones.
"""

import logging
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from queue import Full, Queue
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Protocol

from bonmun.errors import BonmunError, InputError
from bonmun.model.page import Page
from bonmun.run.config import SitesConfig
from bonmun.run.logs import note
from bonmun.sites.site import Site, host_of
from bonmun.workers.packed import Packed

if TYPE_CHECKING:
    from bonmun.middleware.dataset import Judged, NewsDataSet

_log = logging.getLogger("bonmun.run")
_QUEUE = 64
"""Pages that wait to be judged; more are not watched, so that a busy run is not slowed down."""


class SiteStore(Protocol):
    """Where templates are kept."""

    def save_site(self, site: Site) -> object:
        """Keep a host's site; it replaces an earlier one."""

    def load_site(self, host: str) -> Site | None:
        """Return a host's site, `None` if there is none."""


class SiteLearning:
    """Learns a site once enough of its pages have come, and watches it; a `SiteLookup` for the container.

    `changed` is called with a host and an event: `learned`, `relearned`, `stale` or `failed`.
    """

    def __init__(
        self, config: SitesConfig, store: SiteStore, changed: Callable[[str, str], object] = lambda host, event: None
    ) -> None:
        self._config, self._store, self._changed = config, store, changed
        self._sites: dict[str, Site | None] = {}
        self._copies: dict[str, Site] = {}
        self._collected: OrderedDict[str, dict[str, Packed[Judged]]] = OrderedDict()
        """Pages by host and URL, as they came from the worker: a seventh of their source."""
        self._wanted: dict[str, int] = {}
        """The pages that a host needs, if more than configured: its earlier ones were not enough."""
        self._queue: Queue[NewsDataSet | Event | None] = Queue(_QUEUE)
        self._lock = Lock()
        self._thread = Thread(target=self._work, name="bonmun-sites", daemon=True)
        self._thread.start()

    def site(self, url: str | None, /) -> Site | None:
        """Return the templates of a URL's host, `None` while it is unknown."""
        host = host_of(url)
        if not host:
            return None
        with self._lock:
            if host not in self._sites:
                self._remember(host, self._loaded(host))
            return self._copies.get(host)

    def add(self, dataset: "NewsDataSet") -> None:
        """Take a page to learn from or to watch; dropped if too many wait."""
        with suppress(Full):
            self._queue.put_nowait(dataset)

    def drain(self, seconds: float = 60.0) -> None:
        """Wait until the pages taken so far were used."""
        done = Event()
        self._queue.put(done)
        done.wait(seconds)

    def close(self) -> None:
        """Use the last pages, and save what was recorded of the sites in use."""
        self.drain()
        self._queue.put(None)
        self._thread.join()
        for site in self._sites.values():
            if site is not None:
                self._save(site)

    def _work(self) -> None:
        while (item := self._queue.get()) is not None:
            if isinstance(item, Event):
                item.set()
                continue
            try:
                self._use(item)
            except BonmunError as error:
                note(_log, logging.DEBUG, "page not used for its site", error=str(error))
            except Exception as error:  # A page that cannot be used must not end the learning.
                note(_log, logging.WARNING, "site learning failed", error=f"{type(error).__name__}: {error}")

    def _use(self, dataset: "NewsDataSet") -> None:
        host = host_of(dataset.url)
        if not host:
            return
        self.site(dataset.url)
        site = self._sites.get(host)
        if site is not None:
            self._watch(site, dataset.document.page)
        elif dataset.text and isinstance(dataset.packed, Packed):
            self._collect(host, dataset.url, deepcopy(dataset.packed))

    def _collect(self, host: str, url: str, page: "Packed[Judged]") -> None:
        """Keep a page of a host; learn once there are enough. Hosts without new pages make room."""
        pages = self._collected.setdefault(host, {})
        self._collected.move_to_end(host)
        pages[url] = page
        if len(self._collected) > self._config.most_hosts:
            self._collected.popitem(last=False)
        wanted = self._wanted.get(host, self._config.learn_after)
        if len(pages) < wanted:
            return
        try:
            site = Site.learn((page.value.document.page for page in pages.values()), host=host)
        except InputError as error:
            self._wanted[host] = 2 * wanted
            note(_log, logging.INFO, "site not learned", host=host, pages=len(pages), reason=str(error))
            self._changed(host, "failed")
            return
        del self._collected[host]
        with self._lock:
            self._remember(host, site)
        self._save(site)
        note(_log, logging.INFO, "site learned", host=host, pages=len(pages), templates=len(site.templates))
        self._changed(host, "learned")

    def _watch(self, site: Site, page: Page) -> None:
        """Judge a page with its site, which records how well the templates did; tell what has changed."""
        before = site.templates
        site.judge(page)
        stale = [template for template in site.templates if template.stale and template.valid_until is None]
        was_stale = {template.name for template in before if template.stale}
        current = {template.name for template in site.templates if template.valid_until is None}
        relearned = current - {template.name for template in before}
        event = "relearned" if relearned else "stale" if any(one.name not in was_stale for one in stale) else ""
        if event:
            with self._lock:
                self._remember(site.host, site)
            self._save(site)
            reason = "; ".join(f"{template.name}: {template.stale}" for template in stale)
            level = logging.WARNING if event == "stale" else logging.INFO
            note(_log, level, f"site {event}", host=site.host, reason=reason)
            self._changed(site.host, event)

    def _remember(self, host: str, site: Site | None) -> None:
        self._sites[host] = site
        if site is not None:
            self._copies[host] = Site(site.host, site.templates, site.parameters)

    def _loaded(self, host: str) -> Site | None:
        try:
            return self._store.load_site(host)
        except BonmunError as error:
            note(_log, logging.WARNING, "site not loaded", host=host, error=str(error))
            return None

    def _save(self, site: Site) -> None:
        try:
            self._store.save_site(site)
        except BonmunError as error:
            note(_log, logging.WARNING, "site not saved", host=site.host, error=str(error))
