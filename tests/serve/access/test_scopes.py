import pytest

testclient = pytest.importorskip("fastapi.testclient", reason="the extra `serve` is not installed")

from fastapi import Depends, FastAPI  # noqa: E402

from bonmun.serve.access.gate import Gate  # noqa: E402
from bonmun.serve.access.gatekeeper import Gatekeeper  # noqa: E402
from bonmun.serve.access.scopes import needs  # noqa: E402
from bonmun.serve.access.settings import AccessSettings  # noqa: E402
from bonmun.serve.problems import HANDLERS  # noqa: E402


def app_of(*, gate: bool) -> FastAPI:
    app = FastAPI()
    for kind, handler in HANDLERS.items():
        app.add_exception_handler(kind, handler)

    @app.get("/v1/documents", dependencies=[Depends(needs("read"))])
    async def documents() -> list[str]:
        return []

    if gate:
        app.add_middleware(Gate, gatekeeper=Gatekeeper(AccessSettings()))
    return app


def test_a_service_without_tokens_allows_every_scope() -> None:
    with testclient.TestClient(app_of(gate=True)) as client:
        assert client.get("/v1/documents").status_code == 200


def test_a_route_outside_the_gate_allows_nothing() -> None:
    with testclient.TestClient(app_of(gate=False)) as client:
        answer = client.get("/v1/documents")
    assert answer.status_code == 403
    assert answer.json()["title"] == "missing scope"
    assert 'scope="read"' in answer.headers["www-authenticate"]
