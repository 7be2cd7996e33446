"""Sites learned on the fly, watched for drift, kept in the store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import bonmun
from bonmun.run.config import SitesConfig
from bonmun.run.site_learning import SiteLearning
from bonmun.store import open_store
from bonmun.store.store import Store
from tests.sites.make import article

HOST = "https://news.example.org"


def page(number: int, design: str = "old") -> bonmun.NewsDataSet:
    return bonmun.NewsDataSet.of(article(number, design=design).encode(), url=f"{HOST}/{number}")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "news.db") as opened:
        yield opened


def test_a_site_is_learned_after_enough_pages_and_known_after_a_restart(store: Store) -> None:
    events: list[tuple[str, str]] = []
    learning = SiteLearning(SitesConfig(learn_after=5), store, lambda host, event: events.append((host, event)))
    for number in (*range(4), 3, 3):  # the same page again is not a new one
        learning.add(page(number))
    learning.drain()
    assert (events, learning.site(HOST)) == ([], None)
    learning.add(page(4))
    learning.drain()
    learning.close()
    assert events == [("news.example.org", "learned")]
    again = SiteLearning(SitesConfig(learn_after=5), store)
    site = again.site(f"{HOST}/new")
    again.close()
    assert site is not None
    assert any("#story" in template.body.keep for template in site.templates)


def test_a_changed_layout_is_noticed_and_learned_anew(store: Store) -> None:
    events: list[str] = []
    learning = SiteLearning(SitesConfig(learn_after=5), store, lambda _, event: events.append(event))
    for number in range(12):
        learning.add(page(number))
    learning.drain()
    before = learning.site(HOST)
    for number in range(100, 112):
        learning.add(page(number, "new"))
    learning.drain()
    after = learning.site(HOST)
    learning.close()
    assert events == ["learned", "stale", "relearned"]
    assert before is not None
    assert after is not None
    assert "section.prose" not in str([template.body.keep for template in before.templates])
    assert any("section.prose" in template.body.keep for template in after.templates if template.in_use)
    kept = store.load_site("news.example.org")
    assert kept is not None
    assert [template.name for template in kept.templates] == [template.name for template in after.templates]


def test_pages_that_are_not_enough_wait_for_more(store: Store) -> None:
    """Pages beyond the size that templates are learned from: nothing is left to learn from."""
    events: list[str] = []
    learning = SiteLearning(SitesConfig(learn_after=3), store, lambda _, event: events.append(event))
    large = "<p>Tea is made of leaves, and of water." * 11_000
    for number in range(3):
        learning.add(bonmun.NewsDataSet.of(large.encode(), url=f"{HOST}/{number}"))
    learning.drain()
    learning.close()
    assert (events, learning.site(HOST)) == (["failed"], None)


def test_hosts_beyond_the_maximum_make_room(store: Store) -> None:
    learning = SiteLearning(SitesConfig(learn_after=3, most_hosts=2), store)
    for host in ("a", "b", "c"):
        for number in range(2):
            learning.add(bonmun.NewsDataSet.of(b"<p>Tea is made of leaves.", url=f"https://{host}.example/{number}"))
    learning.drain()
    learning.close()
    assert list(learning._collected) == ["b.example", "c.example"]
