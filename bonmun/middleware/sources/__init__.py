"""Where pages come from: one small class per source, each with a `name` and `items(network)`.

A source yields what it can; what failed on the way is one `SourceError` at the end. Only an item without which there is
nothing to yield, such as the feed itself, fails at once.
"""

from bonmun.middleware.sources.crawl import Crawl, CrawlLimits
from bonmun.middleware.sources.feed import Feed
from bonmun.middleware.sources.files import Files
from bonmun.middleware.sources.one_line import FORMS, source_of
from bonmun.middleware.sources.sitemap import Sitemap
from bonmun.middleware.sources.urls import Urls
from bonmun.middleware.sources.warc import Warc
from bonmun.middleware.sources.watched_folder import WatchedFolder

__all__ = ["FORMS", "Crawl", "CrawlLimits", "Feed", "Files", "Sitemap", "Urls", "Warc", "WatchedFolder", "source_of"]
