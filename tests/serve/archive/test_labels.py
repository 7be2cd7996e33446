import json
from collections.abc import Iterator
from typing import Any

import pytest

from bonmun.evaluate.corpora import case_of

PAGE = (
    "<html lang=en><title>Tea</title><nav><a href=/>Home</a></nav>"
    "<p>Tea is made of leaves, and of water that has just boiled in a kettle.</p><p>Share this</p>"
)


@pytest.fixture
def labels(client: Any) -> Iterator[Any]:
    yield client
    for one in client.get("/v1/labels?limit=100").json()["labels"]:
        client.delete(f"/v1/labels/{one['id']}")


def test_corrections_are_counted_and_listed(labels: Any) -> None:
    explained = labels.post("/v1/explain", json={"html": PAGE, "url": "https://tea.example/1"}).json()
    before = [block["keep"] for block in explained["blocks"]]
    keep = [False, True, not before[2]]
    saved = labels.post("/v1/labels", json={"page": explained["page"], "keep": keep, "note": "share"}).json()
    assert (saved["corrections"], saved["total_pages"], saved["total_corrections"]) == (1, 1, 1)
    again = labels.post("/v1/labels", json={"page": explained["page"], "keep": before}).json()
    assert (again["id"], again["corrections"], again["total_pages"]) == (saved["id"], 0, 1)
    listed = labels.get("/v1/labels").json()
    assert (listed["total"], listed["labels"][0]["host"], listed["labels"][0]["blocks"]) == (1, "tea.example", 3)
    assert listed["training"] == {"pages": 1, "sites": 1, "blocks": 3, "least_sites": 5, "ready": False}
    assert labels.get("/v1/labels?offset=1").json()["labels"] == []


def test_a_label_can_be_opened_again(labels: Any) -> None:
    asked = {"html": PAGE, "url": "https://tea.example/1", "keep": [True, False, True]}
    id = labels.post("/v1/labels", json=asked).json()["id"]
    shown = labels.get(f"/v1/labels/{id}").json()
    assert (shown["keep"], shown["method"]) == ([True, False, True], "auto")
    explained = labels.post("/v1/explain", json={"page": shown["page"]}).json()
    assert [block["keep"] for block in explained["blocks"]] == shown["before"]
    assert labels.post("/v1/labels", json={"page": shown["page"], "keep": [False] * 3}).json()["id"] == id


def test_the_export_is_a_corpus(labels: Any) -> None:
    for number in range(3):
        asked = {"html": PAGE, "url": f"https://tea{number}.example/", "keep": [False, True, True]}
        labels.post("/v1/labels", json=asked)
    answer = labels.get("/v1/labels/export")
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    cases = [case_of(json.loads(line), "export") for line in answer.text.splitlines()]
    assert [case.domain for case in cases] == [f"tea{number}.example" for number in range(3)]
    assert cases[0].golds[0].endswith("Share this")
    assert cases[0].keep == (False, True, True)


def test_a_verdict_for_each_block_is_needed(labels: Any) -> None:
    answer = labels.post("/v1/labels", json={"html": PAGE, "keep": [True]})
    assert answer.status_code == 422
    assert answer.json()["detail"] == "`keep` has 1 entries, but the page has 3 blocks"
    assert labels.post("/v1/labels", json={"html": PAGE, "keep": [1, 0, 1]}).status_code == 422


def test_a_deleted_label_is_gone(labels: Any) -> None:
    id = labels.post("/v1/labels", json={"html": PAGE, "keep": [False, True, True]}).json()["id"]
    assert labels.delete(f"/v1/labels/{id}").status_code == 204
    assert labels.delete(f"/v1/labels/{id}").status_code == 404
    assert labels.get(f"/v1/labels/{id}").status_code == 404
