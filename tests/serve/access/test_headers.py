"""Security headers on every answer; no secret in a log line."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.responses import HTMLResponse

from bonmun.run.config import LogConfig
from bonmun.run.logs import logging_to
from bonmun.serve.access.paths import is_api
from bonmun.serve.access.settings import AccessSettings
from bonmun.serve.app import create_app
from bonmun.serve.settings import ServeSettings
from tests.serve.access.live import add_token


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    app = create_app(ServeSettings(store=":memory:", workers=1))

    @app.get("/v1/defect")
    async def defect() -> None:
        raise RuntimeError("a defect")

    @app.get("/v1/lenient")
    async def lenient() -> HTMLResponse:
        return HTMLResponse("<script>1</script>", headers={"Content-Security-Policy": "default-src *"})

    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


PATHS = ["/", "/login", "/v1/methods", "/v1/nothing", "/nothing", "/static/base.css", "/healthz", "/v1/defect"]


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_the_security_headers(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == ("no-referrer" if is_api(path) else "same-origin")
    assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]
    policy = headers["content-security-policy"]
    assert policy.startswith(("default-src 'none'; script-src 'self'", "sandbox; default-src 'none'"))
    assert "frame-ancestors 'none'" in policy and "unsafe-eval" not in policy
    assert headers.get_list("content-security-policy") == [policy]


@pytest.mark.parametrize("kind", ["text/html", "application/xml", "application/json", "text/markdown"])
def test_content_of_a_page_runs_nothing_in_our_origin(client: TestClient, kind: str) -> None:
    page = "<title>Tea</title><p>Tea is made of leaves, and of water that has just boiled.<script>1</script></p>"
    answer = client.post("/v1/extract", json={"html": page}, headers={"accept": kind})
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none'; style-src 'unsafe-inline'") and "script" not in policy
    assert answer.headers["cache-control"] == "no-store"


def test_no_route_of_the_api_weakens_its_policy(client: TestClient) -> None:
    answer = client.get("/v1/lenient")
    assert answer.headers.get_list("content-security-policy")[0].startswith("sandbox;")
    assert len(answer.headers.get_list("content-security-policy")) == 1


def test_a_refusal_has_the_headers_too(tmp_path: Path) -> None:
    client = TestClient(create_app(ServeSettings(access=AccessSettings(token_file=tmp_path / "none.json"))))
    for answer in (client.get("/v1/methods"), client.get("/", headers={"host": "evil.example"})):
        assert answer.status_code in (401, 421) and answer.headers["x-content-type-options"] == "nosniff"


def test_a_log_line_has_no_secret(tmp_path: Path) -> None:
    file, log = tmp_path / "tokens.json", tmp_path / "log.jsonl"
    secret = add_token(file, "reader", "read")
    client = TestClient(create_app(ServeSettings(access=AccessSettings(token_file=file))))
    with logging_to(LogConfig(file=log)):
        client.get("/openapi.json?key=hidden", headers={"authorization": f"Bearer {secret}"})
        client.get("/r/https://me:hidden@example.org/reset%3Fkey=hidden?key=hidden")
        client.get(f"/r/{secret}", headers={"authorization": f"Bearer {secret}x"})
        client.post("/login", data={"token": secret}, follow_redirects=False)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(line["event"], line["status"]) for line in lines] == [
        ("request", 200), ("request", 401), ("request", 401), ("request", 303),
    ]  # fmt: skip
    assert (lines[0]["method"], lines[0]["path"], lines[0]["owner"]) == ("GET", "/openapi.json", "reader")
    assert lines[0]["client"] == "testclient" and lines[0]["bytes"] > 1000 and lines[0]["seconds"] >= 0
    assert lines[1]["path"] == "/r/https://…@example.org/reset"
    assert "hidden" not in log.read_text() and secret not in log.read_text()


def test_lines_of_control_characters_stay_one_line(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    client = TestClient(create_app())
    with logging_to(LogConfig(file=log, format="text")):
        client.get("/v1/%0a12:00:00%20request%1b[2J")
    assert len(log.read_text().splitlines()) == 1 and "\x1b" not in log.read_text()


def test_requests_are_not_logged_unless_asked_for(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    with logging_to(LogConfig(file=log, level="warning")):
        TestClient(create_app()).get("/v1/nothing")
        logging.getLogger("bonmun.serve").warning("heard")
    assert log.read_text().count("\n") == 1
