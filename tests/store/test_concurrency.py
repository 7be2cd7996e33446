import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bonmun.middleware.exchange import Request
from bonmun.store import open_store
from bonmun.store.store import Store
from tests.store.documents import document, story

ROOT = Path(__file__).parents[2]
_WRITER = """
import sys
from concurrent.futures import ThreadPoolExecutor
from bonmun.store import open_store
from tests.store.documents import document, story
address, name = sys.argv[1:]
with open_store(address) as store, ThreadPoolExecutor(3) as threads:
    urls = [f"https://example.org/{name}/{number}" for number in range(20)] + ["https://example.org/shared"] * 5
    for saved in threads.map(lambda pair: store.save(document(story(pair[0])), url=pair[1]), enumerate(urls)):
        assert saved.version > 0
    for found in threads.map(lambda number: store.search("word"), range(10)):
        assert found is not None
"""


def test_processes_and_threads_write_to_one_store(address: str) -> None:
    open_store(address).close()
    command = [sys.executable, "-c", _WRITER, address]
    processes = [subprocess.Popen([*command, name], cwd=ROOT, stderr=subprocess.PIPE) for name in ("a", "b")]
    for process in processes:
        assert process.communicate(timeout=300)[1] == b""
    with open_store(address) as store:
        urls = [stored.url for stored in store.documents()]
        assert len(urls) == len(set(urls)) == 41
        numbers = [version.number for version in store.versions("https://example.org/shared")]
        assert numbers == list(range(1, len(numbers) + 1))


def test_a_reader_is_not_blocked_by_a_writer(store: Store) -> None:
    store.save(document(story(1)), url="https://example.org/1")

    def read_inside(connection: object) -> int:
        with ThreadPoolExecutor(1) as other:
            return other.submit(lambda: store.stats().documents).result(timeout=20)

    assert store._database.write(read_inside) == 1


def test_each_request_is_claimed_once(store: Store) -> None:
    store.enqueue(Request(f"https://example.org/{number}", "feed") for number in range(60))
    with ThreadPoolExecutor(4) as threads:
        claimed = [request.url for batch in threads.map(lambda _: store.claim(5), range(20)) for request in batch]
    assert len(claimed) == len(set(claimed)) == 60


def test_a_transaction_that_reads_sees_one_state(store: Store) -> None:
    store.save(document(story(1)), url="https://example.org/1")
    with store._database.reading() as connection:
        count = "SELECT count(*) FROM documents"
        before = connection.exec_driver_sql(count).scalar_one()
        with ThreadPoolExecutor(1) as other:
            other.submit(store.save, document(story(2)), url="https://example.org/2").result(timeout=20)
        assert connection.exec_driver_sql(count).scalar_one() == before == 1
    assert store.stats().documents == 2
