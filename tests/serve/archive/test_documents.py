from typing import Any

import pytest

TEA = "Tea is made of leaves, and of water that has just boiled in a kettle over the fire."
BREAD = "Bread is made of flour and yeast, and somebody has to get up early in the morning for it."
KOREAN = "한국은행은 기준금리를 올렸다고 발표했다. 시장은 이번 결정을 예상하지 못했으며 주가는 크게 떨어졌다."
CHINESE = "中国人民银行宣布降低利率，以支持经济增长，市场对此反应积极，股票价格大幅上涨。"


def test_a_page_is_stored_once_and_its_changes_are_versions(client: Any, stored: Any) -> None:
    first = stored("example.org/tea", TEA)
    assert (first["outcome"], first["version"]) == ("new", 1)
    assert stored("example.org/tea", TEA)["outcome"] == "unchanged"
    changed = stored("example.org/tea", TEA.replace("kettle", "samovar"), BREAD)
    assert (changed["outcome"], changed["id"], changed["version"]) == ("changed", first["id"], 2)
    history = client.get(f"/v1/documents/{first['id']}/versions").json()
    assert [version["number"] for version in history] == [1, 2]
    shown = client.get(f"/v1/documents/{first['id']}").json()
    assert shown["version"] == shown["versions"] == 2
    assert BREAD in shown["text"]
    assert BREAD in shown["markdown"]
    assert BREAD not in client.get(f"/v1/documents/{first['id']}?version=1").json()["text"]


def test_a_diff_gives_both_texts_back(client: Any, stored: Any) -> None:
    id = stored("example.org/tea", TEA)["id"]
    stored("example.org/tea", TEA.replace("kettle", "samovar"), BREAD)
    answer = client.get(f"/v1/documents/{id}/diff").json()
    assert (answer["old"], answer["new"]) == (1, 2)
    assert {"op": "delete", "text": "kettle"} in answer["changes"]
    assert {"op": "insert", "text": "samovar"} in answer["changes"]
    for version, other in ((1, "insert"), (2, "delete")):
        text = "".join(change["text"] for change in answer["changes"] if change["op"] != other)
        shown = client.get(f"/v1/documents/{id}?version={version}").json()
        assert text.split() == f"{shown['title']} {shown['text']}".split()
    assert client.get(f"/v1/documents/{id}/diff?old=1&new=1").json()["changes"][0]["op"] == "equal"
    assert client.get(f"/v1/documents/{id}/diff?old=1&new=7").status_code == 404


@pytest.mark.parametrize(
    ("typed", "word"), [("kettl", "kettle"), ("기준금리", "기준금리"), ("은행", "은행"), ("利率", "利率")]
)
def test_search_as_you_type_marks_the_words(client: Any, stored: Any, typed: str, word: str) -> None:
    stored("a.example/1", TEA)
    stored("b.example/2", KOREAN, title="금리", language="ko")
    stored("c.example/3", CHINESE, title="利率下调", language="zh")
    answer = client.get("/v1/documents", params={"q": typed, "prefix": "true"}).json()
    assert answer["total"] == 1
    snippet = answer["documents"][0]["snippet"]
    assert word in [snippet["text"][start:end] for start, end in snippet["marks"]]


def test_filters_and_facets(client: Any, stored: Any) -> None:
    stored("a.example/1", TEA)
    stored("b.example/2", KOREAN, title="금리", language="ko")
    everything = client.get("/v1/documents").json()
    assert [one["host"] for one in everything["documents"]] == ["b.example", "a.example"]
    assert everything["hosts"] == [{"value": "a.example", "count": 1}, {"value": "b.example", "count": 1}]
    only = client.get("/v1/documents?language=ko").json()
    assert (only["total"], len(only["languages"]), only["hosts"]) == (1, 2, [{"value": "b.example", "count": 1}])
    assert client.get("/v1/documents?until=2020-01-01").json()["total"] == 0
    assert client.get("/v1/documents?min_confidence=0").json()["total"] == 2
    assert client.get("/v1/documents?limit=1&offset=1").json()["documents"][0]["host"] == "a.example"
    for wrong in ("limit=0", "since=yesterday", "min_confidence=2", "hots=a.example", "offset=-1"):
        assert client.get(f"/v1/documents?{wrong}").status_code == 422


def test_keywords_and_summary_are_kept_and_near_duplicates_are_named(client: Any, stored: Any) -> None:
    first = stored("a.example/1", TEA, BREAD, TEA.replace("Tea", "Coffee"), title="Tea and bread")
    second = stored("b.example/1", TEA, BREAD, TEA.replace("Tea", "Coffee"), title="Tea and bread")
    assert (second["outcome"], second["duplicate_of"]) == ("duplicate", "https://a.example/1")
    shown = client.get(f"/v1/documents/{first['id']}").json()
    assert shown["keywords"]
    assert shown["summary"]
    neighbour = {"id": second["id"], "url": "https://b.example/1", "title": "Tea and bread"}
    assert shown["duplicates"] == [neighbour]


def test_a_page_without_address_is_stored_by_its_content(client: Any) -> None:
    html = f"<title>Tea</title><p>{TEA}"
    ids = {client.post("/v1/documents", json={"html": html}).json()["id"] for _ in range(2)}
    assert len(ids) == 1
    assert client.get(f"/v1/documents/{ids.pop()}").json()["url"].startswith("urn:bonmun:page:")


def test_a_deleted_document_is_gone(client: Any, stored: Any) -> None:
    id = stored("a.example/1", TEA)["id"]
    assert client.delete(f"/v1/documents/{id}").status_code == 204
    for path in ("", "/versions", "/diff"):
        gone = client.get(f"/v1/documents/{id}{path}")
        assert gone.status_code == 404
        assert gone.headers["content-type"] == "application/problem+json"
    assert client.delete(f"/v1/documents/{id}").status_code == 404
    assert client.get("/v1/documents").json()["total"] == 0


def test_what_is_no_page_is_not_stored(client: Any) -> None:
    answer = client.post("/v1/documents", json={"html": "%PDF-1.7 stream"})
    assert answer.status_code == 415
    assert client.get("/v1/documents").json()["total"] == 0


def test_counts_failures_and_timings(client: Any, stored: Any) -> None:
    stored("a.example/1", TEA)
    client.app.state.service.store.fail("https://b.example/", "feed", "fetch", "no answer")
    stats = client.get("/v1/stats").json()
    assert (stats["documents"], stats["hosts"], stats["failures"]) == (1, {"a.example": 1}, {"Error": 1})
    failures = client.get("/v1/failures").json()
    assert (failures["total"], failures["failures"][0]["message"]) == (1, "no answer")
    (point,) = client.get("/v1/timings").json()
    assert point["html_size"] > point["text_size"] > point["main_size"] > 0
    assert set(point["seconds"]) == {"read", "judge", "metadata", "text"}


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/v1/documents", "GET, POST"),
        ("/v1/documents/7", "DELETE, GET"),
        ("/v1/sites/news.example", "DELETE, GET, PUT"),
        ("/v1/labels/export", "GET"),
    ],
)
def test_a_wrong_method_is_answered_with_all_right_ones(client: Any, path: str, methods: str) -> None:
    answer = client.patch(path)
    assert (answer.status_code, answer.headers["allow"]) == (405, methods)
