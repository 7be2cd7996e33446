"""A path that is none, and /mcp without its extra, are answered with what mends it."""

import pytest

pytest.importorskip("fastapi", reason="the extra `serve` is not installed")

from fastapi.testclient import TestClient

from bonmun.serve import app as application
from bonmun.serve.settings import ServeSettings


def test_an_unknown_path_is_named() -> None:
    with TestClient(application.create_app(ServeSettings(store=":memory:", workers=1)), "http://localhost") as client:
        assert client.get("/nix").json()["detail"] == "nothing at /nix: /openapi.json lists all paths"


def test_mcp_without_its_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "find_spec", lambda name: None)
    with TestClient(application.create_app(ServeSettings(store=":memory:", workers=1)), "http://localhost") as client:
        answer = client.post("/mcp", json={})
    assert answer.status_code == 501
    assert answer.json()["detail"] == "packages of the MCP server need an extra: pip install 'bonmun[mcp]'"
