"""POST /v1/extract: forms of the request, formats of the answer, limits."""

import json
from importlib.resources import files

import jsonschema
import pytest
from fastapi.testclient import TestClient

import bonmun
from bonmun.model.output import Output
from bonmun.serve.extract_input import LimitsInput, OutputInput, PlainOptions
from tests.middleware.local_server import Server
from tests.serve.api.live import PAGE, TEXT

KOREAN = "<title>차</title><p>차는 잎을 뜨거운 물에 우려 마신다. 물은 끓인 지 얼마 되지 않아야 한다.</p>"


def test_a_page_as_json_is_answered_by_its_document(client: TestClient) -> None:
    answer = client.post("/v1/extract", json={"html": PAGE, "url": "https://example.org/tea"})
    document = answer.json()
    assert document == json.loads(bonmun.extract(PAGE.encode(), url="https://example.org/tea").to_json())
    schema = json.loads((files("bonmun.write") / "document.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, schema)
    assert answer.headers["x-bonmun-status"] == "ok"
    assert float(answer.headers["x-bonmun-confidence"]) == pytest.approx(document["confidence"], abs=1e-4)


@pytest.mark.parametrize(
    ("accept", "media_type", "beginning"),
    [
        ("text/plain", "text/plain; charset=utf-8", TEXT),
        ("text/markdown;q=0.4, text/plain;q=0.3", "text/markdown; charset=utf-8", TEXT),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html; charset=utf-8", "<"),
        ("application/xml", "application/xml", "<?xml"),
        ("application/tei+xml, */*;q=0.1", "application/tei+xml", "<?xml"),
        ("*/*", "application/json", "{"),
        ("", "application/json", "{"),
    ],
)
def test_the_accept_header_decides_the_format(client: TestClient, accept: str, media_type: str, beginning: str) -> None:
    answer = client.post("/v1/extract", json={"html": PAGE}, headers={"Accept": accept})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == media_type
    assert answer.text.startswith(beginning)


def test_the_format_wins_over_the_accept_header(client: TestClient) -> None:
    asked = {"html": PAGE, "format": "explain"}
    answer = client.post("/v1/extract", json=asked, headers={"Accept": "application/json"})
    assert answer.text.startswith("<!") and "sandbox" in answer.headers["content-security-policy"]


def test_a_format_that_is_not_accepted_is_406(client: TestClient) -> None:
    for accept in ("image/png", "text/plain;q=0", "text/plain;q=x", ";;,/"):
        answer = client.post("/v1/extract", json={"html": PAGE}, headers={"Accept": accept})
        assert (answer.status_code, answer.json()["type"]) == (406, "urn:bonmun:problem:not-acceptable")


def test_the_page_itself_is_the_body_with_the_charset_of_its_header(client: TestClient) -> None:
    for charset in ("euc-kr", "utf-16"):
        answer = client.post(
            "/v1/extract?format=text&url=https://example.org/",
            content=KOREAN.encode(charset),
            headers={"Content-Type": f"text/html; charset={charset}"},
        )
        assert answer.text.startswith("차는 잎을"), charset


def test_an_upload_is_a_page_with_options_as_fields(client: TestClient) -> None:
    file = ("tea.html", KOREAN.encode("euc-kr"), "text/html; charset=euc-kr")
    answer = client.post("/v1/extract", files={"file": file}, data={"format": "markdown", "title": "true"})
    assert answer.text.startswith("# 차")
    unknown = client.post("/v1/extract", files={"file": file}, data={"fromat": "markdown"})
    assert unknown.status_code == 422 and "fromat" in unknown.json()["detail"]
    assert client.post("/v1/extract", files={"page": file}).status_code == 422


def test_output_and_limits_follow_the_request(client: TestClient) -> None:
    html = '<p>Tea is made of <a href="https://example.org/">leaves</a>, and of water that has just boiled.</p>'
    asked = {"html": html, "format": "markdown", "output": {"links": False}}
    assert client.post("/v1/extract", json=asked).text == TEXT
    for limits, name in (({"bytes": 5}, "bytes"), ({"nodes": 1}, "nodes"), ({"output": 3}, "output")):
        refused = client.post("/v1/extract", json={**asked, "limits": limits})
        assert (refused.status_code, refused.json()["limit"]) == (422, name)
    page_as_body = {"content": html, "headers": {"Content-Type": "text/html"}}
    refused = client.post("/v1/extract?max_blocks=0", **page_as_body)
    assert refused.json()["title"] == "LimitExceeded" and "Limits.blocks" in refused.json()["detail"]
    assert client.post("/v1/extract?links=false&format=markdown", **page_as_body).text == TEXT


def test_a_request_cannot_raise_the_limits_of_the_service(client: TestClient) -> None:
    asked = {"html": "<p>" + "tea " * 600_000, "limits": {"bytes": 2**50}}
    refused = client.post("/v1/extract", json=asked)
    assert (refused.status_code, refused.json()["allowed"]) == (422, 2_000_000)


def test_the_switches_are_those_of_the_library() -> None:
    assert {*OutputInput.model_fields} == {*Output.__dataclass_fields__}
    assert {*LimitsInput.model_fields} == {*bonmun.Limits.__dataclass_fields__}
    assert OutputInput().model_dump() == {name: getattr(Output(), name) for name in OutputInput.model_fields}
    plain = {name.removeprefix("max_") for name in PlainOptions.model_fields}
    assert plain >= {*OutputInput.model_fields, *LimitsInput.model_fields}
    assert {name: PlainOptions().model_dump()[name] for name in OutputInput.model_fields} == OutputInput().model_dump()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b"{", 422),
        (b"[]", 422),
        (b"null", 422),
        (b"{}", 422),
        (b'{"html": 7}', 422),
        (b'{"html": "<p>", "page": "' + b"0" * 32 + b'"}', 422),
        (b'{"page": "' + b"0" * 32 + b'"}', 410),
        (b'{"html": "<p>", "method": "magic"}', 422),
        (b'{"html": "<p>", "method": "xpath", "prefer": "recall"}', 422),
        (b'{"html": "<p>", "prefer": NaN}', 422),
        (b'{"html": "<p>", "prefer": 1e999}', 422),
        (b'{"html": "<p>", "limits": {"seconds": -1}}', 422),
        (b'{"html": "<p>", "limits": {"bytes": 1e300}}', 422),
        (b'{"html": "<p>", "output": {"links": "maybe"}}', 422),
        (b'{"html": "\\ud800"}', 422),
        (b'{"\\ud800": "<p>"}', 422),
        (b'{"html": "\xff"}', 422),
        (b'{"' + b"x" * 100_000 + b'": 1}', 422),
        (b"[" * 100_000, 422),
        (b'{"html": "%PDF-1.7"}', 415),
        (b'{"url": "ftp://example.org/"}', 422),
        (b'{"url": "tea"}', 422),
        (b'{"url": "http://user:password@example.org/"}', 422),
    ],
)
def test_a_bad_request_is_a_short_problem(client: TestClient, body: bytes, status: int) -> None:
    answer = client.post("/v1/extract", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert answer.json()["status"] == status and len(answer.content) < 10_000


def test_another_media_type_is_415(client: TestClient) -> None:
    for kind in ("image/png", "", "application/x-www-form-urlencoded"):
        answer = client.post("/v1/extract", content=b"x", headers={"Content-Type": kind})
        assert answer.status_code == 415
    nothing = client.post("/v1/extract", content=b"x", headers={"Content-Type": "multipart/form-data"})
    assert nothing.status_code == 400


def test_a_url_is_fetched_and_the_page_kept(client: TestClient, site: Server) -> None:
    url = site.serve(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE.encode(), "/tea")
    fetched = client.post("/v1/fetch", json={"url": url}).json()
    assert (fetched["url"], fetched["bytes"], fetched["content_type"]) == (url, len(PAGE), "text/html")
    assert fetched["network"]["status"] == 200
    answer = client.post("/v1/extract", json={"page": fetched["page"], "format": "text"})
    assert (answer.text, answer.headers["x-bonmun-page"]) == (TEXT, fetched["page"])
    assert client.post("/v1/extract", json={"url": url, "format": "text"}).text == TEXT


def test_a_page_that_cannot_be_fetched_is_no_fault_of_the_service(client: TestClient, site: Server) -> None:
    url = site.serve(b"HTTP/1.0 500 Oops\r\n\r\n", "/broken")
    answer = client.post("/v1/fetch", json={"url": url})
    assert (answer.status_code, answer.json()["title"]) == (424, "BadStatus")
    nowhere = client.post("/v1/extract", json={"url": "http://tea.invalid/"})
    assert nowhere.status_code == 424


def test_methods_are_listed(client: TestClient) -> None:
    methods = {method["name"]: method for method in client.get("/v1/methods").json()}
    assert methods["auto"]["default"] and methods["auto"]["adjustable"] and methods["auto"]["description"]
    assert not methods["xpath"]["default"] and not methods["xpath"]["adjustable"]
