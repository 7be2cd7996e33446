"""Work that dies, hangs or fills its memory costs one worker; nobody else notices."""

import multiprocessing
import os
import signal
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from bonmun.serve.settings import ServeSettings
from tests.middleware.local_server import Server
from tests.serve.api.hard_work import with_hard_work
from tests.serve.api.live import PAGE, TEXT, Live, live, until


def extracts(live: Live) -> bool:
    with live.client() as client:
        return client.post("/v1/extract", json={"html": PAGE, "format": "text"}).text == TEXT


def test_a_page_that_kills_its_worker_twice_is_a_problem(served: Live, tmp_path: Path) -> None:
    file = tmp_path / "starts"
    with served.client() as client:
        answer = client.post("/test/exit", params={"file": str(file)})
    assert (answer.status_code, answer.json()["title"]) == (422, "WorkerDied")
    assert file.read_text() == "xx"
    assert extracts(served)


@pytest.mark.parametrize(("name", "limit"), [("hang", "seconds"), ("fill_memory", "memory")])
def test_a_limit_of_time_or_memory_is_named(served: Live, name: str, limit: str) -> None:
    with served.client() as client:
        answer = client.post(f"/test/{name}", params={"limit": 0.5 if name == "hang" else 60})
    assert (answer.status_code, answer.json()["limit"]) == (422, limit)
    assert extracts(served)


def test_a_defect_is_answered_without_what_is_inside(served: Live, caplog: pytest.LogCaptureFixture) -> None:
    with served.client() as client:
        answer = client.post("/test/fail")
    assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
    assert "secret" not in answer.text
    assert any(answer.json()["id"] in record.getMessage() and record.exc_info for record in caplog.records)


def test_killed_workers_are_invisible(served: Live) -> None:
    """Workers are killed while five clients ask; each answer is the client's own."""
    assert extracts(served)
    found: list[list[str]] = [[] for _ in range(5)]
    stop = threading.Event()

    def ask(number: int) -> None:
        html = f"<p>Cup {number}: {TEXT}</p>"
        with served.client() as client:
            while not stop.is_set():
                found[number].append(client.post("/v1/extract", json={"html": html, "format": "text"}).text)

    with ThreadPoolExecutor(5) as executor:
        asking = [executor.submit(ask, number) for number in range(5)]
        for index in (0, 1, 0):
            before = [len(answers) for answers in found]
            os.kill(multiprocessing.active_children()[index].pid or 0, signal.SIGKILL)
            # No request may meet two of these kills: work that dies twice is taken for the cause.
            until(lambda before=before: all(len(now) > count + 2 for now, count in zip(found, before, strict=True)))
        stop.set()
        for one in asking:
            one.result()
    for number, answers in enumerate(found):
        assert {*answers} == {f"Cup {number}: {TEXT}"}


@contextmanager
def waiting_work(served: Live, file: Path, count: int) -> Iterator[None]:
    """Requests that run and wait until the end of the block; all of them are answered."""

    def ask() -> tuple[int, str]:
        with served.client() as client:
            answer = client.post("/test/wait_for_file", params={"file": str(file)})
            return answer.status_code, answer.text

    with ThreadPoolExecutor(count) as executor:
        asked = [executor.submit(ask) for _ in range(count)]
        try:
            until(lambda: load(served, "waiting") + load(served, "running") == count)
            yield
        finally:
            with file.open("a") as opened:
                opened.write("y")
        assert [one.result() for one in asked] == [(200, '{"answer":"done"}')] * count


def load(served: Live, name: str) -> int:
    found = [line for line in served.service.metrics.text().splitlines() if line.startswith(f"bonmun_pool_{name} ")]
    return int(float(found[0].split()[1]))


def test_a_full_queue_is_503_with_the_time_to_come_back(served: Live, tmp_path: Path) -> None:
    with waiting_work(served, tmp_path / "busy", 6), served.client() as client:  # two run, four wait
        refused = client.post("/v1/extract", json={"html": PAGE})
        assert client.get("/healthz").status_code == client.get("/readyz").status_code == 200
    assert (refused.status_code, refused.json()["title"]) == (503, "QueueFull")
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert extracts(served)


def test_a_full_queue_refuses_a_page_before_it_is_sent(served: Live, tmp_path: Path) -> None:
    head = "POST /v1/extract HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/html\r\nContent-Length: 1000000\r\n\r\n"
    with waiting_work(served, tmp_path / "busy", 6), served.connection() as connection:
        connection.sendall(head.encode())
        assert connection.recv(1000).startswith(b"HTTP/1.1 503 ")
    assert extracts(served)


def test_work_of_a_client_that_left_is_not_done(served: Live, tmp_path: Path) -> None:
    left = tmp_path / "left"
    with waiting_work(served, tmp_path / "busy", 2):
        until(lambda: load(served, "running") == 2)  # so that what waits next is the request below
        with served.connection() as connection:
            connection.sendall(f"POST /test/exit?file={left} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            until(lambda: load(served, "waiting") == 1)
        until(lambda: load(served, "waiting") == 0)
    assert extracts(served) and not left.exists()


def test_shutdown_finishes_what_runs_and_refuses_what_comes(tmp_path: Path) -> None:
    file = tmp_path / "starts"
    settings = ServeSettings(store=":memory:", workers=1, patience=30)
    with live(settings, with_hard_work) as running, ThreadPoolExecutor(2) as executor, running.client() as client:
        assert extracts(running)
        asked = executor.submit(client.post, "/test/wait_for_file", params={"file": str(file)})
        until(lambda: file.exists() and file.read_text())
        with running.client() as late:
            assert late.get("/readyz").status_code == 200
            running.server.servers[0].get_loop().call_soon_threadsafe(running.service.drain)
            until(lambda: running.service.closing.is_set())
            refused = late.post("/v1/extract", json={"html": PAGE})
            assert (refused.status_code, refused.json()["title"]) == (503, "shutting down")
            assert late.get("/readyz").status_code == 503
            assert late.get("/healthz").status_code == 200
        stopping = executor.submit(running.stop)
        with file.open("a") as opened:
            opened.write("y")
        assert asked.result().json() == {"answer": "done"}
        stopping.result()
    assert not running.thread.is_alive()


def test_a_request_that_has_begun_is_finished_after_the_end_was_announced(site: Server) -> None:
    """Its page is still being fetched when the service begins to shut down; the work comes after that."""
    asked, answer = threading.Event(), threading.Event()

    def slow(connection: socket.socket) -> None:
        asked.set()
        assert answer.wait(60)
        connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE.encode())

    url = site.serve(slow, "/slow")
    settings = ServeSettings(store=":memory:", workers=1, allow_private=True)
    with live(settings) as running, running.client() as client, ThreadPoolExecutor(1) as executor:
        result = executor.submit(client.post, "/v1/extract", json={"url": url, "format": "text"})
        assert asked.wait(60)
        running.server.servers[0].get_loop().call_soon_threadsafe(running.service.drain)
        until(running.service.closing.is_set)
        answer.set()
        assert result.result().text == TEXT


def test_a_client_that_leaves_frees_its_fetch(served: Live, site: Server) -> None:
    asked, answer = threading.Event(), threading.Event()

    def slow(connection: socket.socket) -> None:
        asked.set()
        assert answer.wait(60)

    url = site.serve(slow, "/never")
    try:
        with served.connection() as connection:
            connection.sendall(f"GET /r/{url} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            assert asked.wait(60)
        left = 'bonmun_http_requests_total{method="GET",route="/r/{url:path}",status="499"} 1.0'
        until(lambda: left in served.service.metrics.text())
    finally:
        answer.set()


def test_work_beyond_the_patience_is_ended(tmp_path: Path) -> None:
    file = tmp_path / "starts"
    with live(ServeSettings(store=":memory:", workers=1, patience=0.1), with_hard_work) as running:
        running.server.config.timeout_graceful_shutdown = 1
        assert extracts(running)
        with running.connection() as connection:
            connection.sendall(f"POST /test/hang?file={file} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            until(file.exists)
            running.stop()
