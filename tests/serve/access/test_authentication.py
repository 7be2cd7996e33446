"""Tokens, scopes and sessions of browsers."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fastapi import Depends, FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from bonmun.serve.access.paths import is_api
from bonmun.serve.access.scopes import needs
from bonmun.serve.access.sessions import COOKIE, LIFETIME, MAX_SESSIONS, Sessions
from bonmun.serve.access.settings import AccessSettings
from bonmun.serve.app import ROUTERS, create_app
from bonmun.serve.problems import HANDLERS
from bonmun.serve.settings import ServeSettings
from tests.serve.access.live import add_token, gated, revoke

HTML = {"accept": "text/html"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tokens.json"


@pytest.fixture
def client(file: Path) -> TestClient:
    """The whole service, without workers."""
    settings = ServeSettings(access=AccessSettings(token_file=file))
    return TestClient(create_app(settings), raise_server_exceptions=False, follow_redirects=False)


def bearer(secret: str) -> dict[str, str]:
    return {"authorization": f"Bearer {secret}"}


def test_a_request_without_a_token_is_refused(client: TestClient, file: Path) -> None:
    add_token(file)
    answer = client.get("/openapi.json")
    assert answer.status_code == 401 and answer.json()["title"] == "token needed"
    assert answer.headers["www-authenticate"] == 'Bearer realm="bonmun"'
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("value", ["Bearer wrong", "Bearer ", "Basic bWU6bWU=", "", "Bearer bonmun_" + "x" * 43])
def test_a_wrong_token_is_refused(client: TestClient, file: Path, value: str) -> None:
    add_token(file)
    answer = client.get("/openapi.json", headers={"authorization": value})
    assert answer.status_code == 401 and 'error="invalid_token"' in answer.headers["www-authenticate"]


def test_the_hash_in_the_file_is_no_token(client: TestClient, file: Path) -> None:
    add_token(file)
    stored = json.loads(file.read_text())["tokens"][0]["hash"]
    assert client.get("/openapi.json", headers=bearer(stored)).status_code == 401


def test_a_revoked_token_ends_at_once_and_a_new_one_is_known_at_once(client: TestClient, file: Path) -> None:
    first = add_token(file, "first")
    assert client.get("/openapi.json", headers=bearer(first)).status_code == 200
    second = add_token(file, "second")
    revoke(file, "first")
    assert client.get("/openapi.json", headers=bearer(first)).status_code == 401
    assert client.get("/openapi.json", headers=bearer(second)).status_code == 200


def test_an_expired_token_is_refused(client: TestClient, file: Path) -> None:
    secret = add_token(file, expires=datetime.now(UTC) - timedelta(seconds=1))
    assert client.get("/openapi.json", headers=bearer(secret)).status_code == 401


@pytest.mark.parametrize("damage", ["{", "", '{"format": "bonmun/tokens"}'])
def test_a_damaged_file_lets_nobody_in(client: TestClient, file: Path, damage: str) -> None:
    secret = add_token(file)
    assert client.get("/openapi.json", headers=bearer(secret)).status_code == 200
    file.write_text(damage)
    answer = client.get("/openapi.json", headers=bearer(secret))
    assert answer.status_code == 503 and str(file) not in answer.text
    file.unlink()
    assert client.get("/openapi.json", headers=bearer(secret)).status_code == 401


def routes() -> Iterator[tuple[str, str, APIRoute]]:
    """Method, path and route of everything that the service answers."""
    for router in ROUTERS:
        for route in router.routes:
            assert isinstance(route, APIRoute)
            path = re.sub(r"\{\w+(:path)?\}", lambda part: "base.css" if part[1] else "1", route.path)
            yield from ((method, path, route) for method in route.methods)


def test_every_route_but_the_login_and_the_probes_needs_a_token(client: TestClient, file: Path) -> None:
    add_token(file)
    assert len(list(routes())) > 15
    let_in = {path for method, path, _ in routes() if client.request(method, path).status_code != 401}
    assert let_in == {"/login", "/logout", "/healthz", "/readyz", "/static/base.css"}


def test_every_route_of_the_api_needs_a_scope() -> None:
    scoped = {path: any("needs" in one.call.__qualname__ for one in route.dependant.dependencies if one.call)
              for _, path, route in routes() if is_api(path)}  # fmt: skip
    assert {path for path, needs_scope in scoped.items() if not needs_scope} == {"/healthz", "/readyz"}


@pytest.mark.parametrize(
    "path", ["/static/../v1/methods", "/static/%2e%2e/v1/methods", "//v1/methods", "/v1%2fmethods"]
)
def test_no_spelling_of_a_path_avoids_the_token(client: TestClient, file: Path, path: str) -> None:
    add_token(file)
    assert client.get(path).status_code in (401, 404)


def scoped(file: Path) -> TestClient:
    app = FastAPI()

    @app.get("/v1/thing", dependencies=[Depends(needs("read"))])
    async def read() -> str:
        return "read"

    @app.post("/v1/thing", dependencies=[Depends(needs("extract", "fetch"))])
    async def fetched() -> str:
        return "fetched"

    return TestClient(gated(app, AccessSettings(token_file=file)))


def test_a_token_does_what_its_scopes_allow(file: Path) -> None:
    reader, worker = add_token(file, "reader", "read"), add_token(file, "worker", "extract")
    client = scoped(file)
    assert client.get("/v1/thing", headers=bearer(reader)).status_code == 200
    refused = client.get("/v1/thing", headers=bearer(worker))
    assert refused.status_code == 403 and refused.json()["title"] == "missing scope"
    assert 'error="insufficient_scope", scope="read"' in refused.headers["www-authenticate"]
    both = client.post("/v1/thing", headers=bearer(worker))
    assert both.status_code == 403 and "fetch" in both.json()["detail"]


def test_without_tokens_everything_is_allowed_and_without_a_gate_nothing() -> None:
    app = FastAPI()
    app.get("/v1/thing", dependencies=[Depends(needs("read"))])(lambda: "read")
    assert TestClient(gated(app, AccessSettings())).get("/v1/thing").status_code == 200
    bare = FastAPI()
    bare.get("/v1/thing", dependencies=[Depends(needs("read"))])(lambda: "read")
    for kind, handler in HANDLERS.items():
        bare.add_exception_handler(kind, handler)
    assert TestClient(bare).get("/v1/thing").status_code == 403


def test_a_screen_leads_to_the_login_and_back(client: TestClient, file: Path) -> None:
    secret = add_token(file)
    sent = client.get("/archive", headers=HTML)
    assert (sent.status_code, sent.headers["location"]) == (303, "/login?next=/archive")
    form = client.get(sent.headers["location"], headers=HTML)
    assert form.status_code == 200 and 'name="next" value="/archive"' in form.text
    done = client.post("/login", data={"token": f" {secret}\n", "next": "/archive"})
    assert (done.status_code, done.headers["location"]) == (303, "/archive")
    assert client.get("/archive", headers=HTML).status_code == 200
    assert client.get("/openapi.json").status_code == 200  # as the page's scripts ask
    assert client.get("/login").status_code == 303


def test_the_cookie_is_not_the_token_and_scripts_cannot_read_it(client: TestClient, file: Path) -> None:
    secret = add_token(file)
    cookie = client.post("/login", data={"token": secret}).headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}=") and secret not in cookie
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Secure" not in cookie
    secure = TestClient(client.app, base_url="https://testserver", follow_redirects=False)
    assert "Secure" in secure.post("/login", data={"token": secret}).headers["set-cookie"]


def test_a_revoked_token_ends_its_sessions(client: TestClient, file: Path) -> None:
    client.post("/login", data={"token": add_token(file)})
    assert client.get("/openapi.json").status_code == 200
    revoke(file)
    assert client.get("/openapi.json").status_code == 401


def test_signing_out_ends_the_session_not_only_the_cookie(client: TestClient, file: Path) -> None:
    client.post("/login", data={"token": add_token(file)})
    stolen = client.cookies[COOKIE]
    assert client.post("/logout").headers["location"] == "/login"
    assert COOKIE not in client.cookies
    client.cookies.set(COOKIE, stolen)
    assert client.get("/openapi.json").status_code == 401


def test_a_wrong_token_is_told_in_place(client: TestClient, file: Path) -> None:
    add_token(file)
    for wrong in ("bonmun_wrong", "", "x" * 10_000):
        answer = client.post("/login", data={"token": wrong, "next": "/jobs"})
        assert answer.status_code == 401 and 'role="alert"' in answer.text and 'value="/jobs"' in answer.text
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "to", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "/\t/a"]
)
def test_the_login_leads_nowhere_else(client: TestClient, file: Path, to: str) -> None:
    done = client.post("/login", data={"token": add_token(file), "next": to})
    assert (done.status_code, done.headers["location"]) == (303, "/")


def test_many_wrong_tokens_are_slowed_down_but_not_the_right_one(client: TestClient, file: Path) -> None:
    secret = add_token(file)
    statuses = [client.get("/openapi.json", headers=bearer("wrong")).status_code for _ in range(40)]
    assert statuses[:30] == [401] * 30 and set(statuses[30:]) == {429}
    assert client.post("/login", data={"token": "wrong"}).status_code == 429
    assert client.get("/openapi.json", headers=bearer(secret)).status_code == 200


def test_a_service_without_tokens_has_no_login() -> None:
    client = TestClient(create_app(), follow_redirects=False)
    assert client.get("/login?next=/jobs").headers["location"] == "/jobs"
    assert "/logout" not in client.get("/archive", headers=HTML).text


def test_sessions_end_when_they_are_not_used_and_are_bounded() -> None:
    now = 0.0
    sessions = Sessions(clock=lambda: now)
    cookie = sessions.start("token")
    now = LIFETIME - 1
    assert sessions.token_of(cookie) == "token"
    now += LIFETIME - 1
    assert sessions.token_of(cookie) == "token"
    now += LIFETIME + 1
    assert sessions.token_of(cookie) is None
    oldest = sessions.start("token")
    for _ in range(MAX_SESSIONS):
        sessions.start("token")
    assert sessions.token_of(oldest) is None
