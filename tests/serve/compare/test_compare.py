from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bonmun.limits import DEFAULT_LIMITS
from bonmun.sites.site import Site

pytest.importorskip("fastapi", reason="the extra `serve` is not installed")

from bonmun.serve.comparison import CompareWork
from bonmun.serve.given_page import GivenPage

MENU = "<ul><li><a href=/>Home</a><li><a href=/tea>Tea</a></ul>"
BODY = "<p>Tea is made of leaves, and of water that has just boiled.</p>" * 3
PAGE = f"<title>Tea</title>{MENU}<div>{BODY}</div><footer>All rights reserved</footer>"


def test_every_block_has_the_verdict_of_each_method(ask: Callable[..., Any]) -> None:
    answer = ask("/v1/compare", html=PAGE, methods=["auto", "xpath", "density"])
    assert [method["name"] for method in answer["methods"]] == ["auto", "xpath", "density"]
    assert [block["keep"][1] for block in answer["blocks"]] == [False, False, True, True, True, False]
    assert answer["blocks"][2]["xpath"] == "/html/body/div[1]/p[1]"
    for column, method in enumerate(answer["methods"]):
        kept = [block for block in answer["blocks"] if block["keep"][column]]
        assert method["kept_blocks"] == len(kept)
        assert method["kept_characters"] == sum(len(block["text"]) for block in kept)
        assert method["problem"] is None


def test_a_picture_is_named_by_its_description(ask: Callable[..., Any]) -> None:
    page = f'<img src="cup.png" alt="A cup of tea"><div>{BODY}</div>'
    picture = ask("/v1/compare", html=page, methods=["auto", "xpath"])["blocks"][0]
    assert (picture["kind"], picture["text"]) == ("image", "A cup of tea")


def test_the_page_is_kept_for_the_next_request(ask: Callable[..., Any]) -> None:
    first = ask("/v1/compare", html=PAGE, methods=["auto", "xpath"])
    again = ask("/v1/compare", page=first["page"], methods=["xpath", "density"])
    assert again["page"] == first["page"]
    assert [block["keep"][0] for block in again["blocks"]] == [block["keep"][1] for block in first["blocks"]]


def test_agreement_is_the_share_of_characters(ask: Callable[..., Any]) -> None:
    answer = ask("/v1/compare", html=PAGE, methods=["auto", "xpath", "logical"])
    matrix, blocks = answer["agreement"], answer["blocks"]
    same = sum(len(block["text"]) for block in blocks if block["keep"][0] == block["keep"][1])
    assert matrix[0][1] == matrix[1][0] == pytest.approx(same / answer["characters"], abs=1e-4)
    assert [matrix[index][index] for index in range(3)] == [1.0, 1.0, 1.0]


def test_a_block_kept_in_part_agrees_in_part(ask: Callable[..., Any]) -> None:
    page = "<p>Tea is made of water <b>and of leaves</b></p>"  # xpath keeps the longest group: the text before <b>
    answer = ask("/v1/compare", html=page, methods=["xpath", "auto"])
    assert answer["blocks"][0]["keep"] == [True, True]
    assert answer["blocks"][0]["partial"] == [True, False]
    assert 0.5 < answer["agreement"][0][1] < 0.7
    assert answer["methods"][0]["kept_characters"] == len("Tea is made of water")


def test_a_method_that_fails_has_its_problem_in_its_column(ask: Callable[..., Any]) -> None:
    answer = ask("/v1/compare", html=PAGE, methods=["xpath", "magic", "template"])
    xpath, magic, template = answer["methods"]
    assert xpath["problem"] is None
    assert magic["problem"]["title"] == "UnknownName"
    assert "auto" in magic["problem"]["detail"]
    assert template["problem"]["status"] == 404
    assert template["status"] is None
    assert answer["blocks"][2]["keep"] == [True, None, None]
    assert answer["agreement"] == [[1.0, None, None], [None, None, None], [None, None, None]]


def test_template_decides_where_the_site_is_known(client: Any, ask: Callable[..., Any]) -> None:
    page = "<div id=menu><a href=/>Home</a> News</div><div id=text><p>{0} is made of {1}.</div>"
    words = [("Tea", "leaves and hot water"), ("Bread", "flour and yeast"), ("Glass", "sand and soda ash")]
    site = Site.learn([page.format(*pair) for pair in words], host="tea.example")
    client.app.state.service.store.save_site(site)
    url = "https://www.tea.example/ink"
    answer = ask("/v1/compare", html=page.format("Ink", "soot"), url=url, methods=["template", "xpath"])
    assert answer["methods"][0]["problem"] is None
    assert [block["keep"][0] for block in answer["blocks"]] == [False, True]
    explained = ask("/v1/explain", page=answer["page"], method="template")
    assert explained["blocks"][1]["reasons"][0]["name"] == "template-rule"


def test_a_third_party_method_that_raises_is_a_problem_of_its_column(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import json

    information = tmp_path / "waterless-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: waterless\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[bonmun.methods]\nwaterless = waterless:Tea\n")
    code = "class Tea:\n    name = 'waterless'\n    def judge(self, page):\n        raise ValueError('no water')\n"
    (tmp_path / "waterless.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    work = CompareWork(GivenPage(PAGE.encode()), ("xpath", "waterless"), DEFAULT_LIMITS)
    answer = json.loads(work.run())
    assert answer["methods"][1]["problem"]["detail"] == "plug-in waterless (methods): ValueError: no water"
    assert answer["methods"][0]["kept_blocks"] == 3


@pytest.mark.parametrize(
    "methods",
    [["auto"], ["auto", "xpath", "density", "logical", "template"], ["xpath", "xpath"], ["", "xpath"], "auto"],
)
def test_two_to_four_distinct_methods_are_compared(client: Any, methods: Any) -> None:
    answer = client.post("/v1/compare", json={"html": PAGE, "methods": methods})
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_page_without_text_is_compared(ask: Callable[..., Any]) -> None:
    answer = ask("/v1/compare", html="<body></body>", methods=["auto", "xpath"])
    assert answer["blocks"] == []
    assert answer["agreement"] == [[1.0, 1.0], [1.0, 1.0]]
    assert [method["status"] for method in answer["methods"]] == ["empty", "empty"]


def test_xpaths_larger_than_any_answer_are_refused(client: Any) -> None:
    page = f"<{'a' * 100_000}>" + "<p>x</p>" * 1_000
    answer = client.post("/v1/compare", json={"html": page, "methods": ["xpath", "density"]})
    assert answer.status_code == 422
    assert answer.json()["title"] == "LimitExceeded"
