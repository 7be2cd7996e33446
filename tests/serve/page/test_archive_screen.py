"""The archive in the browser: search, filters, documents, versions, corrections."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import expect

from bonmun.serve.settings import ServeSettings
from tests.serve.page.archived_pages import BANK, HOSTILE, NEWER_TEA, PALACE, RAILWAY, TEA, article, notes
from tests.serve.page.watched import NARROW, TIMEOUT, Watched, accessible, running, screenshot

expect.set_options(timeout=TIMEOUT)
NOTES = 16
PAGES = (
    ("https://tea.example.org/black", article("Black tea", TEA)),
    ("https://tea.example.org/black", article("Black tea", NEWER_TEA)),
    ("https://copy.example.net/black", article("Black tea", NEWER_TEA)),
    ("https://news.example.kr/rate", article("한국은행, 기준금리 유지", BANK, language="ko", day="2026-10-02")),
    ("https://news.example.kr/palace", article("경복궁 야간 관람", PALACE, language="ko", day="2026-09-01")),
    ("https://rail.example.cn/line", article("高速铁路开通", RAILWAY, language="zh", day="2026-08-20")),
    ("javascript:alert(3)", article("Tags <b>in</b> a title", HOSTILE)),
)


def fill(address: str) -> dict[str, int]:
    """Store all pages; return the ids of the documents by URL."""
    ids = {}
    with httpx2.Client(base_url=address, timeout=120) as client:
        many = [(f"https://notes.example.com/{number}", notes(number)) for number in range(NOTES)]
        for url, html in [*many, *PAGES]:
            answer = client.post("/v1/documents", json={"url": url, "html": html})
            assert answer.status_code == 200, answer.text
            ids[url] = answer.json()["id"]
    return ids


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service with a store of its own."""
    store = tmp_path_factory.mktemp("archive") / "store.db"
    with running(ServeSettings(store=str(store), workers=1)) as address:
        yield address


@pytest.fixture(scope="module")
def ids(service: str) -> dict[str, int]:
    """The ids of the stored documents by URL."""
    return fill(service)


def test_search_as_you_type_marks_the_words_found(screen: Watched, ids: dict[str, int]) -> None:
    page = screen.open("/archive")
    expect(page.locator("#count")).to_contain_text(f"{len(ids)} documents")
    page.keyboard.press("/")
    page.keyboard.type("refrig")
    expect(page.locator("#count")).to_have_text("2 documents found")
    expect(page.locator(".snippet mark").first).to_have_text("refrigerator")
    page.get_by_role("searchbox").fill("library")
    expect(page.locator(".snippet mark").first).to_have_text("library")
    screenshot(page, "archive-search")
    page.get_by_role("searchbox").fill("은행")
    expect(page.locator(".hit-title")).to_have_text(["한국은행, 기준금리 유지"])
    assert "은행" in page.locator(".snippet mark").all_text_contents()
    page.get_by_role("searchbox").fill("铁路")
    expect(page.locator(".snippet mark").first).to_have_text("铁路")
    page.reload()
    expect(page.get_by_role("searchbox")).to_have_value("铁路")
    expect(page.locator(".hit-title")).to_have_text(["高速铁路开通"])


def test_filters_and_pages(screen: Watched, ids: dict[str, int]) -> None:
    page = screen.open("/archive")
    expect(page.locator("#range")).to_have_text(f"1–20 of {len(ids)}")
    page.get_by_role("button", name="Next").click()
    expect(page.locator("#range")).to_have_text(f"21–{len(ids)} of {len(ids)}")
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    page = screen.open("/archive?offset=400")
    expect(page.locator("#range")).to_have_text(f"1–20 of {len(ids)}")
    page.get_by_role("combobox", name="Language").select_option("ko")
    expect(page.locator(".hit-title")).to_have_count(2)
    page.get_by_label("Published from").fill("2026-09-15")
    expect(page.locator(".hit-title")).to_have_text(["한국은행, 기준금리 유지"])
    expect(page.locator("#filter-count")).to_have_text("2 set")
    screenshot(page, "archive-filtered")
    page.get_by_role("button", name="Clear filters").click()
    expect(page.locator("#range")).to_have_text(f"1–20 of {len(ids)}")
    page.get_by_label("Site", exact=True).select_option("rail.example.cn")
    expect(page.locator(".hit-title")).to_have_count(1)
    page.get_by_role("slider").fill("1")
    expect(page.get_by_role("heading", name="No document passes these filters")).to_be_visible()
    page.get_by_role("button", name="Show all documents").click()
    expect(page.locator(".hit-title")).to_have_count(20)


def test_results_are_walked_by_keys(screen: Watched, ids: dict[str, int]) -> None:
    page = screen.open("/archive?host=news.example.kr")
    expect(page.locator(".hit-title")).to_have_count(2)
    page.keyboard.press("/")
    for key, focused in (("ArrowDown", 0), ("ArrowDown", 1), ("ArrowUp", 0), ("End", 1)):
        page.keyboard.press(key)
        expect(page.locator(".hit-title").nth(focused)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("article h1")).to_have_text("한국은행, 기준금리 유지")
    page.get_by_role("link", name="← Archive").click()
    page.wait_for_url("**/archive?host=news.example.kr")


def test_a_document_with_versions_and_their_diff(screen: Watched, ids: dict[str, int]) -> None:
    page = screen.open(f"/archive/{ids['https://tea.example.org/black']}")
    expect(page.get_by_role("heading", name="Black tea")).to_be_visible()
    expect(page.locator("#text")).to_contain_text("over night")
    expect(page.locator("#duplicates")).to_contain_text("Black tea")
    original = page.get_by_role("link", name="Open the original")
    expect(original).to_have_attribute("href", "https://tea.example.org/black")
    expect(original).to_have_attribute("rel", "noreferrer noopener")
    accessible(page)
    screenshot(page, "archive-document")
    page.get_by_role("tab", name="Versions").click()
    expect(page.locator(".diff del").first).to_contain_text("Kenya")
    expect(page.locator(".diff ins").last).to_contain_text("Brewed cold")
    accessible(page)
    screenshot(page, "archive-diff")
    page.get_by_label("Version 2 as the old one").check()
    expect(page.locator(".diff")).to_have_text("The texts are the same.")
    page.get_by_role("button", name="Show 1").click()
    expect(page.locator("#old-version")).to_contain_text("Version 1 of 2")
    page.get_by_role("tab", name="Text").click()
    expect(page.locator("#text")).to_contain_text("softens the tannins")
    page.get_by_role("button", name="Show the latest version").click()
    expect(page.locator("#text")).to_contain_text("over night")


def test_a_document_is_saved_copied_and_deleted(
    open_screen: Callable[..., Watched], ids: dict[str, int], tmp_path: Path
) -> None:
    watched = open_screen(permissions=["clipboard-read", "clipboard-write"])
    watched.expected.append("404")
    page = watched.open(f"/archive/{ids['javascript:alert(3)']}")
    expect(page.get_by_role("heading", name="Tags <b>in</b> a title")).to_be_visible()
    expect(page.locator("#text")).to_contain_text("<img src=x onerror=alert(1)>")
    expect(page.locator("#pairs")).to_contain_text("javascript:alert(3)")
    expect(page.locator("a[href^=javascript]")).to_have_count(0)
    expect(page.get_by_role("link", name="Open the original")).to_have_count(0)
    page.get_by_role("tab", name="Markdown").click()
    page.get_by_role("button", name="Copy").click()
    expect(page.locator(".toast")).to_have_text("Copied")
    assert "backticks" in page.evaluate("navigator.clipboard.readText()")
    page.get_by_text("Save as …").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="JSON").click()
    download.value.save_as(tmp_path / "saved.json")
    saved = json.loads((tmp_path / "saved.json").read_text("utf-8"))
    assert saved["title"] == "Tags <b>in</b> a title" and download.value.suggested_filename.endswith(".json")
    page.get_by_role("button", name="Delete").click()
    accessible(page)
    screenshot(page, "archive-delete")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="Tags <b>in</b> a title")).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.wait_for_url("**/archive")
    page = watched.open(f"/archive/{ids.pop('javascript:alert(3)')}")
    expect(page.get_by_role("heading", name="This document is not in the archive")).to_be_visible()


def test_the_archive_on_a_phone_in_korean_and_dark(open_screen: Callable[..., Watched], ids: dict[str, int]) -> None:
    watched = open_screen(locale="ko-KR", viewport=NARROW, color_scheme="dark")
    page = watched.open("/archive?q=금리")
    expect(page.locator("#count")).to_have_text("문서 1개를 찾았습니다")
    page.get_by_text("필터", exact=False).first.click()
    expect(page.get_by_role("combobox", name="언어")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    accessible(page)
    screenshot(page, "archive-narrow-ko-dark")
    page.locator(".hit-title").click()
    expect(page.get_by_role("heading", name="핵심어")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    accessible(page)
    screenshot(page, "document-narrow-ko-dark")
    page = watched.open(f"/archive/{ids['https://tea.example.org/black']}")
    page.get_by_role("tab", name="버전").click()
    expect(page.locator(".diff ins").last).to_contain_text("Brewed cold")
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    accessible(page)
    screenshot(page, "diff-narrow-ko-dark")


def test_corrections_are_listed_exported_and_deleted(
    open_screen: Callable[..., Watched], service: str, ids: dict[str, int]
) -> None:
    page = open_screen().open("/archive#corrections")
    expect(page.get_by_role("heading", name="No corrections yet")).to_be_visible()
    with httpx2.Client(base_url=service, timeout=120) as client:
        given = {"url": "https://tea.example.org/black", "html": article("Black tea", TEA)}
        blocks = client.post("/v1/explain", json=given).json()["blocks"]
        keep = [not block["keep"] if index == 0 else block["keep"] for index, block in enumerate(blocks)]
        assert client.post("/v1/labels", json={**given, "keep": keep, "note": "menu"}).status_code == 200
    page.reload()
    expect(page.locator(".totals")).to_contain_text("Corrected blocks")
    expect(page.locator(".labels li")).to_contain_text("1 corrected block")
    expect(page.locator("#corrections pre")).to_contain_text("bonmun train --corpus labels.jsonl")
    accessible(page)
    screenshot(page, "archive-corrections")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the pages").click()
    assert json.loads(Path(download.value.path()).read_text("utf-8"))["url"] == "https://tea.example.org/black"
    page.get_by_role("button", name="Open: Black tea").click()
    expect(page).to_have_url(re.compile(r"/\?page=[0-9a-f]{32}"))
    page.go_back()
    page.locator("#corrections").get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="No corrections yet")).to_be_visible()
