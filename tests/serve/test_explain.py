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
