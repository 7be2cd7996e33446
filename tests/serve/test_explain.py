import base64
import shutil
from pathlib import Path

import pytest

testclient = pytest.importorskip("fastapi.testclient", reason="the extra `serve` is not installed")

from bonmun.serve.app import create_app  # noqa: E402
from bonmun.serve.settings import ServeSettings  # noqa: E402

PAGE = "<title>Tea</title><nav><a href=/>Home</a></nav><p>Tea is made of leaves, and of water that has just boiled.</p>"


def test_every_block_has_its_verdict_and_the_page_is_kept() -> None:
    with testclient.TestClient(create_app(ServeSettings(store=":memory:", workers=1))) as client:
        answer = client.post("/v1/explain", json={"html": PAGE}).json()
        assert [block["keep"] for block in answer["blocks"]] == [False, True]
        again = client.post("/v1/explain", json={"page": answer["page"], "method": "xpath"}).json()
        assert again["method"] == "xpath"
        gone = client.post("/v1/explain", json={"page": "0" * 32})
        assert gone.status_code == 410
        assert gone.headers["content-type"] == "application/problem+json"


def test_a_rendered_page_has_a_screenshot_and_the_box_of_every_block() -> None:
    pytest.importorskip("playwright", reason="playwright is not installed")
    if shutil.which("chromium") is None:
        pytest.skip("Chromium is not installed (apt-get install chromium)")
    html = PAGE + "<style>nav { height: 30px } p { margin: 50px; width: 300px }</style><p hidden>Not to be seen."
    with testclient.TestClient(create_app(ServeSettings(store=":memory:", workers=1))) as client:
        plain = client.post("/v1/explain", json={"html": html}).json()
        answer = client.post("/v1/explain", json={"page": plain["page"], "rendered": True}).json()
        rendered = answer.pop("rendered")
        assert plain.pop("rendered") is None
        assert {**answer, "seconds": 0} == {**plain, "seconds": 0} and answer["seconds"]["render"] > 0
        assert base64.b64decode(rendered["screenshot"]).startswith(b"\x89PNG")
        (left, top, right, bottom), hidden = rendered["boxes"][1:]
        assert (left, right - left, hidden) == (58, 300, None) and 8 + 30 < top < bottom
        assert (rendered["width"], rendered["elements"], rendered["aborted"]) == (1366, [], 0)
        odd = client.post("/v1/explain", json={"html": html, "rendered": "yes"})
        assert odd.status_code == 422


def test_a_service_without_the_extra_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['playwright'] = None\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))  # of the worker processes
    with testclient.TestClient(create_app(ServeSettings(store=":memory:", workers=1))) as client:
        answer = client.post("/v1/explain", json={"html": PAGE, "rendered": True})
        assert answer.status_code == 501 and answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["type"] == "urn:bonmun:problem:MissingExtra"
        assert "pip install 'bonmun[visual]'" in answer.json()["detail"]
        assert client.post("/v1/explain", json={"html": PAGE}).status_code == 200
