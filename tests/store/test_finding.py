import pickle
from collections.abc import Callable

import pytest

from bonmun.errors import NotStored
from bonmun.middleware.exchange import Request
from bonmun.store.index import Filters
from bonmun.store.saving import Record
from bonmun.store.store import Store
from tests.store.documents import document, story

Fill = Callable[..., Store]


def found(store: Store, query: str = "", **options: object) -> list[str]:
    hits = store.find(query, **options)  # type: ignore[arg-type]
    assert hits.total == len(hits)
    return [hit.url.rpartition("/")[2] for hit in hits]


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("rep", ["b", "a"]),
        ("reporti", ["a"]),
        ("repo", ["b", "a"]),
        ("the repor", ["a"]),
        ("reporti ", []),
        ('"reporti', []),
        ("r", []),
        ("한국은", ["c"]),
        ("한국은해", ["c"]),
        ("은행ㅇ", ["c"]),
        ("금리르", ["c"]),
        ("利", ["d"]),
        ("Прив", ["e"]),
        ("cafe-la", ["f"]),
        ("-rep", []),
    ],
)
def test_an_unfinished_last_word_finds_what_it_may_become(filled: Fill, typed: str, names: list[str]) -> None:
    store = filled(a="the minister reported it", b="a repository", c="한국은행이 금리를 올렸다", d="降低利率",
                   e="приветы из дома", f="café latte")  # fmt: skip
    assert sorted(found(store, typed, prefix=True)) == sorted(names)


def test_without_prefix_a_word_is_finished(filled: Fill) -> None:
    assert found(filled(a="the minister reported it"), "repor") == []


@pytest.mark.parametrize(
    ("typed", "marked"),
    [("reporti", "He [reported] it to 한국은행."), ("한국은해", "He reported it to [한국은행].")],
)
def test_the_words_that_an_unfinished_one_found_are_marked(filled: Fill, typed: str, marked: str) -> None:
    store = filled(a="He reported it to 한국은행.")
    assert [hit.snippet.marked("[", "]") for hit in store.find(typed, prefix=True)] == [marked]


def test_without_a_query_the_pages_seen_last_come_first(store: Store) -> None:
    for name in "abc":
        store.save(document(f"text {name}"), url=f"https://{name}.example/")
    store.save(document("text a"), url="https://a.example/")
    assert [hit.host for hit in store.find()] == ["a.example", "c.example", "b.example"]
    second = store.find(limit=1, offset=1)
    assert (second.total, [hit.host for hit in second]) == (3, ["c.example"])
    assert second[0].snippet.text == "text c"
    assert second[0].snippet.places == ()


def test_filters_narrow_both_the_list_and_the_results(store: Store) -> None:
    days = {"a": "2026-01-01", "b": "2026-06-30", "c": "2026-12-31"}
    for name, day in days.items():
        page = document("black tea", "Tea", **{"article:published_time": f"{day}T23:59:00+00:00"})
        store.save(page, url=f"https://example.org/{name}")
    for query in ("", "tea"):
        assert sorted(found(store, query, filters=Filters(until="2026-06-30"))) == ["a", "b"]
        assert found(store, query, filters=Filters(since="2026-06-30", until="2026-06-30")) == ["b"]
        assert found(store, query, filters=Filters(min_confidence=1.0)) != []
        assert found(store, query, filters=Filters(min_confidence=1.1)) == []
        assert found(store, query, filters=Filters(host="\x00\ud800")) == []


def test_facets_count_without_their_own_filter(store: Store) -> None:
    for name, text in {"a": "한국은행 금리", "b": "한국은행 물가", "c": "bank rates 한국은행"}.items():
        store.save(document(text, "T", language="ko" if name < "c" else "en"), url=f"https://{name}.example/")
    everything = store.facets()
    assert everything.hosts == {"a.example": 1, "b.example": 1, "c.example": 1}
    assert sum(everything.languages.values()) == 3
    assert store.facets("금").hosts == {"a.example": 1}
    assert store.facets("한국은해", prefix=True).hosts == everything.hosts
    assert store.facets("한국은행", filters=Filters(host="a.example")).hosts == everything.hosts
    assert store.facets("...").hosts == {}


def test_a_deleted_page_leaves_nothing_behind(store: Store) -> None:
    for name in "ab":
        store.save(document(story(1)), url=f"https://{name}.example/", timings={"parse": 0.1})
    store.save(document(story(2)), url="https://a.example/")
    store.delete("https://a.example/")
    stats = store.stats()
    assert (stats.documents, stats.versions, stats.groups) == (1, 1, 0)
    assert [hit.host for hit in store.search(story(2).split()[0])] == []
    with pytest.raises(NotStored):
        store.delete("https://a.example/")


def test_a_page_prepared_elsewhere_is_stored_like_any_other(store: Store) -> None:
    store.enqueue([Request("https://example.org/a")])
    page = Record(document(story(1)), "https://example.org/a", "feed", 10, {"parse": 0.5}).prepared()
    saved = store.save_prepared(pickle.loads(pickle.dumps(page)))  # noqa: S301
    assert (saved.outcome, store.pending()) == ("new", 0)
    assert store.save(document(story(1)), url="https://example.org/a").outcome == "unchanged"
    assert store.save_prepared(page).outcome == "unchanged"
    assert store.show("https://example.org/a").source == "feed"


def test_the_latest_timings_come_first(store: Store) -> None:
    for number in range(5):
        timings = {"parse": float(number)} if number != 3 else {}
        store.save(document(story(number)), url=f"https://example.org/{number}", html_size=number, timings=timings)
    timed = store.latest_timings(3)
    assert [timing.html_size for timing in timed] == [4, 2, 1]
    assert store.show(timed[0].document_id).url == timed[0].url
