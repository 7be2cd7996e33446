"""A crawl of the pages at an address, in a process of its own: ``crawl.py ADDRESS FOLDER [SETTING=VALUE …]``."""

import dataclasses
import json
import sys
from pathlib import Path

import scrapy
from scrapy.crawler import CrawlerProcess

from bonmun.adapters.scrapy import BonmunMixin

PAGES = ("tea", "undeclared", "header-charset", "packed", "empty", "picture", "data", "missing")


@dataclasses.dataclass
class Article:
    """An item with room for some of the fields only."""

    url: str
    html: str
    title: str | None = None
    text: str | None = None
    status: str | None = None


class Pages(BonmunMixin, scrapy.Spider):
    name = "pages"
    address = folder = ""

    async def start(self):
        for page in PAGES:
            yield scrapy.Request(f"{self.address}/{page}")

    async def parse(self, response):
        kind = type(response).__name__
        title = response.bonmun().title if hasattr(response, "bonmun") else None
        stored = await self.store_page(response)
        outcome = getattr(stored, "outcome", None) or stored.kind
        yield {"url": response.url, "html": response, "class": kind, "by_method": title, "stored": outcome}
        if response.url.endswith("/tea"):
            document = await self.extract_page(response)
            yield Article(response.url, response.text, title="A title of the spider's own")
            yield {"url": response.url, "note": "no page here", "extracted": document.text}


def settings(folder: Path, more: list[str]) -> dict[str, object]:
    return {
        "ITEM_PIPELINES": {"bonmun.adapters.scrapy.BonmunPipeline": 300},
        "DOWNLOADER_MIDDLEWARES": {"bonmun.adapters.scrapy.BonmunMiddleware": 50},
        "BONMUN_STORE": str(folder / "pages.db"),
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "WARNING",
        "RETRY_ENABLED": False,
    } | dict(setting.split("=", 1) for setting in more)


if __name__ == "__main__":
    address, folder, *more = sys.argv[1:]
    items: list[object] = []

    def keep(item, response, spider):
        data = dataclasses.asdict(item) if dataclasses.is_dataclass(item) else dict(item)
        data["html"] = None if data.get("html") is None else type(data["html"]).__name__
        items.append(data)

    process = CrawlerProcess(settings(Path(folder), more))
    crawler = process.create_crawler(Pages)
    crawler.signals.connect(keep, scrapy.signals.item_scraped)
    process.crawl(crawler, address=address)
    process.start()
    result = {"items": items, "stats": crawler.stats.get_stats()}
    Path(folder, "result.json").write_text(json.dumps(result, default=str), encoding="utf-8")
