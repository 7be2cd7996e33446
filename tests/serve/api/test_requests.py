"""What holds for every request: sizes, health, metrics, the description."""

from fastapi.testclient import TestClient

from bonmun.serve.app import create_app
from bonmun.serve.settings import ServeSettings
from tests.serve.api.live import PAGE, live, until

SMALL = ServeSettings(store=":memory:", workers=1, request_bytes=10_000)


def test_a_request_that_is_too_large_is_413_whether_it_says_so_or_not() -> None:
    with live(SMALL) as running, running.client() as client:
        stated = client.post("/v1/extract", json={"html": "x" * 20_000})
        pieces = (b"x" * 1000 for _ in range(1000))
        streamed = client.post("/v1/extract", content=pieces, headers={"Content-Type": "text/html"})
        file = {"file": ("a.html", b"x" * 20_000, "text/html")}
        uploaded = client.post("/v1/extract", files=file, headers={"Transfer-Encoding": "chunked"})
        by_fastapi = client.post(
            "/v1/explain", content=iter([b'{"html": "', b"x" * 20_000]), headers={"Content-Type": "application/json"}
        )
        for answer in (stated, streamed, uploaded, by_fastapi):
            assert (answer.status_code, answer.json()["type"]) == (413, "urn:bonmun:problem:too-large")
        assert client.post("/v1/extract", json={"html": PAGE}).status_code == 200


def test_bodies_that_are_too_large_together_wait_outside() -> None:
    with live(SMALL) as running:
        head = (
            b"POST /v1/extract HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/html\r\nContent-Length: 9999\r\n\r\n"
        )
        held = [running.connection() for _ in range(8)]
        try:
            for connection in held:
                connection.sendall(head + b"x" * 9900)
            with running.client() as client:
                large = {"content": b"x" * 9900, "headers": {"Content-Type": "text/html"}}
                until(lambda: client.post("/v1/extract", **large).status_code == 503)
                assert client.post("/v1/extract", json={"html": "<p>Tea"}).status_code == 200
        finally:
            for connection in held:
                connection.close()
        with running.client() as client:
            until(lambda: client.post("/v1/extract", **large).status_code == 200)


def test_health_says_alive_then_ready() -> None:
    with TestClient(create_app(ServeSettings(store=":memory:", workers=1))) as client:
        assert client.get("/healthz").json() == {"status": "alive"}
        early = client.get("/readyz")
        assert (early.status_code, early.json()["title"]) == (503, "starting")
        until(lambda: client.get("/readyz").status_code == 200)
        assert client.get("/readyz").json() == {"status": "ready"}


def test_a_store_that_cannot_be_opened_is_not_ready() -> None:
    with TestClient(create_app(ServeSettings(store="no-such-folder/news.db", workers=1))) as client:
        until(lambda: client.get("/readyz").json()["title"] == "StoreUnreachable")
        assert client.get("/readyz").status_code == 503
        assert client.post("/v1/extract", json={"html": PAGE}).status_code == 200


def test_metrics_have_the_template_of_a_route_never_its_path(client: TestClient) -> None:
    client.get("/r/javascript:tea-in-a-path")
    client.get("/no/such/tea-path")
    client.request("BREW", "/healthz")
    client.post("/v1/extract", json={"html": PAGE})
    text = client.get("/metrics").text
    assert 'bonmun_http_requests_total{method="GET",route="/r/{url:path}",status="422"}' in text
    assert 'bonmun_http_requests_total{method="GET",route="other",status="404"}' in text
    assert 'bonmun_http_requests_total{method="POST",route="/v1/extract",status="200"}' in text
    assert 'bonmun_work_seconds_count{work="ExtractWork"}' in text
    assert 'method="other"' in text and "tea-path" not in text and "tea-in" not in text and "BREW" not in text


def test_every_operation_describes_its_problems(client: TestClient) -> None:
    description = client.get("/openapi.json").json()
    for path, operations in description["paths"].items():
        for operation in operations.values():
            for status, response in operation["responses"].items():
                assert int(status) < 400 or "application/problem+json" in response["content"], (path, status)
    assert "Document" in description["components"]["schemas"]
