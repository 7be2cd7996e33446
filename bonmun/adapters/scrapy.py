"""Scrapy: an item pipeline, responses with a method `bonmun`, and a mixin for spiders that store their pages.

>>> from scrapy.http import HtmlResponse
>>> from bonmun.adapters.scrapy import extract_response
>>> html = b"<title>Tea</title><p>Tea is made of leaves, and of water that has just boiled.</p>"
>>> extract_response(HtmlResponse("https://example.org/tea", body=html)).text
'Tea is made of leaves, and of water that has just boiled.'
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from bonmun import registry
from bonmun.adapters.extras import needed
from bonmun.adapters.page_tasks import RowTask, StoringTask
from bonmun.adapters.sources import GivenPage
from bonmun.errors import StoreError, UnknownName
from bonmun.model.document import Document, Status
from bonmun.pipeline import extract
from bonmun.scale.rows import Row, failed_row
from bonmun.scale.settings import DEFAULT_BATCH, TEXTS, BatchSettings
from bonmun.store import open_store
from bonmun.workers.failure import Failure

with needed("scrapy", "the adapters for Scrapy", "scrapy"):
    from itemadapter.adapter import ItemAdapter
    from scrapy import Spider, signals
    from scrapy.exceptions import DropItem
    from scrapy.http import HtmlResponse, Response

    from bonmun.adapters.scrapy_work import Workroom

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from scrapy.statscollectors import StatsCollector

    from bonmun.store.results import Saved
    from bonmun.store.saving import PreparedPage
    from bonmun.store.store import Store

__all__ = ["BonmunMiddleware", "BonmunMixin", "BonmunPipeline", "BonmunResponse", "extract_response"]

FIELDS: Final = ("status", "title", "authors", "date", "language", "text", "confidence", "page_type", "error")
"""What the pipeline adds to items that have room for it, unless BONMUN_FIELDS says otherwise."""
_KNOWN: Final = (*FIELDS, *TEXTS, "warnings")
_STATUSES: Final = (*(status.value for status in Status), "failed")
_HTML_FIELDS: Final = ("html", "body")
_GRACE_SECONDS: Final = 10.0
"""To start a process and to return its answer, beyond the seconds of the page."""


def extract_response(response: Response, **options: Any) -> Document:
    """Return the main content of a response: of its bytes, with its URL and the charset of its header.

    `options` are those of `bonmun.extract`. A response that is no page, such as an image, raises `NotAPage`.

    >>> response = Response("https://example.org/tea.pdf", body=b"%PDF-1.7")
    >>> extract_response(response)
    Traceback (most recent call last):
    bonmun.errors.NotAPage: not a web page: PDF document
    """
    page = _given(response)
    return extract(page.html, url=page.url, charset=page.charset, **options)


def _given(response: Response) -> GivenPage:
    header = response.headers.get("Content-Type")
    return GivenPage(response.url, response.body, response.url, header.decode("latin-1") if header else None)


class BonmunResponse(HtmlResponse):
    """An HTML response with the method `bonmun`; `BonmunMiddleware` makes them.

    >>> html = b"<title>Tea</title><p>Tea is made of leaves, and of water that has just boiled.</p>"
    >>> BonmunResponse("https://example.org/tea", body=html).bonmun().title
    'Tea'
    """

    def bonmun(self, **options: Any) -> Document:
        """Return the main content; `options` are those of `bonmun.extract`."""
        return extract_response(self, **options)


class BonmunMiddleware:
    """A downloader middleware that gives HTML responses the method `bonmun`.

    ``DOWNLOADER_MIDDLEWARES = {"bonmun.adapters.scrapy.BonmunMiddleware": 50}``: a number below 590, after the body is
    decompressed. Responses of other classes stay as they are.

    >>> from scrapy import Request
    >>> response = HtmlResponse("https://example.org/tea", body=b"<p>Tea is made of leaves and water.")
    >>> BonmunMiddleware().process_response(Request(response.url), response).bonmun().text
    'Tea is made of leaves and water.'
    """

    def process_response(self, request: Any, response: Response) -> Response:
        """Return the response with its new class."""
        return response.replace(cls=BonmunResponse) if type(response) is HtmlResponse else response


@dataclass(frozen=True, slots=True)
class ItemSettings:
    """The settings of `BonmunPipeline`."""

    fields: Mapping[str, str]
    """The item's fields by ours."""
    html: tuple[str, ...]
    url: str
    keep_page: bool
    drop: frozenset[str]
    jobs: int
    batch: BatchSettings

    @classmethod
    def of(cls, settings: "BaseSettings") -> "ItemSettings":
        """Read the settings of a crawl; raise `UnknownName` for a field or status that does not exist."""
        given = settings.get("BONMUN_FIELDS")
        fields = dict(given) if isinstance(given, Mapping) else {name: name for name in _names(given) or FIELDS}
        drop = _names(settings.get("BONMUN_DROP"))
        _check("field of a page", fields, _KNOWN)
        _check("status", drop, _STATUSES)
        return cls(
            fields,
            _names(settings.get("BONMUN_HTML_FIELD")) or _HTML_FIELDS,
            settings.get("BONMUN_URL_FIELD", "url"),
            settings.getbool("BONMUN_KEEP_PAGE", True),
            frozenset(drop),
            settings.getint("BONMUN_JOBS", 1),
            replace(_extraction(settings), texts=tuple(name for name in TEXTS if name in fields)),
        )


def _extraction(settings: "BaseSettings") -> BatchSettings:
    method, prefer = settings.get("BONMUN_METHOD", "auto"), settings.get("BONMUN_PREFER", "balance")
    registry.preferring(registry.method(method), prefer)  # raises its error here, not for every page
    return replace(DEFAULT_BATCH, method=method, prefer=prefer, timings=False)


def _names(value: Any) -> tuple[str, ...]:
    """The names in a setting: a list, or a string with commas, as the command line has them."""
    return tuple(value.replace(",", " ").split()) if isinstance(value, str) else tuple(value or ())


def _check(what: str, names: Iterable[str], known: tuple[str, ...]) -> None:
    for name in names:
        if name not in known:
            raise UnknownName(what, name, known)


class BonmunPipeline:
    """An item pipeline that adds the main content of the page that an item has, as HTML or as a response.

    A field that the spider has filled stays, one that the item's class lacks is counted (`bonmun/no_such_field/…`), a
    page that fails is an item with `status` and `error`, and an item without a page passes through. Settings, all
    optional: BONMUN_METHOD, BONMUN_PREFER; BONMUN_FIELDS, a list of names or a dictionary from ours to the item's;
    BONMUN_HTML_FIELD, BONMUN_URL_FIELD; BONMUN_KEEP_PAGE, false to set the page's field to `None`; BONMUN_DROP, the
    statuses of items to drop (`failed`, `empty`, `abstained`); BONMUN_JOBS, 1 for a thread beside the reactor, more for
    worker processes.

    ``ITEM_PIPELINES = {"bonmun.adapters.scrapy.BonmunPipeline": 300}``
    """

    def __init__(self, settings: ItemSettings, stats: "StatsCollector") -> None:
        self._settings, self._stats = settings, stats
        seconds = _seconds(settings.batch)
        self._room: Workroom[GivenPage, Row] = Workroom(RowTask(settings.batch), jobs=settings.jobs, seconds=seconds)

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> "Self":
        """Return the pipeline with the settings of a crawl."""
        return cls(ItemSettings.of(crawler.settings), crawler.stats)

    async def process_item(self, item: Any) -> Any:
        """Return the item with the content of its page; raise `DropItem` for a status that is to be dropped."""
        adapter = ItemAdapter(item)
        page = self._page(adapter)
        if page is None:
            self._stats.inc_value("bonmun/items_without_page")
            return item
        try:
            row = await self._room.run(page)
        except Exception as error:  # the worker process died, or took too long
            row = failed_row(Failure.of(error))
        _count(self._stats, row["status"], row.get("error"))
        if row["status"] in self._settings.drop:
            raise DropItem(f"{page.source}: {row['status']}: {_message(row.get('error'))}")
        if not self._settings.keep_page:
            self._without_page(adapter)
        self._fill(adapter, row)
        return item

    def close_spider(self) -> None:
        """End the worker processes."""
        self._room.close()

    def _page(self, adapter: ItemAdapter) -> GivenPage | None:
        found = next((adapter.get(name) for name in self._settings.html if adapter.get(name) is not None), None)
        if isinstance(found, Response):
            return _given(found)
        if not isinstance(found, str | bytes):
            return None
        url = adapter.get(self._settings.url)
        return GivenPage(url or "item", found, url)

    def _without_page(self, adapter: ItemAdapter) -> None:
        for name in self._settings.html:
            if adapter.get(name) is not None:
                adapter[name] = None

    def _fill(self, adapter: ItemAdapter, row: Row) -> None:
        possible = adapter.get_field_names_from_class(adapter.item.__class__)
        for ours, theirs in self._settings.fields.items():
            if possible is not None and theirs not in possible:
                self._stats.inc_value(f"bonmun/no_such_field/{type(adapter.item).__name__}.{theirs}")
            elif adapter.get(theirs) is None:
                adapter[theirs] = row.get(ours)


class BonmunMixin(Spider):
    """A mixin for spiders that extract and store pages: ``class News(BonmunMixin, Spider)``.

    The store is that of the attribute `store_address` or of the setting BONMUN_STORE; it is opened with the spider and
    closed after the crawl. BONMUN_METHOD, BONMUN_PREFER and BONMUN_JOBS are those of `BonmunPipeline`. Counted in the
    statistics of the crawl: `bonmun/status/…`, `bonmun/error/…`, `bonmun/stored/…`.
    """

    store_address: str | None = None
    _store: "Store | None"
    _room: "Workroom[tuple[GivenPage, str | None], Any]"

    @classmethod
    def from_crawler(cls, crawler: "Crawler", *args: Any, **kwargs: Any) -> "Self":
        """Return the spider with its store open."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        address = spider.store_address or crawler.settings.get("BONMUN_STORE")
        batch = _extraction(crawler.settings)
        spider._store = open_store(address) if address else None
        spider._room = Workroom(
            StoringTask(batch), jobs=crawler.settings.getint("BONMUN_JOBS", 1), seconds=2 * _seconds(batch)
        )
        crawler.signals.connect(spider._end, signals.spider_closed)
        return spider

    async def extract_page(self, response: Response) -> Document:
        """Return the main content of a response, extracted away from the reactor's thread; raise its error."""
        document: Document = await self._room.run((_given(response), None))
        return document

    async def store_page(self, response: Response, *, source: str = "") -> "Saved | Failure":
        """Extract and store the page of a response; a page that fails is recorded in the store, and returned.

        `source` is the spider's name by default. An error of the store itself is raised.
        """
        if self._store is None:
            raise StoreError("no store: set BONMUN_STORE, or the spider's store_address")
        stats, source = self.crawler.stats, source or self.name
        try:
            page: PreparedPage = await self._room.run((_given(response), source))
        except Exception as error:
            failure = Failure.of(error)
            _count(stats, "failed", {"type": failure.kind})
            await self._room.call(partial(self._store.fail, response.url, source, "extract", failure))
            return failure
        saved = await self._room.call(partial(self._store.save_prepared, page))
        _count(stats, page.columns["status"], None)
        stats.inc_value(f"bonmun/stored/{saved.outcome}")
        return saved

    def _end(self) -> None:
        self._room.close()
        if self._store is not None:
            self._store.close()


def _seconds(settings: BatchSettings) -> float:
    """The most that a page takes in a worker process: reading and judging, metadata, and its texts."""
    return (2 + max(1, len(settings.texts))) * settings.limits.seconds + _GRACE_SECONDS


def _count(stats: "StatsCollector", status: str, error: Mapping[str, str] | None) -> None:
    stats.inc_value(f"bonmun/status/{status}")
    if error:
        stats.inc_value(f"bonmun/error/{error['type']}")


def _message(error: Mapping[str, str] | None) -> str:
    return f"{error['type']}: {error['message']}" if error else "no main text"
