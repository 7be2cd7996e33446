import pytest

from bonmun.errors import NotStored
from bonmun.sites.site import Site
from bonmun.store.site_calls import MOST_PAGES, SitePage
from bonmun.store.store import Store
from tests.sites.make import articles
from tests.store.documents import document


@pytest.fixture(scope="module")
def site() -> Site:
    return Site.learn(articles(4), host="news.example")


def pages(count: int) -> list[SitePage]:
    return [SitePage(f"https://news.example/{number}", b"<p>\xff" * number) for number in range(count)]


def test_a_site_is_listed_with_its_documents_and_pages(store: Store, site: Site) -> None:
    assert store.sites() == ()
    for host in ("news.example", "m.news.example", "oldnews.example"):
        store.save(document(f"text of {host}"), url=f"https://{host}/1")
    store.save_site(site, pages(3))
    store.save_site(Site("a.example", site.templates))
    first, second = store.sites()
    assert (first.site.host, first.documents, first.pages) == ("a.example", 0, 0)
    assert (second.site.host, second.documents, second.pages) == ("news.example", 2, 3)
    assert [one.site.host for one in store.sites("news.example")] == ["news.example"]
    assert store.sites("other.example") == ()


def test_pages_are_kept_as_they_came_and_stay_when_rules_are_saved(store: Store, site: Site) -> None:
    store.save_site(site, pages(3))
    store.save_site(site)
    assert store.site_pages("news.example") == tuple(pages(3))
    store.save_site(site, [])
    assert store.site_pages("news.example") == ()


def test_of_many_pages_some_are_kept_evenly_spaced(store: Store, site: Site) -> None:
    store.save_site(site, pages(100))
    kept = [int(page.url.rpartition("/")[2]) for page in store.site_pages("news.example")]
    assert kept == list(range(0, 100, 100 // MOST_PAGES))


def test_a_deleted_site_takes_its_pages_with_it(store: Store, site: Site) -> None:
    store.save_site(site, pages(3))
    store.delete_site("news.example")
    assert (store.load_site("news.example"), store.site_pages("news.example"), store.stats().sites) == (None, (), 0)
    with pytest.raises(NotStored, match=r"no site news\.example"):
        store.delete_site("news.example")


def test_a_url_belongs_to_the_site_of_its_host_or_of_a_domain_above(store: Store, site: Site) -> None:
    store.save_site(site)
    store.save_site(Site("m.news.example", site.templates))
    hosts = {
        "https://www.news.example/1": "news.example",
        "https://m.news.example/1": "m.news.example",
        "https://a.b.news.example/1": "news.example",
    }
    for url, host in hosts.items():
        found = store.site_of(url)
        assert found is not None
        assert found.host == host
    for url in ("https://oldnews.example/", "https://example/", "tea.html", ""):
        assert store.site_of(url) is None


def test_an_update_never_overwrites_a_change_in_between(store: Store, site: Site) -> None:
    store.save_site(site)
    read, used = store.load_site("news.example"), store.load_site("news.example")
    assert read is not None
    assert used is not None
    used.extract(articles(1)[0])
    assert store.update_site(read, used)
    assert not store.update_site(read, used)
    (stored,) = store.sites()
    assert stored.site.to_json() == used.to_json() != read.to_json()
