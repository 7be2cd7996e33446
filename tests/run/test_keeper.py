"""A store that is out of reach for a while, and URLs that need not be asked for again."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import bonmun
from bonmun.middleware.exchange import NetworkFacts
from bonmun.run.keeper import Keeper
from bonmun.run.visits import Visits
from bonmun.store.store import Store

DOCUMENT = bonmun.extract("<title>Tea</title><p>Tea is made of leaves, and of water that has just boiled.</p>")


class Distant(Store):
    """A store that cannot be reached the first times."""

    failures = 2

    def save(self, document: Any, **facts: Any) -> Any:
        if self.failures:
            self.failures -= 1
            raise bonmun.StoreUnreachable("no server")
        return super().save(document, **facts)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Distant]:
    with Distant(tmp_path / "news.db") as opened:
        yield opened


def test_a_page_waits_for_a_store_that_is_out_of_reach(store: Distant) -> None:
    keeper = Keeper(store, Visits(store.has), Event(), first_wait=0.01)
    assert keeper.save(DOCUMENT, url="https://example.org/").outcome == "new"
    assert keeper.has("https://example.org/")


def test_a_run_that_is_stopped_does_not_wait(store: Distant) -> None:
    stop = Event()
    stop.set()
    keeper = Keeper(store, Visits(store.has), stop, first_wait=60)
    with pytest.raises(bonmun.StoreUnreachable):
        keeper.save(DOCUMENT, url="https://example.org/")


def test_the_url_before_redirects_is_not_asked_for_again(store: Distant) -> None:
    store.failures = 0
    visits = Visits(store.has)
    facts = NetworkFacts("https://short.example/7", 200, "HTTP/2", (), 1, False, 9, 0.1, datetime.now(UTC))
    keeper = Keeper(store, visits, Event())
    keeper.save(DOCUMENT, url="https://example.org/tea", network=facts)
    urls = ("https://short.example/7", "https://example.org/tea", "https://short.example/8")
    assert [visits.is_needed(url) for url in urls] == [False, False, True]


def test_a_page_that_fails_is_left_alone_longer_each_time(store: Distant) -> None:
    now = 0.0
    visits = Visits(store.has, clock=lambda: now)
    keeper = Keeper(store, visits, Event())
    url = "https://example.org/gone"
    pauses = []
    for _ in range(12):
        keeper.fail(url, "feed", "fetch", bonmun.BadStatus("404"))
        failed = now
        while not visits.is_needed(url):
            now += 300
        pauses.append(now - failed)
    assert pauses[:3] == [600, 1200, 2400]
    assert pauses[-1] == 86_400
    visits.stored(url)
    assert not visits.is_needed(url)
