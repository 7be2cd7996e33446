import tracemalloc
from collections.abc import Iterator
from itertools import count, islice

import pytest

import bonmun
from bonmun.many import Source

PAGE = "<title>Story {0}</title><p>This is story number {0}, told to the very end on one long evening.</p>"


def stories(number: int) -> list[Source]:
    return [(f"https://example.org/{index}", PAGE.format(index)) for index in range(number)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_documents_come_in_order_with_failures_in_their_place(jobs: int) -> None:
    pages: list[Source] = [*stories(20), b"\x89PNG\r\n\x1a\n", PAGE.format("last").encode()]
    results = list(bonmun.extract_many(pages, jobs=jobs))
    assert [getattr(result, "url", None) for result in results[:20]] == [f"https://example.org/{n}" for n in range(20)]
    failure, last = results[20:]
    assert isinstance(failure, bonmun.Failure)
    assert failure.kind == "NotAPage"
    assert isinstance(failure.exception(), bonmun.NotAPage)
    assert isinstance(last, bonmun.Document)
    assert last.title == "Story last"


def test_worker_processes_give_the_same_documents() -> None:
    pages = stories(6)
    alone, together = (list(bonmun.extract_many(pages, jobs=jobs)) for jobs in (1, 2))
    assert alone == together
    assert [page.to_json() for page in alone] == [page.to_json() for page in together]


def test_options_reach_every_page() -> None:
    (document,) = bonmun.extract_many([PAGE.format(1)], method="xpath", abstain_below=1.0)
    assert isinstance(document, bonmun.Document)
    assert document.method == "xpath"
    (refused,) = bonmun.extract_many([PAGE.format(1)], limits=bonmun.Limits(bytes=10))
    assert isinstance(refused, bonmun.Failure)
    assert refused.kind == "LimitExceeded"


@pytest.mark.parametrize("jobs", [1, 2])
def test_pages_are_taken_only_as_far_ahead_as_needed(jobs: int) -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        for taken in count(1):
            yield PAGE.format(taken)

    results = bonmun.extract_many(endless(), jobs=jobs)
    assert len(list(islice(results, 5))) == 5
    assert taken < 100


def test_memory_does_not_grow_with_the_number_of_pages() -> None:
    def peak(pages: int) -> int:
        tracemalloc.start()
        for _ in bonmun.extract_many(PAGE.format(number) for number in range(pages)):
            pass
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(20)
    assert peak(400) < 2 * peak(40)
