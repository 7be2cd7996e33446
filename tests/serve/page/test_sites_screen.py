"""Sites in the browser: learning, the list with its health, rules edited and tried."""

from collections.abc import Callable, Iterator

import httpx2
import pytest
from playwright.sync_api import expect

from bonmun.serve.settings import ServeSettings
from tests.middleware.local_server import answer, serving
from tests.middleware.network_server import KeepAliveServer
from tests.serve.page.archived_pages import notes
from tests.serve.page.watched import NARROW, TIMEOUT, Watched, accessible, running, screenshot
from tests.sites.make import article

expect.set_options(timeout=TIMEOUT)
HOST = "127.0.0.1"
LEARNED = 6


@pytest.fixture(scope="module")
def pages() -> Iterator[KeepAliveServer]:
    """A site on this machine."""
    with serving(KeepAliveServer()) as server:
        for number in range(LEARNED):
            server.serve(answer(article(number).encode()), f"/story/{number}")
        server.serve(answer(b"", "404 Not Found"), "/gone")
        yield server


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service with a store of its own."""
    store = tmp_path_factory.mktemp("sites") / "store.db"
    with running(ServeSettings(store=str(store), workers=1, allow_private=True)) as address:
        yield address


def addresses(server: KeepAliveServer, *more: str) -> list[str]:
    paths = [*(f"/story/{number}" for number in range(LEARNED)), *more]
    return [f"http://{HOST}:{server.port}{path}" for path in paths]


@pytest.fixture
def learned(service: str, pages: KeepAliveServer) -> None:
    """The site is learned, and nobody has edited its rules."""
    with httpx2.Client(base_url=service, timeout=120) as client:
        site = client.get(f"/v1/sites/{HOST}")
        if site.status_code == 404 or "div.talk" in site.json()["templates"][0]["keep"]:
            asked = {"pages": [{"url": address} for address in addresses(pages)]}
            assert client.post("/v1/sites/learn", json=asked).status_code == 200


NOTICE = "<div class=notice><p>This note is part of our series on towns, which appears every second Sunday.</p></div>"


def test_text_that_an_edit_drops_is_marked(screen: Watched, service: str) -> None:
    def given(number: int) -> dict[str, str]:
        html = notes(number).replace("</article>", f"<p class=author>By Ida Brandt</p>{NOTICE}</article>")
        return {"html": html, "url": f"https://notes.example.org/2025/{number + 1}"}

    with httpx2.Client(base_url=service, timeout=120) as client:
        asked = {"pages": [given(number) for number in range(LEARNED)]}
        assert client.post("/v1/sites/learn", json=asked).status_code == 200
        page = screen.open("/sites/notes.example.org")
        expect(page.locator("#trial-state")).to_contain_text(f"of {LEARNED} pages")
        page.get_by_role("button", name="Add a selector").nth(1).click()
        template = page.locator(".panel-body").filter(has=page.get_by_role("textbox", name="Selector to drop")).first
        template.get_by_role("textbox", name="Selector to drop").last.fill("p:nth-of-type(2)")
        expect(page.locator("#trial-state")).to_have_text(f"{LEARNED} of {LEARNED} pages change")
        page.locator(".tried summary").first.click()
        expect(page.locator(".tried .diff del").first).to_contain_text("Every day some")
        screenshot(page, "site-edited")
        page.get_by_role("button", name="Discard").click()
        assert client.delete("/v1/sites/notes.example.org").status_code == 204


def test_a_site_is_learned_from_addresses(screen: Watched, pages: KeepAliveServer) -> None:
    page = screen.open("/sites")
    page.keyboard.press("/")
    page.keyboard.insert_text("one.example.org")
    page.get_by_role("button", name="Learn").click()
    expect(page.get_by_role("alert")).to_contain_text("“one.example.org” is no address")
    page.get_by_label("Addresses, one per line").fill("http://one.example.org/")
    page.get_by_role("button", name="Learn").click()
    expect(page.get_by_role("alert")).to_contain_text("At least 3 pages are needed, 1 given")
    expect(page.get_by_label("Addresses, one per line")).to_have_value("http://one.example.org/")
    page.get_by_label("Addresses, one per line").fill("\n".join(addresses(pages, "/gone")))
    page.get_by_role("button", name="Learn").click()
    expect(page.locator("#learn-problem")).to_contain_text("1 page could not be used", timeout=2 * TIMEOUT)
    expect(page.locator("#learn-problem")).to_contain_text("/gone")
    row = page.get_by_role("row").filter(has_text=HOST)
    expect(row.get_by_role("img", name="ok")).to_be_visible()
    accessible(page)
    screenshot(page, "sites")
    page.get_by_role("link", name="See the rules").click()
    expect(page.get_by_role("textbox", name="Selector to keep").first).to_be_visible()


def test_rules_are_tried_while_they_are_edited(screen: Watched, learned: None) -> None:
    screen.expected.append("422")
    page = screen.open(f"/sites/{HOST}")
    expect(page.locator("#trial-state")).to_contain_text(f"of {LEARNED} pages")
    keep = page.get_by_role("textbox", name="Selector to keep").first
    before = keep.input_value()
    keep.fill("div:hover")
    expect(page.locator(".selector-problem")).to_contain_text("div:hover")
    expect(keep).to_have_attribute("aria-invalid", "true")
    accessible(page)
    screenshot(page, "site-bad-selector")
    keep.fill("div.talk")
    expect(page.locator("#trial-state")).to_have_text(f"{LEARNED} of {LEARNED} pages change")
    page.locator(".tried summary").first.click()
    expect(page.locator(".tried .diff ins").first).to_be_visible()
    expect(page.locator(".tried .diff del").first).to_be_visible()
    page.get_by_role("button", name="Before").click()
    expect(page.locator(".tried .diff")).to_contain_text("was seen again")
    page.get_by_role("button", name="Changes").click()
    accessible(page)
    screenshot(page, "site-changes")
    page.get_by_role("button", name="Discard").click()
    expect(page.get_by_role("textbox", name="Selector to keep").first).to_have_value(before)
    expect(page.get_by_role("button", name="Save")).to_be_hidden()


def test_rules_are_saved(screen: Watched, learned: None) -> None:
    page = screen.open(f"/sites/{HOST}")
    section = page.locator(".template").first
    section.get_by_role("button", name="Add a selector").first.click()
    page.keyboard.type("div.talk")
    expect(page.locator("#trial-state")).to_have_text(f"{LEARNED} of {LEARNED} pages change")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_have_text("Rules saved")
    expect(page.get_by_role("button", name="Save")).to_be_hidden()
    page.reload()
    expect(section.get_by_role("textbox", name="Selector to keep").last).to_have_value("div.talk")
    remove = section.locator("fieldset.keep").get_by_role("button", name="Remove the selector")
    while remove.count():
        remove.last.click()
    expect(page.locator(".selector-problem")).to_contain_text("at least one selector")
    page.get_by_role("button", name="Discard").click()
    expect(section.get_by_role("textbox", name="Selector to keep").last).to_have_value("div.talk")


def test_a_drift_is_seen_in_the_list(screen: Watched, service: str, learned: None) -> None:
    with httpx2.Client(base_url=service, timeout=120) as client:
        for number in range(40, 44):
            given = {"url": f"http://{HOST}/new/{number}", "html": article(number, design="new")}
            assert client.post("/v1/documents", json=given).status_code == 200
    page = screen.open("/sites")
    row = page.get_by_role("row").filter(has_text=HOST)
    expect(row.get_by_role("img", name="failed")).to_be_visible()
    expect(row.get_by_role("cell").last).to_have_text("4")
    accessible(page)
    screenshot(page, "sites-drift")
    row.get_by_role("link").click()
    expect(page.locator(".template").first).to_contain_text("t1")
    screenshot(page, "site-drift")


def test_a_site_is_learned_from_files_and_deleted(screen: Watched, learned: None) -> None:
    page = screen.open("/sites")
    files = [
        {"name": f"{number}.html", "mimeType": "text/html", "buffer": article(number).encode()} for number in range(4)
    ]
    page.get_by_label("Or HTML files").set_input_files(files)
    page.get_by_role("button", name="Learn").click()
    expect(page.get_by_role("alert")).to_contain_text("give the name of the site")
    page.get_by_label("Name of the site").fill("files.example.org")
    page.get_by_role("button", name="Learn").click()
    page.wait_for_url("**/sites/files.example.org")
    expect(page.locator("#trial-state")).to_contain_text("of 4 pages")
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("dialog")).to_contain_text("Delete the rules of files.example.org?")
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.wait_for_url("**/sites")
    expect(page.get_by_role("rowheader")).to_have_text([HOST])


def test_a_site_on_a_phone_in_korean_and_dark(open_screen: Callable[..., Watched], learned: None) -> None:
    watched = open_screen(locale="ko-KR", viewport=NARROW, color_scheme="dark")
    page = watched.open("/sites")
    expect(page.get_by_role("rowheader")).to_have_text([HOST])
    accessible(page)
    screenshot(page, "sites-narrow-ko-dark")
    page.get_by_role("link", name=HOST).click()
    expect(page.get_by_role("textbox", name="남길 부분의 선택자").first).to_be_visible()
    expect(page.locator("#trial-state")).to_contain_text("페이지")
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    accessible(page)
    screenshot(page, "site-narrow-ko-dark")
