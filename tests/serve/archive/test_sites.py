from collections.abc import Iterator
from typing import Any

import pytest

from tests.sites.make import article, articles

HOST = "news.example"


def pages(count: int, start: int = 0) -> list[dict[str, str]]:
    found = enumerate(articles(count, start=start), start)
    return [{"html": html, "url": f"https://www.{HOST}/{number}"} for number, html in found]


@pytest.fixture
def learned(client: Any) -> Iterator[dict[str, Any]]:
    answer = client.post("/v1/sites/learn", json={"pages": pages(5)})
    assert answer.status_code == 200, answer.text
    yield dict(answer.json())
    client.delete(f"/v1/sites/{HOST}")


def test_a_site_is_learned_with_its_rules_health_and_pages(client: Any, learned: Any) -> None:
    assert (learned["host"], learned["problems"]) == (HOST, [])
    first, fallback = learned["templates"]
    assert first["keep"]
    assert [signal["condition"] for signal in first["health"]] == ["ok"] * 5
    assert fallback["any_shape"]
    assert HOST in learned["explanation"]
    assert client.get(f"/v1/sites/{HOST}").json() == learned
    (summary,) = client.get("/v1/sites").json()
    assert (summary["host"], summary["pages"], summary["kept_pages"], summary["last_drift"]) == (HOST, 5, 5, None)
    explained = client.post("/v1/explain", json={"page": learned["pages"][0]["id"]})
    assert explained.json()["url"] == learned["pages"][0]["url"]


def test_pages_that_fail_are_listed_and_the_rest_is_learned_from(client: Any) -> None:
    bad = [{"html": "%PDF-1.7", "url": "https://news.example/pdf"}, {"url": "http://nobody.invalid/"}]
    asked = {"pages": [*pages(3), *bad, {"page": "0" * 32}], "save": False}
    answer = client.post("/v1/sites/learn", json=asked).json()
    assert [problem["index"] for problem in answer["problems"]] == [3, 4, 5]
    assert [problem["problem"]["status"] for problem in answer["problems"]] == [415, 424, 410]
    assert (len(answer["pages"]), answer["saved_at"]) == (3, None)
    assert client.get("/v1/sites").json() == []


def test_too_few_pages_are_a_problem_that_lists_the_failed_ones(client: Any) -> None:
    bad = {"html": "%PDF-1.7", "url": "https://news.example/pdf"}
    answer = client.post("/v1/sites/learn", json={"pages": [*pages(2), {"page": "0" * 32}, bad]})
    assert answer.status_code == 422
    assert "a template needs 3" in answer.json()["detail"]
    assert [one["index"] for one in answer.json()["problems"]] == [2]
    nameless = [{"html": html} for html in articles(3)]
    assert client.post("/v1/sites/learn", json={"pages": nameless}).json()["type"] == "urn:bonmun:problem:no-host"
    assert client.post("/v1/sites/learn", json={"pages": nameless, "host": HOST, "save": False}).status_code == 200


def test_edited_rules_are_tried_before_they_are_saved(client: Any, learned: Any) -> None:
    rule = {"name": "t1", "keep": [".head h1"], "drop": []}
    tried = client.post(f"/v1/sites/{HOST}/try", json={"templates": [rule]}).json()
    assert len(tried) == 5
    for page in tried:
        assert page["changed"]
        assert page["before"]["template"] == page["after"]["template"] == "t1"
        assert len(page["after"]["blocks"]) == 1 < len(page["before"]["blocks"])
        old = "".join(change["text"] for change in page["diff"] if change["op"] != "insert")
        assert old.split() == page["before"]["text"].split()
    assert client.get(f"/v1/sites/{HOST}").json() == learned
    edited = client.put(f"/v1/sites/{HOST}", json={"templates": [rule]}).json()
    assert edited["templates"][0]["keep"] == [".head h1"]
    assert edited["templates"][0]["health"] == []
    assert edited["templates"][0]["fields"] == learned["templates"][0]["fields"]
    assert edited["pages"] == learned["pages"]
    assert client.get(f"/v1/sites/{HOST}").json() == edited


def test_without_edits_the_stored_rules_are_compared_with_auto(client: Any, learned: Any) -> None:
    asked = {"pages": [{"html": article(9), "url": f"https://{HOST}/9"}, {"html": "%PDF-1.7"}]}
    good, bad = client.post(f"/v1/sites/{HOST}/try", json=asked).json()
    assert (good["before"]["template"], good["after"]["template"], good["after"]["used"]) == (None, "t1", True)
    assert (bad["problem"]["status"], bad["before"]) == (415, None)


@pytest.mark.parametrize(
    ("rule", "selector", "words"),
    [
        ({"name": "t1", "keep": ["p:hover"]}, "p:hover", "unexpected ':hover'"),
        ({"name": "t1", "keep": ["p"], "drop": ["a >"]}, "a >", "unexpected end"),
        ({"name": "t9", "keep": ["p"]}, "", "no such template"),
    ],
)
def test_a_wrong_rule_is_a_problem_that_names_it(
    client: Any, learned: Any, rule: Any, selector: str, words: str
) -> None:
    for answer in (
        client.put(f"/v1/sites/{HOST}", json={"templates": [rule]}),
        client.post(f"/v1/sites/{HOST}/try", json={"templates": [rule]}),
    ):
        assert answer.status_code == 422
        problem = answer.json()
        assert (problem["title"], problem["template"], problem["selector"]) == ("BadRule", rule["name"], selector)
        assert words in problem["detail"]


def test_an_unknown_site_is_a_404(client: Any) -> None:
    asked = {"templates": [{"name": "t1", "keep": ["p"]}]}
    for answer in (
        client.get("/v1/sites/other.example"),
        client.put("/v1/sites/other.example", json=asked),
        client.post("/v1/sites/other.example/try", json=asked),
        client.delete("/v1/sites/other.example"),
    ):
        assert answer.status_code == 404


def test_rules_decide_on_stored_pages_and_failures_become_a_drift(client: Any, learned: Any) -> None:
    for seed in range(20, 23):
        asked = {"html": article(seed), "url": f"https://{HOST}/{seed}"}
        saved = client.post("/v1/documents", json=asked).json()
        assert saved["site"] == HOST
        assert client.get(f"/v1/documents/{saved['id']}").json()["method"] == "template"
    other = client.post("/v1/documents", json={**asked, "method": "xpath"}).json()
    assert other["site"] is None
    assert [signal["condition"] for signal in client.get("/v1/sites").json()[0]["health"]][:5] == ["ok"] * 5
    for seed in range(30, 36):
        client.post("/v1/documents", json={"html": article(seed, design="new"), "url": f"https://{HOST}/{seed}"})
    (summary,) = client.get("/v1/sites").json()
    assert "failed" in {signal["condition"] for signal in summary["health"]}
    assert summary["last_drift"] is not None
    assert summary["documents"] > 6


def test_the_rules_of_a_learned_site_decide_on_its_pages(client: Any, learned: Any) -> None:
    (page,) = pages(1, start=7)
    for route in ("/v1/explain", "/v1/extract"):
        assert client.post(route, json=page).json()["method"] == "template"
        assert client.post(route, json={**page, "method": "template"}).json()["method"] == "template"
        assert client.post(route, json={**page, "url": "https://other.example/7"}).json()["method"] == "auto"
        assert client.post(route, json={**page, "sites": False}).json()["method"] == "auto"
        assert client.post(route, json={**page, "method": "xpath"}).json()["method"] == "xpath"
