"""CSRF and CORS: pages of other sites cause nothing, unless their origin is allowed."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from bonmun.serve.access.settings import AccessSettings
from bonmun.serve.app import create_app
from bonmun.serve.settings import ServeSettings

HOME = "http://127.0.0.1:8117"
FRIEND = "https://notes.example.org"
PAGE = {"html": "<p>Tea is made of leaves, and of water that has just boiled.</p>"}
NAVIGATION = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}


@pytest.fixture(scope="module")
def client() -> TestClient:
    """A service without tokens. It has no workers: what passes the gate is answered with an error of another kind."""
    settings = ServeSettings(access=AccessSettings(allow_origins=(FRIEND,)))
    return TestClient(create_app(settings), base_url=HOME, raise_server_exceptions=False)


@pytest.fixture(scope="module")
def working() -> Iterator[TestClient]:
    with TestClient(create_app(ServeSettings(store=":memory:", workers=1)), base_url=HOME) as client:
        yield client


def is_refused(answer: object) -> bool:
    status: int = answer.status_code  # type: ignore[attr-defined]
    refused = status == 403
    if refused:
        assert answer.json()["type"] == "urn:bonmun:problem:cross-origin"  # type: ignore[attr-defined]
    return refused


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
@pytest.mark.parametrize("path", ["/v1/extract", "/v1/jobs", "/login", "/logout", "/no-such-path"])
@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},  # another port of localhost
        {"sec-fetch-site": "cross-site", "origin": HOME},
        {"sec-fetch-site": "unknown-word"},
        {"origin": "https://evil.example"},
        {"origin": "http://127.0.0.1:9000"},
        {"origin": "http://localhost:8117"},
        {"origin": "null"},
        {"origin": ""},
        {"origin": "http://[bad"},
        {**NAVIGATION},
    ],
)
def test_a_page_of_another_origin_changes_nothing(
    client: TestClient, method: str, path: str, headers: dict[str, str]
) -> None:
    assert is_refused(client.request(method, path, headers=headers))


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_form_of_another_site_cannot_pose_as_json(working: TestClient, content_type: str) -> None:
    headers = {"origin": "https://evil.example", "content-type": content_type}
    assert is_refused(working.post("/v1/explain", json=PAGE, headers=headers))
    from_here = working.post("/v1/explain", json=PAGE, headers={**headers, "origin": HOME})
    assert from_here.status_code in (415, 422)  # not read as JSON either
    assert working.post("/v1/explain", json=PAGE, headers={"origin": HOME}).status_code == 200


@pytest.mark.parametrize("path", ["/r/https://example.org/", "/v1/jobs/1/events", "/v1/documents", "/metrics"])
@pytest.mark.parametrize("headers", [{"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, NAVIGATION])
def test_a_page_of_another_site_causes_no_work_by_get(client: TestClient, path: str, headers: dict[str, str]) -> None:
    assert is_refused(client.get(path, headers=headers))


def test_a_link_leads_to_a_screen_but_nothing_embeds_it(client: TestClient) -> None:
    assert client.get("/archive", headers=NAVIGATION).status_code == 200
    for how in ({"sec-fetch-dest": "iframe"}, {"sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}):
        assert is_refused(client.get("/archive", headers={**NAVIGATION, **how}))


@pytest.mark.parametrize("headers", [{}, {"sec-fetch-site": "same-origin", "origin": HOME}, {"origin": HOME}])
def test_our_own_page_and_other_programs_pass(client: TestClient, headers: dict[str, str]) -> None:
    assert client.post("/login", headers=headers, follow_redirects=False).status_code == 303
    assert client.get("/v1/nothing", headers=headers).status_code == 404


def test_an_address_that_was_typed_passes(client: TestClient) -> None:
    assert client.get("/v1/nothing", headers={**NAVIGATION, "sec-fetch-site": "none"}).status_code == 404


def test_a_proxy_may_change_the_scheme_and_leave_out_the_port(client: TestClient) -> None:
    settings = ServeSettings(access=AccessSettings(allow_hosts=("bonmun.example.org",)))
    client = TestClient(create_app(settings), base_url="http://127.0.0.1:8117")
    for host in ("bonmun.example.org", "bonmun.example.org:443"):
        headers = {"host": host, "origin": "https://bonmun.example.org"}
        assert client.post("/login", headers=headers, follow_redirects=False).status_code == 303


def test_a_preflight_of_an_allowed_origin_is_answered(client: TestClient) -> None:
    asked = {"access-control-request-method": "POST", "access-control-request-headers": "authorization,content-type"}
    answer = client.options("/v1/extract", headers={"origin": FRIEND, "sec-fetch-site": "cross-site", **asked})
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == FRIEND
    assert "Origin" in answer.headers["vary"]
    assert "access-control-allow-credentials" not in answer.headers
    assert is_refused(client.options("/v1/extract", headers={"origin": "https://evil.example", **asked}))


def test_an_allowed_origin_can_read_answers_and_refusals(client: TestClient) -> None:
    headers = {"origin": FRIEND, "sec-fetch-site": "cross-site"}
    answer = client.get("/v1/nothing", headers=headers)
    assert answer.status_code == 404 and answer.headers["access-control-allow-origin"] == FRIEND
    assert "access-control-allow-origin" not in client.get("/v1/nothing").headers


def test_no_origin_is_allowed_by_default() -> None:
    client = TestClient(create_app(), base_url=HOME)
    answer = client.get("/v1/nothing", headers={"origin": HOME})
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("origin", ["*", "null", "https://*.example.org", "example.org", "https://example.org/", ""])
def test_an_origin_to_allow_is_named_exactly(origin: str) -> None:
    with pytest.raises(ValueError, match="not an origin"):
        AccessSettings(allow_origins=(origin,))
