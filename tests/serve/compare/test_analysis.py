from collections.abc import Callable
from typing import Any

import pytest
from lxml import html as lxml_html

FIGURE_4 = "<div>one<h3>two</h3><div>three</div><div>four</div><h3>five</h3><h3>six</h3></div>"
KOREAN = (
    "<html lang=ko><body><ul><li><a href=/>홈</a></ul><div id=기사>"
    "<p>녹차는 찻잎을 덖어 만든 차이다. 녹차의 찻잎은 봄에 딴다.</p>"
    "<p>보성의 녹차 밭에서는 찻잎을 손으로 딴다. 녹차 밭은 산비탈에 있다.</p></div>"
    "<div class=끝><p>무단 전재 금지</p></div>"
)


def test_groups_are_those_of_the_papers_figure_4(ask: Callable[..., Any]) -> None:
    answer = ask("/v1/analysis", html=FIGURE_4, method="xpath")["analysis"]
    assert [(group["path"], group["count"]) for group in answer["groups"]] == [
        ("html/body/div", 1),
        ("html/body/div/h3", 1),
        ("html/body/div/div", 2),
        ("html/body/div/h3", 2),
    ]
    assert answer["chosen"] == answer["groups"][2]
    assert answer["text"] == ["three", "four"]
    assert (answer["distinct_paths"], answer["total_length"], answer["total"]) == (3, 22, 6)


def test_text_nodes_lead_to_their_block_and_place(ask: Callable[..., Any]) -> None:
    answer = ask("/v1/analysis", html=FIGURE_4, method="xpath")
    blocks = ask("/v1/compare", page=answer["page"], methods=["xpath", "auto"])["blocks"]
    tree = lxml_html.document_fromstring(FIGURE_4)
    for node in answer["analysis"]["text_nodes"]:
        assert node["text"] in blocks[node["block"]]["text"]
        assert tree.xpath(node["xpath"])[0].strip() == node["text"]


def test_a_long_list_comes_in_windows(ask: Callable[..., Any]) -> None:
    page = "<h1>Title</h1>" + "<p>short</p>" * 20 + "<div>a very long text at the end, longer than all others</div>" * 9
    whole = ask("/v1/analysis", html=page, method="xpath")["analysis"]
    window = ask("/v1/analysis", html=page, method="xpath", offset=5, limit=10)["analysis"]
    assert window["text_nodes"] == whole["text_nodes"][5:15]
    assert (window["offset"], window["total"]) == (5, 30)
    assert [group["index"] for group in window["groups"]] == [1]
    assert window["groups"][0] == whole["groups"][1]
    assert window["chosen"] == whole["chosen"] == whole["groups"][2]
    assert window["text"] == whole["text"]
    beyond = ask("/v1/analysis", html=page, method="xpath", offset=40)["analysis"]
    assert beyond["text_nodes"] == beyond["groups"] == []


def test_the_answer_for_a_hostile_page_is_bounded(client: Any) -> None:
    deep = "".join(f"<section{'x' * 40}>" for _ in range(500)) + "<i>a<b>b</b></i>" * 20_000
    answer = client.post("/v1/analysis", json={"html": deep, "method": "xpath"})
    assert answer.status_code == 200
    assert len(answer.content) < 40_000_000
    analysis = answer.json()["analysis"]
    assert analysis["total"] == 40_000
    assert 0 < len(analysis["text_nodes"]) <= 20_000


def test_the_lists_of_the_logical_method_are_linked_to_blocks(ask: Callable[..., Any]) -> None:
    answer = ask("/v1/analysis", html=KOREAN, method="logical")
    lists = answer["analysis"]
    leaves = lists["leaves"]
    assert [leaf["length_rank"] for leaf in leaves] == [1, 0, 2]
    assert lists["candidates"] == [leaf["id"] for leaf in leaves if leaf["candidate"]] == [0, 1]
    assert lists["region"] == "/html/body/div[1]"
    assert [leaf["in_region"] for leaf in leaves] == [True, True, False]
    frequencies = {one["noun"]: one["frequency"] for one in lists["keywords"]}
    for leaf in leaves:
        assert leaf["weight"] == sum(count * frequencies[noun] for noun, count in leaf["nouns"])
    blocks = ask("/v1/compare", page=answer["page"], methods=["logical", "auto"])["blocks"]
    assert lists["kept"] == [block["index"] for block in blocks if block["keep"][0]]
    assert [blocks[leaf["blocks"][0]]["text"] for leaf in leaves] == [leaf["text"] for leaf in leaves]


@pytest.mark.parametrize("method", ["xpath", "logical"])
def test_a_page_without_text_has_empty_lists(ask: Callable[..., Any], method: str) -> None:
    analysis = ask("/v1/analysis", html="<body></body>", method=method)["analysis"]
    assert analysis["total"] == 0
    assert analysis["text"] == []
    assert analysis["chosen" if method == "xpath" else "region"] is None


@pytest.mark.parametrize(
    "fields", [{"method": "auto"}, {"method": "xpath", "offset": -1}, {"method": "xpath", "limit": 0}, {}]
)
def test_other_methods_and_windows_are_refused(client: Any, fields: dict[str, Any]) -> None:
    assert client.post("/v1/analysis", json={"html": FIGURE_4, **fields}).status_code == 422
