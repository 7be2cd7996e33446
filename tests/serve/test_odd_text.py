"""NUL, lone surrogates and the like in every field, on both databases: PostgreSQL stores no NUL."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

testclient = pytest.importorskip("fastapi.testclient", reason="the extra `serve` is not installed")

from bench.postgresql_server import binaries, server  # noqa: E402
from bonmun.serve.app import create_app  # noqa: E402
from bonmun.serve.settings import ServeSettings  # noqa: E402
from tests.sites.make import article  # noqa: E402

ODD = "odd \x00 \ud800 \udfff \ufffe \u202e \x1b 💧 end"
WELL_FORMED = "odd \x00 \ufffe \u202e \x1b 💧 end"
ESCAPED = "odd%00%ed%a0%80%ff%0a end"


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with ExitStack() as stack:
        if request.param == "postgresql" and binaries() is None:
            pytest.skip("PostgreSQL is not installed: no initdb")
        folder: Path = tmp_path_factory.mktemp("odd")
        store = stack.enter_context(server()) if request.param == "postgresql" else str(folder / "store.db")
        app = create_app(ServeSettings(store=store, workers=1))
        yield stack.enter_context(testclient.TestClient(app, base_url="http://127.0.0.1:8117"))


def post(client: Any, path: str, body: Any) -> Any:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    kind = "application/x-ndjson" if isinstance(body, bytes) else "application/json"
    answer = client.post(path, content=content, headers={"Content-Type": kind})
    assert answer.status_code < 500, answer.text
    return answer


def test_documents_with_odd_text_are_stored_and_found(client: Any) -> None:
    html = article(1).replace("</title>", f"{ODD}</title><meta name=author content='{ODD}'>").replace("The ", f"{ODD} ")
    answer = post(client, "/v1/documents", {"html": html, "url": "https://odd.example/1"})
    assert answer.status_code == 200, answer.text
    found = client.get(f"/v1/documents/{answer.json()['id']}")
    assert found.status_code == 200 and "💧 end" in found.json()["text"] and "\x00" not in found.json()["text"]
    post(client, "/v1/documents", {"html": html, "url": f"https://odd.example/{ODD}"})
    for name in ("q", "host", "language", "source"):
        assert client.get(f"/v1/documents?{name}={ESCAPED}").status_code in (200, 422)
    assert client.get("/v1/documents?q=odd").json()["total"] >= 1


def test_labels_sites_and_jobs_with_odd_text_are_stored(client: Any) -> None:
    page = {"html": article(2).replace("The ", f"{ODD} "), "url": "https://odd.example/2"}
    keep = [block["keep"] for block in post(client, "/v1/explain", page).json()["blocks"]]
    answer = post(client, "/v1/labels", page | {"keep": keep, "note": WELL_FORMED})
    assert answer.status_code == 200, answer.text
    assert "end" in client.get("/v1/labels").json()["labels"][0]["note"]
    assert client.get("/v1/labels/export").status_code == 200
    pages = [{"html": article(number).replace("The ", f"{ODD} ")} for number in range(4)]
    assert post(client, "/v1/sites/learn", {"host": "odd.example", "pages": pages}).status_code == 200
    rule = {"name": ODD, "keep": [ODD], "drop": [f"[title='{ODD}']"]}
    assert post(client, "/v1/sites/odd.example/try", {"templates": [rule]}).status_code == 422
    line = json.dumps({"id": WELL_FORMED, "html": WELL_FORMED, "url": f"https://odd.example/{WELL_FORMED}"}).encode()
    job = post(client, f"/v1/jobs?name={ESCAPED}", line + b"\n\xff\xfe\x00\n{")
    assert job.status_code == 201, job.text
    assert client.get("/v1/jobs").status_code == 200
    for path in ("/v1/sites/%00", "/v1/sites/%ff", "/v1/jobs/%00", "/r/%00", "/sites/%00", "/archive/%00"):
        assert client.get(path).status_code < 500, path
