"""Scrapy: a spider that stores its pages, and a pipeline that fills its items."""

from pathlib import Path

import scrapy
from scrapy.crawler import CrawlerProcess

from bonmun.adapters.scrapy import BonmunMixin

PAGES = Path(__file__).parents[1] / "pages"
SETTINGS = {
    "ITEM_PIPELINES": {"bonmun.adapters.scrapy.BonmunPipeline": 300},
    "DOWNLOADER_MIDDLEWARES": {"bonmun.adapters.scrapy.BonmunMiddleware": 50},
    "BONMUN_FIELDS": ["title", "date", "language"],
    "BONMUN_STORE": ":memory:",
    "LOG_LEVEL": "WARNING",
    "TELNETCONSOLE_ENABLED": False,
}


class Samples(BonmunMixin, scrapy.Spider):
    name = "samples"
    start_urls = tuple(path.as_uri() for path in sorted(PAGES.glob("*.html")))

    async def parse(self, response):
        print("title:", response.bonmun().title)  # in the reactor's thread: right for one look, not for every page
        saved = await self.store_page(response)  # in a thread beside it
        yield {"url": response.url, "html": response, "stored": saved.outcome}


def show(item):
    print(item["stored"], item["date"], item["language"], item["title"], sep=" | ")


if __name__ == "__main__":
    process = CrawlerProcess(SETTINGS)
    crawler = process.create_crawler(Samples)
    crawler.signals.connect(show, scrapy.signals.item_scraped)
    process.crawl(crawler)
    process.start()
    print(crawler.stats.get_value("bonmun/stored/new"), "pages stored")
