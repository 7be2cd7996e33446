"""Methods that need a browser, through the service."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from bonmun.serve.app import create_app
from bonmun.serve.settings import ServeSettings
from tests.browser import require_chromium
from tests.drawn_method import CountedChromium

TEXT = "Tea is made of leaves, and of water that has just boiled, in a pot that was warmed before. " * 3
PAGE = f'<title>Tea</title><nav><a href="/">Home</a></nav><main style="width: 700px"><p>{TEXT}</p><p>{TEXT}</p></main>'


def service(chromium: str) -> Iterator[TestClient]:
    """A service with the default limit on the memory of its worker."""
    before = os.environ.get("BONMUN_CHROMIUM")
    os.environ["BONMUN_CHROMIUM"] = chromium
    try:
        with TestClient(create_app(ServeSettings(store=":memory:", workers=1))) as client:
            yield client
    finally:
        os.environ.pop("BONMUN_CHROMIUM") if before is None else os.environ.update(BONMUN_CHROMIUM=before)


def test_a_worker_with_a_memory_limit_draws_pages_by_one_browser(tmp_path: Path) -> None:
    browser = CountedChromium(tmp_path, require_chromium())
    for client in service(browser.path):
        for _ in range(3):
            answer = client.post("/v1/extract", json={"html": PAGE, "method": "visual-centre", "format": "json"})
            assert answer.status_code == 200, answer.text
            assert answer.json()["warnings"][0] == "rendered"
            assert TEXT.strip() in answer.json()["text"]
        assert len(browser.processes) == 1
    assert browser.all_end()


def test_a_missing_browser_is_501_and_says_what_to_install(tmp_path: Path) -> None:
    pytest.importorskip("playwright", reason="playwright is not installed")
    for client in service(str(tmp_path / "nothing")):
        answer = client.post("/v1/extract", json={"html": PAGE, "method": "visual-centre"})
        assert answer.status_code == 501
        assert answer.json()["title"] == "MissingBrowser"
        assert "apt-get install chromium" in answer.json()["detail"]
        compared = client.post("/v1/compare", json={"html": PAGE, "methods": ["auto", "visual-centre"]}).json()
        assert [one["problem"] and one["problem"]["status"] for one in compared["methods"]] == [None, 501]
