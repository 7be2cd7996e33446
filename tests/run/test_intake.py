"""Requests on their way from a source through the queue to the container."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from bonmun.errors import BadStatus, StoreUnreachable
from bonmun.middleware.exchange import Network, Request, SourceItem, SourcePage, Unfetched
from bonmun.run.intake import Intake
from bonmun.run.visits import Visits
from bonmun.run.waiting import Waiting
from bonmun.store import open_store
from bonmun.store.store import Store

NETWORK: Any = None


class Listed:
    name = "listed"

    def __init__(self, *items: SourceItem) -> None:
        self._items = items

    def items(self, network: Network) -> Iterator[SourceItem]:
        yield from self._items


def requests(start: int, stop: int, source: str = "listed") -> list[Request]:
    return [Request(f"https://example.org/{number}", source) for number in range(start, stop)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "news.db") as opened:
        yield opened


def taken(intake: Intake) -> list[str]:
    intake.read(NETWORK)
    intake.close()
    return [getattr(item, "request", item).url for item in intake.items(NETWORK)]


def test_requests_come_once_and_in_order(store: Store) -> None:
    waiting = Waiting(store, ["listed"])
    intake = Intake("listed", Listed(*requests(0, 300), *requests(0, 5)), waiting, None, Event())
    assert taken(intake) == [request.url for request in requests(0, 300)]
    assert store.pending() == 300


def test_what_was_taken_and_not_done_is_taken_again_after_a_crash(store: Store) -> None:
    first = Intake("listed", Listed(*requests(0, 10)), Waiting(store, ["listed"]), None, Event())
    assert len(taken(first)) == 10
    for number in range(4):
        store.fail(f"https://example.org/{number}", "listed", "fetch", "gone")
    waiting = Waiting(store, ["listed"])
    assert waiting.resumed == 6
    second = Intake("listed", Listed(), waiting, None, Event())
    assert taken(second) == [request.url for request in requests(4, 10)]


def test_pages_that_are_not_needed_are_left_out(store: Store) -> None:
    visits = Visits(lambda url: url.endswith("/3"))
    visits.failed("https://example.org/1")
    intake = Intake("listed", Listed(*requests(0, 5)), Waiting(store, ["listed"]), visits, Event())
    assert taken(intake) == [f"https://example.org/{number}" for number in (0, 2, 4)]


def test_a_page_that_is_stored_while_it_is_listed_again_is_not_asked_for_twice(store: Store) -> None:
    """The source was asked before the page was stored, its request comes after it."""
    waiting = Waiting(store, ["listed"])
    visits = Visits(store.has)
    assert waiting.add(requests(0, 2), visits) == 2
    assert len(waiting.take("listed", 10)) == 2
    store.done("https://example.org/0", "https://example.org/1")  # as `save` does
    assert waiting.add([Request("https://example.org/0#top", "listed")], visits) == 0
    waiting.settle("https://example.org/0")
    assert waiting.add(requests(0, 2), visits) == 1
    assert [request.url for request in waiting.take("listed", 10)] == ["https://example.org/0"]


class Moody(Store):
    """A store whose queue fails once, and once holds everything back."""

    answers = 0

    def claim(self, most: int = 1, lease: float = 600.0) -> tuple[Request, ...]:
        self.answers += 1
        if self.answers == 1:
            raise StoreUnreachable("the server cannot be reached")
        return () if self.answers == 2 else super().claim(most, lease)


def test_a_queue_that_fails_for_a_moment_is_not_taken_for_empty(tmp_path: Path) -> None:
    with Moody(tmp_path / "moody.db") as store:
        intake = Intake("listed", Listed(*requests(0, 3)), Waiting(store, ["listed"]), None, Event())
        assert taken(intake) == [request.url for request in requests(0, 3)]
        assert store.answers > 2


def test_requests_that_a_killed_process_added_or_claimed_late_are_taken_in_the_end(store: Store) -> None:
    """PostgreSQL may commit the last transaction of a killed process after the next one has started."""
    waiting = Waiting(store, ["listed"])
    store.enqueue(requests(0, 4))
    assert len(store.claim(2, 9999.0)) == 2
    intake = Intake("listed", Listed(), waiting, None, Event())
    intake.close()
    seen = []
    for item in intake.items(NETWORK):
        seen.append(item.url)
        store.done(item.url)
        waiting.settle(item.url)
    assert sorted(seen) == [request.url for request in requests(0, 4)]


def test_requests_that_another_process_takes_do_not_hold_up_the_end(tmp_path: Path) -> None:
    class Greedy(Store):
        def claim(self, most: int = 1, lease: float = 600.0) -> tuple[Request, ...]:
            return ()

    with Greedy(tmp_path / "greedy.db") as store:
        store.enqueue(requests(0, 2))
        assert taken(Intake("listed", Listed(), Waiting(store, ["listed"]), None, Event())) == []
        assert store.pending() == 2


def test_requests_of_a_source_that_is_gone_go_to_the_first(store: Store) -> None:
    store.enqueue([*requests(0, 2, "removed"), *requests(2, 4, "second")])
    waiting = Waiting(store, ["first", "second"])
    first, second = (Intake(name, Listed(), waiting, None, Event()) for name in ("first", "second"))
    assert taken(second) == [request.url for request in requests(2, 4)]
    assert taken(first) == [request.url for request in requests(0, 2)]


def test_a_long_list_does_not_fill_the_queue(store: Store) -> None:
    stop = Event()
    waiting = Waiting(store, ["listed"])
    intake = Intake("listed", Listed(*requests(0, 5_000)), waiting, None, stop)
    thread = Thread(target=lambda: intake.read(NETWORK))
    thread.start()
    items = intake.items(NETWORK)
    seen = [next(items).url for _ in range(50)]
    while store.pending() < 900:
        stop.wait(0.05)
    assert store.pending() <= 1_200
    stop.set()
    thread.join()
    assert seen == [request.url for request in requests(0, 50)]


def test_pages_pass_with_the_name_of_the_source(store: Store) -> None:
    page = SourcePage("file:///a.html", b"<p>Tea", source="files:a.html")
    intake = Intake("mine", Listed(page), Waiting(store, ["mine"]), None, Event())
    intake.read(NETWORK)
    intake.close()
    (item,) = intake.items(NETWORK)
    assert isinstance(item, SourcePage)
    assert (item.source, item.content, store.pending()) == ("mine", b"<p>Tea", 0)


def test_an_idle_intake_does_not_ask_the_queue(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = Waiting(store, ["listed"])
    monkeypatch.setattr(store, "claim", lambda *_: pytest.fail("the queue was asked"))
    assert waiting.take("listed", 10) == []


def test_what_a_source_failed_to_fetch_goes_to_the_container(store: Store) -> None:
    failed = Unfetched(Request("https://example.org/sitemap-2.xml", "inner"), BadStatus("the server answered 500"))
    intake = Intake("listed", Listed(failed), Waiting(store, ["listed"]), None, Event())
    intake.read(NETWORK)
    intake.close()
    (item,) = intake.items(NETWORK)
    assert item == Unfetched(Request("https://example.org/sitemap-2.xml", "listed"), failed.error)
    assert store.pending() == 0
