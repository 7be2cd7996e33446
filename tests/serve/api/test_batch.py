"""POST /v1/batch on a real server: order, bad lines, memory, clients that go away or do not read."""

import asyncio
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from bonmun.limits import Limits
from bonmun.serve.batch_line import BatchAnswer
from bonmun.serve.settings import ServeSettings
from tests.middleware.local_server import Server
from tests.serve.api.live import PAGE, TEXT, Live, live, ndjson, until

NDJSON = {"Content-Type": "application/x-ndjson"}


def answers(body: bytes) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in body.splitlines()]
    for one in found:
        BatchAnswer.model_validate(one)
    return found


def page(number: int, size: int = 1) -> str:
    return f"<title>Tea {number}</title><p>Cup {number}: {TEXT * size}</p>"


def test_answers_come_in_the_order_of_the_lines(served: Live) -> None:
    sizes = [300, 1, 1, 50, 1, 100, *[1] * 24]
    body = ndjson(*({"id": f"n{n}", "html": page(n, size), "format": "text"} for n, size in enumerate(sizes)))
    with served.client() as client:
        found = answers(client.post("/v1/batch", content=body, headers=NDJSON).content)
    assert [one["line"] for one in found] == [*range(1, len(sizes) + 1)]
    assert [one["id"] for one in found] == [f"n{n}" for n in range(len(sizes))]
    assert all(one["content"].startswith(f"Cup {n}:") for n, one in enumerate(found))


def test_a_bad_line_never_stops_the_others(served: Live, site: Server) -> None:
    url = site.serve(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE.encode(), "/batch")
    lines = [
        b'{"id": 1, "html": "<p>',
        b'{"id": 2, "html": "<p>Tea", "method": "magic"}',
        b"\xff\xfe",
        b"",
        b'{"id": 5, "html": "%PDF-1.7"}',
        b'{"id": 6, "url": "http://tea.invalid/"}',
        b'{"id": 7}',
        b'{"id": [8]}',
        b'{"id": 9, "html": "<p>Tea", "limits": {"nodes": 1}}',
        json.dumps({"id": 10, "url": url}).encode(),
        b"[" * 10_000,
        json.dumps({"id": "last", "html": PAGE, "format": "markdown"}).encode(),
    ]
    with served.client() as client:
        found = answers(client.post("/v1/batch", content=b"\r\n".join(lines), headers=NDJSON).content)
    statuses = [(one["line"], one["id"], one.get("problem", one)["status"]) for one in found]
    assert statuses == [
        (1, None, 422),
        (2, 2, 422),
        (3, None, 422),
        (5, 5, 415),
        (6, 6, 424),
        (7, 7, 422),
        (8, None, 422),
        (9, 9, 422),
        (10, 10, "ok"),
        (11, None, 422),
        (12, "last", "ok"),
    ]
    assert found[8]["document"]["text"] == TEXT
    assert found[10]["content"] == TEXT


@pytest.fixture(scope="module")
def small() -> Iterator[Live]:
    limits = Limits(bytes=50_000, seconds=10.0)
    with live(ServeSettings(store=":memory:", workers=1, limits=limits, request_bytes=1000)) as running:
        yield running


def test_a_line_that_is_too_long_is_dropped_while_it_is_read(small: Live) -> None:
    long = ndjson({"id": "long", "html": "x" * 3_000_000})
    with small.client() as client:
        body = long + ndjson({"id": "short", "html": PAGE}) + long[:-1]
        found = answers(client.post("/v1/batch", content=body, headers=NDJSON).content)
    assert [(one["line"], one["id"], one.get("problem", one)["status"]) for one in found] == [
        (1, None, 413),
        (2, "short", "ok"),
        (3, None, 413),
    ]


def test_an_answer_is_sent_before_the_next_line_is_read(served: Live) -> None:
    with served.connection() as connection, connection.makefile("rb") as received:
        connection.sendall(
            b"POST /v1/batch HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        for number in range(3):
            line = ndjson({"id": number, "html": PAGE})
            connection.sendall(b"%x\r\n%s\r\n" % (len(line), line))
            while not (answer := received.readline()).startswith(b"{"):
                assert answer
            assert json.loads(answer)["id"] == number
        connection.sendall(b"0\r\n\r\n")


def test_a_client_may_send_everything_before_it_reads(served: Live) -> None:
    count, html = 100, page(1, 1000)
    body = ndjson(*({"id": n, "html": html, "format": "text"} for n in range(count))) * 3
    head = "POST /v1/batch HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n"
    with served.connection() as connection:
        connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        received = b"".join(iter(lambda: connection.recv(1 << 20), b""))
    assert received.count(b'"status": "ok"') == 3 * count


def test_a_client_that_leaves_takes_its_waiting_lines_along(served: Live) -> None:
    count, before = 60, answered(served)
    slow = ndjson(*({"id": n, "html": f"<p>Cup {n} of tea, please.</p>" * 1000} for n in range(count)))
    with served.connection() as connection:
        head = "POST /v1/batch HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\n"
        connection.sendall(f"{head}Content-Length: {len(slow)}\r\n\r\n".encode() + slow)
        connection.recv(10)
    idle = ("bonmun_pool_waiting 0.0", "bonmun_pool_running 0.0")
    until(lambda: served.service.batches == 0 and all(one in served.service.metrics.text() for one in idle))
    assert answered(served) - before < count


def answered(served: Live) -> float:
    lines = served.service.metrics.text().splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("bonmun_batch_lines_total"))


def test_a_client_that_leaves_in_the_middle_leaves_nothing_behind(served: Live) -> None:
    line = ndjson({"id": 1, "html": PAGE})
    with served.connection() as connection:
        head = "POST /v1/batch HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\n"
        connection.sendall(f"{head}Content-Length: 1000000\r\n\r\n".encode() + line + line[:20])
        until(lambda: served.service.batches == 1)
        connection.recv(10)
    until(lambda: served.service.batches == 0)
    loop = served.server.servers[0].get_loop()
    until(lambda: not [task for task in asyncio.all_tasks(loop) if "bonmun/serve/batch.py" in repr(task)])


def test_requests_are_answered_while_a_batch_runs(served: Live) -> None:
    body = ndjson(*({"id": n, "html": page(n, 200), "format": "text"} for n in range(100)))
    with served.client() as batch_client, served.client() as client:
        batch: list[bytes] = []
        post = lambda: batch.append(batch_client.post("/v1/batch", content=body, headers=NDJSON).content)  # noqa: E731
        thread = threading.Thread(target=post)
        thread.start()
        statuses = {client.post("/v1/extract", json={"html": PAGE}).status_code for _ in range(20)}
        thread.join()
    assert statuses == {200}
    assert len(answers(batch[0])) == 100


def test_another_media_type_is_415(served: Live) -> None:
    with served.client() as client:
        assert client.post("/v1/batch", json={"html": PAGE}).status_code == 415
        assert client.post("/v1/batch", content=b"", headers=NDJSON).content == b""
