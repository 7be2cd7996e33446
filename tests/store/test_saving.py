from collections.abc import Callable
from datetime import UTC, datetime

import pytest

import bonmun
from bonmun.errors import BadStatus, NotStored
from bonmun.middleware.exchange import NetworkFacts, Request
from bonmun.store import open_store
from bonmun.store.store import Store
from tests.store.documents import document, story

URL = "https://example.org/tea"
FACTS = NetworkFacts(
    requested_url="http://example.org/t",
    status=200,
    http_version="HTTP/2",
    redirects=("http://example.org/t",),
    attempts=1,
    from_cache=False,
    received_bytes=900,
    seconds=0.1,
    fetched_at=datetime(2026, 11, 16, tzinfo=UTC),
)


def test_an_unchanged_page_adds_nothing_but_a_stamp(store: Store) -> None:
    first = store.save(document("Tea is made of leaves."), url=URL, timings={"parse": 0.1})
    seen = store.show(URL).last_seen
    second = store.save(document("Tea is made of leaves."), url=URL, timings={"parse": 0.1})
    assert (first.outcome, second.outcome) == ("new", "unchanged")
    assert (second.document_id, second.version) == (first.document_id, 1)
    assert len(store.versions(URL)) == len(list(store.timings())) == 1
    assert store.show(URL).last_seen > seen
    assert store.show(URL).first_seen < store.show(URL).last_seen


def test_a_changed_page_adds_a_version_and_an_old_text_is_a_change_too(store: Store) -> None:
    outcomes = [store.save(document(text), url=URL).outcome for text in ("Leaves.", "Water.", "Leaves.")]
    assert outcomes == ["new", "changed", "changed"]
    assert [version.number for version in store.versions(URL)] == [1, 2, 3]
    assert [store.show(URL, version=number).text for number in (1, 2, 3)] == ["Leaves.", "Water.", "Leaves."]
    assert store.show(URL).version == 3


def test_a_new_title_is_a_change(store: Store) -> None:
    store.save(document("Leaves.", "Tea"), url=URL)
    assert store.save(document("Leaves.", "Green tea"), url=URL).outcome == "changed"


def test_spellings_of_a_url_are_one_page(store: Store) -> None:
    store.save(document("Leaves."), url="HTTPS://me:secret@Example.org:443/a/../tea?x=1#top")
    assert store.has("https://example.org/tea?x=1")
    assert store.has("https://example.org/tea?x=1#end")
    assert not store.has("https://example.org/tea?x=2")
    assert "secret" not in store.show(1).url


@pytest.mark.parametrize("url", ["pages/tea.html", "file:///tmp/tea.html", "", "https://[", "\udcff", "x" * 9_000])
def test_any_text_identifies_a_page(store: Store, url: str) -> None:
    store.save(document("Leaves."), url=url)
    assert store.has(url)
    assert store.save(document("Leaves."), url=url).outcome == "unchanged"


def test_everything_known_of_a_page_is_kept(address: str) -> None:
    html = (
        "<html lang=en><head><title>Tea</title><meta name=author content='Ann Lee'>"
        "<meta property=article:published_time content='2026-11-01'><meta name=description content='On tea'>"
        "<meta property=og:site_name content=Teahouse></head><body><article><h1>Tea</h1>"
        + "<p>Tea needs water. Water has to boil for black tea, and the water must be fresh.</p>" * 3
        + "</article></body></html>"
    )
    doc = bonmun.extract(html, url=URL)
    with open_store(address, analyse=True) as store:
        timings = {"read": 0.25, "judge": 0.5}
        store.save(doc, url=URL, source="feed", html_size=len(html), timings=timings, network=FACTS)
        shown = store.show(URL)
        [timing] = store.timings()
    assert (shown.text, shown.markdown, shown.title) == (doc.text, doc.markdown, doc.title)
    assert (shown.author, shown.published, shown.language, shown.site) == ("Ann Lee", "2026-11-01", "en", "Teahouse")
    assert (shown.source, shown.description, shown.status, shown.method) == ("feed", "On tea", "ok", doc.method)
    assert "water" in [word.lower() for word in shown.keywords]
    assert shown.summary
    assert timing.seconds == timings
    assert (timing.html_size, timing.text_size) == (len(html), len(doc.text))
    assert timing.page_size >= len(doc.text.replace("\n", ""))


def test_without_analyse_no_keywords_are_kept(store: Store) -> None:
    store.save(document("Tea needs water."), url=URL)
    assert store.show(URL).keywords == store.show(URL).summary == ()


def test_an_empty_page_is_stored_with_its_status(store: Store) -> None:
    store.save(bonmun.extract("<frameset></frameset>"), url=URL)
    assert store.show(URL).status == "empty"


def test_failures_are_counted_by_page_stage_and_error(store: Store) -> None:
    for _ in range(2):
        store.fail(URL, "feed", "fetch", BadStatus(f"{URL}: 503 from https://me:secret@proxy.example.org/\0"))
    store.fail(URL, "", "parse", bonmun.Failure("WorkerDied", "killed"))
    last, first = store.failures()
    assert (first.url, first.source, first.stage, first.error, first.count) == (URL, "feed", "fetch", "BadStatus", 2)
    assert first.first_at < first.last_at
    assert "503" in first.message
    assert "secret" not in first.message
    assert (last.stage, last.error, last.message, last.source) == ("parse", "WorkerDied", "killed", "")
    assert store.stats().failures == {"BadStatus": 1, "WorkerDied": 1}
    assert not store.has(URL)


def test_an_answered_request_leaves_the_queue_with_the_answer(store: Store) -> None:
    urls = ["http://example.org/t", "https://example.org/broken", "https://example.org/other"]
    assert store.enqueue(Request(url) for url in urls) == 3
    store.save(document("Leaves."), url=URL, network=FACTS)  # redirected from the first
    store.fail(urls[1], "", "fetch", "503")
    assert [request.url for request in store.claim(10)] == [urls[2]]


def test_near_duplicates_share_a_group_across_restarts(address: str) -> None:
    with open_store(address) as store:
        store.save(document(story(1)), url="https://a.example/1")
        store.save(document(story(2)), url="https://a.example/2")
    with open_store(address) as store:
        saved = store.save(document(story(1) + " and a last word"), url="https://b.example/1")
        third = store.save(document("A first word. " + story(1)), url="https://c.example/1")
        assert (saved.outcome, saved.duplicate_of) == ("duplicate", "https://a.example/1")
        assert third.outcome == "duplicate"
        assert set(store.show("https://a.example/1").duplicates) == {"https://b.example/1", "https://c.example/1"}
        assert store.show("https://a.example/2").duplicates == ()
        assert (store.stats().groups, store.stats().grouped) == (1, 3)


def test_a_changed_page_leaves_its_group_and_a_group_of_one_ends(store: Store) -> None:
    store.save(document(story(1)), url="https://a.example/1")
    store.save(document(story(1) + " end"), url="https://b.example/1")
    store.save(document(story(5)), url="https://a.example/1")
    assert store.show("https://b.example/1").duplicates == ()
    assert (store.stats().groups, store.stats().grouped) == (0, 0)
    assert store.save(document(story(1)), url="https://d.example/1").duplicate_of == "https://b.example/1"


def test_short_texts_are_not_duplicates(store: Store) -> None:
    outcomes = [store.save(document("Page not found."), url=f"https://example.org/{n}").outcome for n in range(2)]
    assert outcomes == ["new", "new"]


def test_a_site_is_stored_with_its_state(store: Store) -> None:
    page = "<title>{0}</title><div id=menu><a href=/>Home</a> News</div><div id=text><p>{0} is made of {1}.</div>"
    words = [("Tea", "leaves and hot water"), ("Bread", "flour and yeast"), ("Glass", "sand and soda ash")]
    site = bonmun.Site.learn([page.format(*pair) for pair in words], host="example.org")
    assert store.load_site("example.org") is None
    store.save_site(site)
    store.save_site(site)
    loaded = store.load_site("example.org")
    assert loaded is not None
    assert loaded.to_json() == site.to_json()
    assert store.stats().sites == 1


def test_an_unknown_page_or_version_is_an_error(filled: Callable[..., Store]) -> None:
    store = filled(a="Leaves.")
    for call in (store.show, store.versions, store.diff):
        with pytest.raises(NotStored, match=r"no document https://example.org/x"):
            call("https://example.org/x")
    for number in (7, 0, -1, 10**30):
        with pytest.raises(NotStored, match=f"no version {number}"):
            store.show("https://example.org/a", version=number)
        with pytest.raises(NotStored, match=f"no document {number}"):
            store.show(number)


def test_pruning_removes_versions_pages_and_failures_with_all_their_traces(store: Store) -> None:
    from datetime import timedelta

    for number in range(4):
        store.save(document(story(number)), url=URL)
    store.save(document(story(9)), url="https://example.org/b")
    store.save(document(story(9) + " end"), url="https://example.org/c")
    store.fail("https://example.org/d", "", "fetch", "503")
    assert store.prune(keep_versions=2).versions == 2
    assert [version.number for version in store.versions(URL)] == [3, 4]
    assert store.prune(unseen_for=timedelta(days=1), failures_older_than=timedelta(days=1)).documents == 0
    removed = store.prune(unseen_for=timedelta(0), failures_older_than=timedelta(0), compact=True)
    assert (removed.documents, removed.failures) == (3, 1)
    stats = store.stats()
    assert (stats.documents, stats.versions, stats.groups, stats.failures) == (0, 0, 0, {})
    assert store.search("word").total == store.search(story(9, 1)).total == 0
    assert store.save(document(story(9)), url=URL).outcome == "new"
