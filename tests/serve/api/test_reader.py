"""GET /r/<url>: addresses as people and programs write them, and the formats."""

import pytest
from fastapi.testclient import TestClient

from tests.middleware.local_server import Server
from tests.serve.api.live import PAGE, TEXT

DATED = PAGE.replace("<nav>", '<meta property="article:published_time" content="2026-11-02T09:30:00+09:00"><nav>')


def serve(site: Server, path: str) -> str:
    return site.serve(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + DATED.encode(), path)


def test_the_default_is_markdown_under_its_metadata(client: TestClient, site: Server) -> None:
    url = serve(site, "/tea")
    answer = client.get(f"/r/{url}")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text == (
        f"Title: Tea\n\nURL Source: {url}\n\nPublished Time: 2026-11-02T09:30:00+09:00\n\nMarkdown Content:\n{TEXT}\n"
    )


@pytest.mark.parametrize("path", ["/a%20b?x=1&y=%2F%20#no", "/tea?next=https://example.org/?q=1", "/%EC%B0%A8"])
def test_the_query_and_escapes_of_the_target_are_part_of_it(client: TestClient, site: Server, path: str) -> None:
    from urllib.parse import quote

    sent = path.partition("#")[0]
    url = serve(site, sent)
    assert TEXT in client.get(f"/r/{url}").text
    assert site.requests[-1].startswith(f"GET {sent} HTTP")
    assert TEXT in client.get(f"/r/{quote(url, safe='')}").text
    assert site.requests[-1].startswith(f"GET {sent} HTTP")
    assert TEXT in client.get(f"/r/{url.replace('://', ':/', 1)}").text


@pytest.mark.parametrize(
    ("accept", "beginning"),
    [("text/markdown", "# Tea"), ("application/json", '{"format": "bonmun/document"'), ("text/html", "<")],
)
def test_the_accept_header_decides_the_format(client: TestClient, site: Server, accept: str, beginning: str) -> None:
    answer = client.get(f"/r/{serve(site, '/tea')}", headers={"Accept": accept})
    assert answer.text.startswith(beginning)
    assert "sandbox" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("url", "status"),
    [
        ("2%0AI", 404),
        ("javascript:alert(1)", 422),
        ("ftp://example.org/", 422),
        ("", 422),
        ("tea.invalid", 424),
        ("http://", 422),
    ],
)
def test_no_page_is_a_problem(client: TestClient, url: str, status: int) -> None:
    assert client.get(f"/r/{url}").status_code == status
