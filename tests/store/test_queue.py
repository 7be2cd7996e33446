from bonmun.middleware.exchange import Request
from bonmun.store import open_store
from bonmun.store.store import Store

URLS = [f"https://example.org/{number}" for number in range(5)]


def test_requests_come_in_order_and_once(store: Store) -> None:
    assert store.enqueue(Request(url, "feed") for url in URLS) == 5
    assert store.enqueue([Request(URLS[0] + "#top"), Request("https://example.org/new")]) == 1
    assert store.claim(2) == (Request(URLS[0], "feed"), Request(URLS[1], "feed"))
    assert store.claim() == (Request(URLS[2], "feed"),)
    assert store.pending() == store.stats().pending == 6


def test_a_restarted_run_goes_on_where_it_was(address: str) -> None:
    with open_store(address) as store:
        store.enqueue(Request(url) for url in URLS)
        store.claim(3)
        store.done(URLS[1])
    with open_store(address) as store:
        assert [request.url for request in store.claim(9)] == URLS[3:]
        assert store.release() == 4
        assert [request.url for request in store.claim(9)] == [URLS[0], *URLS[2:]]
        store.done(*URLS)
        assert store.pending() == 0


def test_a_claim_ends_with_its_lease(store: Store) -> None:
    store.enqueue([Request(URLS[0])])
    assert store.claim(lease=0.0)
    assert store.claim(lease=60.0)
    assert not store.claim()


def test_many_requests_are_queued_from_a_stream(store: Store) -> None:
    assert store.enqueue(Request(f"https://example.org/{number % 1_200}") for number in range(2_000)) == 1_200
    assert store.enqueue([]) == 0
    assert store.claim(0) == ()
