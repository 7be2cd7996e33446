import pytest

from bonmun.errors import NotStored
from bonmun.store.job_pages import JobPage
from bonmun.store.store import Store

SPEC = {"method": "auto"}
LATER = "2100-01-01T00:00:00+00:00"


def test_jobs_are_claimed_in_the_order_in_which_they_began_to_wait(store: Store) -> None:
    jobs = store.jobs
    first, second = (jobs.add(name, "crawl", SPEC, "waiting") for name in ("first", "second"))
    jobs.change(first.id, ("waiting",), state="cancelled")
    jobs.change(first.id, ("cancelled",), state="waiting")
    assert [jobs.claim("me", LATER), jobs.claim("me", LATER), jobs.claim("me", LATER)] == [
        jobs.get(second.id), jobs.get(first.id), None,
    ]  # fmt: skip
    assert jobs.get(first.id).state == "running"
    assert jobs.change(first.id, ("waiting",), state="done") is None
    assert [job.name for job in jobs.list(10)[1]] == ["second", "first"]


def test_a_process_hears_of_a_cancelled_or_lost_job_when_it_reports(store: Store) -> None:
    jobs = store.jobs
    job = jobs.add("tea", "crawl", SPEC, "waiting")
    jobs.claim("me", LATER)
    assert jobs.beat(job.id, "me", LATER, {"stored": 3}, 1.5) == "running"
    assert (jobs.get(job.id).counts, jobs.get(job.id).rate) == ({"stored": 3}, 1.5)
    jobs.change(job.id, ("running",), state="stopping")
    assert jobs.beat(job.id, "me", LATER, {}, 0) == "stopping"
    assert jobs.beat(job.id, "another", LATER, {}, 0) is None


def test_changes_are_seen_once_and_in_order(store: Store) -> None:
    jobs = store.jobs
    first, second, hidden = (jobs.add("tea", "crawl", SPEC, state) for state in ("waiting", "waiting", "uploading"))
    assert [job.id for job in jobs.changed(0, 10)] == [first.id, second.id]
    last = jobs.changed(0, 1)[0].revision
    jobs.change(first.id, ("waiting",), state="deleted")
    assert [(job.id, job.state) for job in jobs.changed(last, 10)] == [(first.id, "deleted")]
    assert jobs.list(10)[0] == 1
    with pytest.raises(NotStored, match=f"no job {first.id}"):
        jobs.get(first.id)
    jobs.remove(second.id, hidden.id)
    assert jobs.list(10) == (0, ())


def test_pages_are_taken_once_until_they_are_released(store: Store) -> None:
    pages = store.jobs.pages(store.jobs.add("tea", "crawl", SPEC, "waiting").id)
    assert pages.add([JobPage(key, f"https://example.org/{key}") for key in "abca"[:3]]) == 3
    assert pages.add([JobPage("a", "https://example.org/a"), JobPage("d", "https://example.org/d")]) == 1
    assert [page.key for page in pages.take(3)] == ["a", "b", "c"]
    assert [page.key for page in pages.take(3)] == ["d"]
    assert pages.release() == 4
    first, second = pages.take(2)
    pages.done(first.id, 1, b"result")
    pages.fail(second.id, 2, "fetch", "BadStatus", "404 Not\0 Found")
    assert pages.release() == 0
    assert pages.totals() == {"done": 1, "failed": 1, "pending": 2}
    assert pages.last_settled() == 2
    assert [(page.key, page.message) for page in pages.failed_after(1, 9)] == [("b", pages.failures(9, 9)[0].message)]
    assert pages.failed_after(2, 9) == ()
    assert pages.retry(error="Other") == 0
    assert pages.retry(stage="fetch", error="BadStatus") == 1
    assert pages.totals() == {"done": 1, "pending": 3}


def test_pages_that_a_site_could_not_give_are_found_again_by_reading_it_again(store: Store) -> None:
    pages = store.jobs.pages(store.jobs.add("tea", "crawl", SPEC, "waiting").id)
    pages.add([JobPage("source:0", "site:https://example.org/", kind="source")])
    [source] = pages.take(1, "source")
    pages.done(source.id, 1)
    lost = JobPage("a", "https://example.org/a", source_id=source.id, state="failed", stage="fetch", settled=2)
    kept = JobPage("b", "https://example.org/b", source_id=source.id, state="failed", stage="store", content=b"b")
    pages.add([lost, kept, JobPage("c", "https://example.org/c", state="seen", content=b"c")])
    assert pages.retry() == 2
    assert pages.find("a") is None
    assert [page.content for page in pages.take(9)] == [b"b"]
    assert [page.id for page in pages.take(9, "source")] == [source.id]
    assert (pages.want("c"), pages.want("c"), pages.want("d")) == (True, False, False)
    pages.tidy()
    assert [page.content for page in pages.take(9)] == [None]


def test_results_end_at_the_first_open_page(store: Store) -> None:
    pages = store.jobs.pages(store.jobs.add("tea", "batch", SPEC, "waiting").id)
    pages.add([JobPage(f"line:{number}", "", number) for number in (1, 2, 4)])
    taken = pages.take(3)
    pages.done(taken[0].id, 1, b"1")
    pages.done(taken[2].id, 2, b"4")
    assert [page.result for page in pages.results(0, 9)] == [b"1"]
    pages.fail(taken[1].id, 3, "parsing", "NotAPage", "", b"2")
    assert [page.result for page in pages.results(0, 9)] == [b"1", b"2", b"4"]
    assert [page.number for page in pages.results(1, 1)] == [2]
