"""What a configuration names: sources, wrappers, paths; mistakes by line."""

import sys
from pathlib import Path

import pytest

from bonmun.errors import ConfigError, PluginError
from bonmun.middleware.sources import Crawl, Feed, Files, Sitemap, Urls, WatchedFolder
from bonmun.run.plan import Plan, plan

WRAPPER = """
import bonmun

class Printer(bonmun.Wrapper):
    def __init__(self, folder="."):
        if not folder:
            raise ValueError("no folder")
        self.folder = folder

    def analyze_news(self, dataset):
        print(dataset.title)

class Lines:
    name = "lines"

    def __init__(self, path):
        self.path = path

    def items(self, network):
        return iter(())
"""


@pytest.fixture
def planned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "beside", raising=False)
    (tmp_path / "beside.py").write_text(WRAPPER)
    (tmp_path / "inbox").mkdir()
    (tmp_path / "list.txt").write_text("https://example.org/\n")
    (tmp_path / "a.html").write_text("<p>Tea")

    def make(text: str, **options: bool) -> Plan:
        (tmp_path / "config.toml").write_text(text, encoding="utf-8")
        return plan(tmp_path / "config.toml", **options)

    return make


def test_paths_are_relative_to_the_configuration(planned, tmp_path: Path) -> None:
    made = planned(
        'store = "data/news.db"\nsources = ["urls:list.txt", "*.html", "watch:inbox", "a.html"]\n'
        '[network]\ncache = "cache.db"\n[log]\nfile = "run.log"'
    )
    listed, files, folder, one = (source.source for source in made.sources)
    assert isinstance(listed, Urls)
    assert isinstance(files, Files)
    assert isinstance(one, Files)
    assert isinstance(folder, WatchedFolder)
    assert (str(files.path), str(folder.path)) == (str(tmp_path / "*.html"), str(tmp_path / "inbox"))
    assert (made.store, made.log.file) == (str(tmp_path / "data/news.db"), tmp_path / "run.log")
    assert made.network.cache == str(tmp_path / "cache.db")


def test_addresses_stay_as_they_are(planned) -> None:
    made = planned('store = "postgresql://localhost/news"\nsources = ["https://example.org/tea"]')
    assert (made.store, made.sources[0].name) == ("postgresql://localhost/news", "https://example.org/tea")


def test_a_source_has_its_own_rhythm_or_that_of_the_schedule(planned) -> None:
    text = (
        'sources = [{ source = "feed:https://example.org/rss", every = "1m" }, "https://example.org/"]\n'
        '[schedule]\nevery = "1h"\njitter = "5m"'
    )
    made = planned(text)
    assert [(one.rhythm.every, one.rhythm.jitter) for one in made.sources] == [(60.0, 300.0), (3600.0, 300.0)]
    assert [one.rhythm.every for one in planned(text, once=True).sources] == [None, None]


def test_a_watched_folder_is_read_once_on_request(planned) -> None:
    assert isinstance(planned('sources = ["watch:inbox"]', once=True).sources[0].source, Files)


def test_options_set_the_fields_of_a_source(planned) -> None:
    made = planned(
        'sources = [{ source = "feed:https://example.org/rss", options = { limit = 5 } },'
        ' { source = "sitemap:https://example.org/", options = { since = 2026-01-31T00:00:00Z } },'
        ' { source = "site:https://example.org/", options = { pages = 9, articles_only = false } }]'
    )
    feed, sitemap, crawl = (source.source for source in made.sources)
    assert isinstance(sitemap, Sitemap)
    assert str(sitemap.since) == "2026-01-31 00:00:00+00:00"
    assert isinstance(feed, Feed)
    assert isinstance(crawl, Crawl)
    assert (feed.limit, crawl.limits.pages, crawl.limits.depth, crawl.articles_only) == (5, 9, 3, False)


def test_wrappers_and_sources_beside_the_configuration_are_found(planned) -> None:
    made = planned(
        'sources = [{ use = "beside:Lines", options = { path = "x" } }]\n'
        'wrappers = ["beside:Printer", { wrapper = "beside:Printer", options = { folder = "out" } }]'
    )
    assert [type(one).__name__ for one in (made.sources[0].source, *(make() for make in made.wrappers))] == [
        "Lines",
        "Printer",
        "Printer",
    ]
    assert made.wrappers[1]().folder == "out"


def test_a_wrapper_that_cannot_be_made_is_one_error(planned) -> None:
    made = planned('sources = ["a.html"]\nwrappers = [{ wrapper = "beside:Printer", options = { folder = "" } }]')
    with pytest.raises(PluginError, match=r"plug-in beside:Printer \(wrappers\): ValueError: no folder"):
        made.wrappers[0]()


MISTAKES = {
    'sources = [\n"a.html",\n"none.html"]': "3: none.html: neither a URL nor an existing file; other sources: ",
    '\nsources = ["gopher:tea"]': "2: no source named 'gopher'; there are: ",
    'sources = ["feed:example.org"]': "1: feed: 'example.org' is not a URL of http or https",
    '[[sources]]\nsource = "feed:https://example.org/"\n[sources.options]\nmost = 3':
        "4: unknown option 'most'; known are: limit",
    '[[sources]]\nsource = "site:https://example.org/"\n[sources.options]\npages = "all"':
        "4: 'pages' must be an integer, not \"all\"",
    'sources = [{ source = "sitemap:https://example.org/", options = { since = 2026-01-31 } }]':
        "1: 'since' must be a date and time such as 2026-01-31T00:00:00Z, not 2026-01-31",
    '[[sources]]\nuse = "beside:Lines"\noptions = { folder = "x" }':
        "3: Lines.__init__() got an unexpected keyword argument 'folder'",
    '[[sources]]\nuse = "beside:Nothing"': "2: plug-in beside:Nothing (sources): AttributeError: ",
    'sources = ["a.html"]\nwrappers = ["nowhere:Tea"]':
        "2: plug-in nowhere:Tea (wrappers): ModuleNotFoundError: No module named 'nowhere'",
    'sources = ["a.html"]\nwrappers = ["beside:Lines"]':
        "2: plug-in beside:Lines (wrappers): beside:Lines is not a subclass of bonmun.Wrapper",
    'sources = ["a.html"]\n[[wrappers]]\nwrapper = "beside:Printer"\noptions = { file = 1 }':
        "4: beside:Printer: got an unexpected keyword argument 'file'",
    'sources = ["a.html"]\nstore = "mysql://localhost/news"': "2: mysql://localhost/news: no store at mysql URLs",
    'sources = ["a.html"]\n[extract]\nmethod = "magic"': "3: no method named 'magic'; there are: auto, ",
    'sources = ["a.html"]\n[network]\nper_host = 0': "3: NetworkSettings.per_host must be at least 1, not 0",
    'sources = ["a.html"]\n[network]\ndelay = "soon"':
        "3: 'delay' must be a number, or a duration such as \"2s\", not \"soon\"",
    'sources = ["a.html"]\n[network]\nuser_agnt = "x"': "3: unknown key 'user_agnt'; did you mean 'user_agent'?",
}  # fmt: skip


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_named_with_its_line(planned, tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        planned(text)
    message = str(caught.value).replace(f"{tmp_path}/", "")
    assert message.startswith(f"config.toml, line {MISTAKES[text]}")
