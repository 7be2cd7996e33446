"""Malicious pages in every place that shows content of pages: nothing runs, nothing is sent, nothing navigates."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from bonmun.limits import Limits
from bonmun.middleware.network_settings import NetworkSettings
from bonmun.serve.jobs.settings import JobSettings
from bonmun.serve.settings import ServeSettings
from tests.serve.page.extract_screen import drawn
from tests.serve.page.malicious import SENTENCE, Canary, attacking_page, canary_server, payloads, ran, text_page
from tests.serve.page.watched import TIMEOUT, Watched, running, watched

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = sync_api.expect
expect.set_options(timeout=TIMEOUT)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAME = "\"><img src=x onerror=(top.__ran=top.__ran||[]).push('name')>.html"
TABS = ("read", "markdown", "json", "xml", "why", "xtractor")


@pytest.fixture(scope="module")
def canary() -> Iterator[Canary]:
    with canary_server() as server:
        server.pages["/attack"] = attacking_page(server.address).encode()
        yield server


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service with a store of its own."""
    store = tmp_path_factory.mktemp("malicious") / "store.db"
    jobs = JobSettings(network=NetworkSettings(delay=0, retries=0), nice=0)
    chosen = ServeSettings(store=str(store), workers=1, allow_private=True, limits=Limits(seconds=60), jobs=jobs)
    with running(chosen) as address:
        yield address


@pytest.fixture(scope="module")
def client(service: str) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=service, timeout=120, trust_env=False) as started:
        yield started


class Unharmed:
    """Watches a page of the browser for any success of an attack."""

    def __init__(self, watched: Watched, canary: Canary) -> None:
        self.page, self._watched, self._canary = watched.page, watched, canary
        self.expected = watched.expected
        self._events: list[str] = []
        self.page.on("dialog", lambda dialog: (self._events.append(f"dialog {dialog.message}"), dialog.dismiss()))
        self.page.on("popup", lambda popup: self._events.append(f"popup {popup.url}"))
        self.page.on("framenavigated", self._navigated)

    def _navigated(self, frame: Any) -> None:
        ours = (self._watched.address, "about:blank")
        if not frame.url.startswith(ours if frame.parent_frame is None else ("about:srcdoc", "about:blank")):
            self._events.append(f"navigation to {frame.url}")

    def check(self) -> None:
        """Fail if anything ran, was sent or navigated."""
        assert not self._events
        assert self.page.evaluate("window.__ran ?? null") is None
        assert not self._canary.asked, self._canary.asked
        assert "Bonmun" in self.page.title()
        assert self.page.evaluate("document.querySelectorAll('main img, main script, main [onerror]').length") == 0
        self._watched.check()


@contextmanager
def unharmed(browser: "Browser", address: str, canary: Canary, *expected: str) -> Iterator[Unharmed]:
    """A page of the browser that has to be unharmed in the end."""
    canary.asked.clear()
    with watched(browser, address, accept_downloads=True) as one:
        one.expected += expected
        guarded = Unharmed(one, canary)
        yield guarded
        guarded.page.wait_for_timeout(200)  # what an attack would need to be noticed
        guarded.check()


def give(page: "Page", html: str, name: str = NAME) -> None:
    page.set_input_files("#file", {"name": name, "mimeType": "text/html", "buffer": html.encode()})
    page.locator("#work").wait_for()
    drawn(page).locator(".bm-page").wait_for()


def test_the_page_does_attack_where_nobody_defends(browser: "Browser", canary: Canary) -> None:
    """What the other tests rely on: opened as it is, the same page runs scripts and sends requests."""
    page = attacking_page(canary.address).replace("http-equiv=refresh", "http-equiv=x")
    page = page.replace("Content-Security-Policy", "x").replace("<base ", "<x ")
    canary.pages["/defenceless"] = page.encode()
    context = browser.new_context()
    try:
        opened = context.new_page()
        opened.goto(f"{canary.address}/defenceless", wait_until="commit")
        opened.wait_for_function("new Set(window.__ran).size > 12", timeout=TIMEOUT)
        places = set(opened.evaluate("[...new Set(window.__ran)]"))
    finally:
        context.close()
    assert {"head", "image", "handler", "srcdoc"} <= places and len(places) > 12, places
    assert len({line.split(" ")[1] for line in canary.asked if line}) > 10


def test_extract_with_all_its_tabs(browser: "Browser", service: str, canary: Canary) -> None:
    with unharmed(browser, service, canary) as one:
        page = one.page
        page.goto(f"{service}/")
        give(page, attacking_page(canary.address))
        assert drawn(page).locator("script, img, svg, form, input, iframe, object, embed, style, base, meta[http-equiv]"
                                   ).count() == 0  # fmt: skip
        expect(page.locator("#panel-read")).to_contain_text("<img src=x onerror=")
        _visit_tabs(page, TABS)
        one.check()
        one.expected.append("Blocked script execution in 'about:srcdoc'")  # that of Playwright, which listens in there
        _touch_everything_in_the_frame(page)
        one.check()
        give(page, text_page(canary.address))
        _visit_tabs(page, ("logical", "xtractor", "read"))


def _visit_tabs(page: "Page", tabs: tuple[str, ...]) -> None:
    for tab in tabs:
        page.locator(f"#tab-{tab}").click()
        expect(page.locator(f"#panel-{tab}")).to_contain_text(SENTENCE[:30])
        page.locator(f"#panel-{tab}").hover()


def _touch_everything_in_the_frame(page: "Page") -> None:
    """Hover and click links, fields and blocks of the drawn page, with keys too."""
    frame = drawn(page)
    marks = frame.locator("[data-block]:visible")
    count = marks.count()
    for number in range(0, count, max(1, count // 12)):
        marks.nth(number).hover(force=True)
    for text in ("a script of a link", "another script", "data", "to the top", "send", "animated", "x"):
        found = frame.get_by_text(text, exact=True).first
        if found.count():
            found.scroll_into_view_if_needed()
            found.click(force=True)
            found.click(force=True, button="middle")
    page.keyboard.press("Enter")
    assert page.evaluate("document.querySelector('#frame').contentDocument.querySelector('[data-block]') !== null")


def test_saved_files_and_copies(browser: "Browser", service: str, canary: Canary) -> None:
    with unharmed(browser, service, canary) as one:
        page = one.page
        page.goto(f"{service}/")
        give(page, attacking_page(canary.address))
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.get_by_role("button", name="Copy").first.click()
        expect(page.locator(".toast")).to_contain_text("Copied")
        assert ran("text") in page.evaluate("navigator.clipboard.readText()")
        page.locator("details.menu summary", has_text="Save").click()
        with page.expect_download() as download:
            page.get_by_role("button", name="HTML", exact=True).click()
        name = download.value.suggested_filename
        assert name.endswith(".html") and not {*name} & {*'<>"/\\:'} and len(name) < 120


def test_options_recompute_and_corrections(browser: "Browser", service: str, canary: Canary) -> None:
    with unharmed(browser, service, canary) as one:
        page = one.page
        page.goto(f"{service}/")
        give(page, attacking_page(canary.address))
        with page.expect_response("**/v1/explain"):
            page.locator("#method").select_option("xpath")
        drawn(page).locator(".bm-page").wait_for()
        drawn(page).locator("[data-block]:visible").nth(3).click()
        expect(page.locator("#corrections")).to_be_visible()
        with page.expect_response("**/v1/labels"):
            page.locator("#corrections").get_by_role("button", name="Save").click()
        page.goto(f"{service}/archive")
        page.get_by_role("tab", name="Corrections").click()
        expect(page.locator("#corrections")).to_contain_text("<script>")


def test_compare(browser: "Browser", service: str, canary: Canary) -> None:
    with unharmed(browser, service, canary) as one:
        page = one.page
        page.goto(f"{service}/compare?methods=auto,xpath")
        page.set_input_files("#file", {"name": NAME, "mimeType": "text/html",
                                       "buffer": attacking_page(canary.address).encode()})  # fmt: skip
        expect(page.locator("#comparison")).to_be_visible()
        expect(page.locator("#blocks")).to_contain_text("<img src=x onerror=")
        page.keyboard.press("n")
        page.locator(".block-number").first.click()
        page.goto(f"{service}/compare?methods=%3Cimg%20src=x%20onerror=alert(1)%3E,auto&page=%22%3E%3Cscript%3E")
        page.goto(f"{service}/?url=javascript:{ran('url')}&method=%3Cscript%3E&prefer=%22%3E#%3Cimg%20src=x%3E")


def test_archive(browser: "Browser", service: str, client: httpx2.Client, canary: Canary) -> None:
    address = f"javascript:{ran('original')}"
    for number in range(2):
        page = {"html": attacking_page(canary.address, number), "url": 'https://evil.example/"><script>x</script>?<b>'}
        id = client.post("/v1/documents", json=page).raise_for_status().json()["id"]
    odd = client.post("/v1/documents", json={"html": page["html"].replace("0.", "9."), "url": address}).json()
    assert odd.get("status") == 422 or odd["id"]
    with unharmed(browser, service, canary) as one:
        page = one.page
        page.goto(f"{service}/archive?q=%22%3E%3Cimg+src%3Dx+onerror%3Dalert(1)%3E")
        page.goto(f"{service}/archive?q=sentence+long&host=%3Cscript%3E&language=%22%3E")
        page.goto(f"{service}/archive?q=sentence")
        expect(page.locator(".hit-title").first).to_contain_text("<script>")
        expect(page.locator(".snippet mark").first).to_be_visible()
        for document in {id, odd.get("id", id)}:
            page.goto(f"{service}/archive/{document}")
            expect(page.locator("article h1")).to_contain_text("<script>")
            expect(page.locator("#text")).to_contain_text("<img src=x onerror=")
            page.get_by_role("tab", name="Markdown").click()
            assert page.locator("main a[href^='javascript' i], main a[href^='data' i]").count() == 0
        page.goto(f"{service}/archive/{id}")
        page.get_by_role("tab", name="Versions").click()
        expect(page.locator("#versions .diff")).to_be_visible()


def test_sites(browser: "Browser", service: str, client: httpx2.Client, canary: Canary) -> None:
    pages = [{"html": attacking_page(canary.address, number), "url": f"https://sites.example/{NAME}{number}"}
             for number in range(4)]  # fmt: skip
    client.post("/v1/sites/learn", json={"pages": pages}).raise_for_status()
    with unharmed(browser, service, canary, "422") as one:
        page = one.page
        page.goto(f"{service}/sites")
        files = [{"name": f"{number}{NAME}", "mimeType": "text/html", "buffer": b"<p>x"} for number in range(3)]
        page.get_by_label("Or HTML files").set_input_files(files)
        page.get_by_label("Name of the site").fill("<b>.example")
        page.get_by_role("button", name="Learn").click()
        expect(page.locator("#learn-problem")).not_to_be_empty()
        page.goto(f"{service}/sites/sites.example")
        expect(page.locator("#trial-state")).to_contain_text("of 4 pages")
        keep = page.get_by_role("textbox", name="Selector to keep").first
        keep.fill('p[title="<img src=x onerror=alert(1)>"], <script>')
        expect(page.locator(".selector-problem")).to_contain_text("<script>")
        keep.fill("td")
        expect(page.locator("#trial-state")).to_have_text("4 of 4 pages change")
        page.locator(".tried summary").first.click()
        expect(page.locator(".tried .diff").first).to_contain_text("<script>")
        page.locator(".explanation summary").click()


def test_jobs(browser: "Browser", service: str, client: httpx2.Client, canary: Canary) -> None:
    name = payloads(canary.address)[0]
    lines = [
        {"id": name, "html": attacking_page(canary.address), "url": f"javascript:{ran('job')}"},
        {"id": name, "html": attacking_page(canary.address), "url": f"https://evil.example/{name}"},
        {"id": name, "html": name, "method": name, name: name},
    ]
    content = "\n".join([*map(json.dumps, lines), name, '{"html": 3}'])
    headers = {"Content-Type": "application/x-ndjson"}
    client.post("/v1/jobs", content=content, headers=headers, params={"name": f"B {name}"}).raise_for_status()
    sources = [f"{canary.address}/{name}", f"feed:{canary.address}/{name}"]
    canary.pages |= {"/robots.txt": b"User-agent: *\nDisallow:"}
    client.post("/v1/jobs", json={"sources": sources, "name": f"C {name}"}).raise_for_status()
    with unharmed(browser, service, canary) as one:
        page = one.page
        page.goto(f"{service}/jobs")
        for letter in "BC":
            card = page.get_by_role("listitem", name=f"{letter} {name}")
            expect(card.locator(".pill").first).to_contain_text(re.compile("done|failed"))
            card.locator("summary", has_text="failed").click()
            expect(card.locator(".reasons")).to_be_visible()
        canary.asked[:] = [line for line in canary.asked if "onerror" not in line]  # the crawl's own requests


def test_answers_opened_as_pages(browser: "Browser", service: str, client: httpx2.Client, canary: Canary) -> None:
    """A person opens an address of the API: the answer is shown, and nothing in it runs."""
    stored = {"html": attacking_page(canary.address, 5), "url": "https://evil.example/5"}
    id = client.post("/v1/documents", json=stored).raise_for_status().json()["id"]
    label = {**stored, "keep": [True] * len(client.post("/v1/explain", json=stored).json()["blocks"])}
    client.post("/v1/labels", json=label | {"note": payloads(canary.address)[0]}).raise_for_status()
    canary.asked.clear()
    paths = (f"/r/{canary.address}/attack", f"/v1/documents/{id}", "/v1/documents?q=tea", f"/v1/documents/{id}/diff",
             "/v1/labels", "/v1/sites", "/v1/jobs", "/openapi.json", "/v1/<script>alert(1)</script>")  # fmt: skip
    for accept in ("text/html", "application/xml", "application/tei+xml", "text/markdown", "image/svg+xml, */*"):
        context = browser.new_context(extra_http_headers={"Accept": accept})
        try:
            opened = context.new_page()
            opened.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
            for path in paths if accept == "text/html" else paths[:1]:
                answer = opened.goto(service + path)
                assert answer is not None and answer.status < 500
                assert "sandbox" in answer.headers["content-security-policy"], path
                assert answer.headers["x-content-type-options"] == "nosniff"
                opened.wait_for_timeout(50)
                assert opened.url == answer.url and opened.evaluate("window.__ran ?? null") is None
        finally:
            context.close()
    assert not canary.asked, canary.asked


def test_answers_to_posts_are_sandboxed(client: httpx2.Client, canary: Canary) -> None:
    page = {"html": attacking_page(canary.address)}
    for format in ("text", "markdown", "html", "json", "xml", "tei", "explain"):
        answer = client.post("/v1/extract", json=page | {"format": format})
        assert answer.status_code == 200, answer.text
        assert "sandbox" in answer.headers["content-security-policy"]
        assert "script-src" not in answer.headers["content-security-policy"]
        if format in ("html", "explain"):
            assert "<script" not in answer.text.lower().replace("&lt;script", "")
    for path in ("/v1/explain", "/v1/documents", "/v1/extract"):
        answer = client.post(path, json={"html": 1, payloads(canary.address)[1]: 2})
        assert answer.status_code == 422 and "sandbox" in answer.headers["content-security-policy"]


ATTEMPTS = """async (service) => {
  const outcomes = [];
  const page = JSON.stringify({ html: "<p>" + "forged ".repeat(50), url: "https://forged.example/" });
  const ask = async (path, options) => {
    try { outcomes.push([path, (await fetch(service + path, options)).type]); }
    catch { outcomes.push([path, "blocked"]); }
  };
  for (const mode of ["no-cors", "cors"]) {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json"]) {
      for (const path of ["/v1/documents", "/v1/jobs", "/v1/labels", "/v1/extract", "/login", "/logout"]) {
        const headers = { "Content-Type": type };
        await ask(path, { method: "POST", mode, body: page, headers, credentials: "include" });
      }
    }
    for (const path of ["/v1/documents", "/v1/stats", "/v1/documents/1", "/openapi.json"]) {
      await ask(path, { mode, credentials: "include" });
    }
    await ask("/v1/documents/1", { method: "DELETE", mode: "cors" });
  }
  navigator.sendBeacon(service + "/v1/documents", page);
  return outcomes;
}"""
FORMS = """(service) => {
  const frame = document.body.appendChild(Object.assign(document.createElement("iframe"), { name: "sink" }));
  const types = { "/v1/documents": "text/plain", "/v1/jobs": "text/plain", "/v1/extract": "multipart/form-data" };
  for (const [path, type] of Object.entries(types)) {
    const form = document.body.appendChild(document.createElement("form"));
    Object.assign(form, { method: "post", action: service + path, enctype: type, target: "sink" });
    const field = form.appendChild(document.createElement("input"));
    field.name = '{"html":"<p>forged</p>","url":"https://forged.example/';
    field.value = '"}';
    form.submit();
  }
}"""


@pytest.mark.parametrize("place", ["address", "by_name"])  # the same site on another port, and another site
def test_pages_of_other_origins_change_and_read_nothing(
    browser: "Browser", service: str, client: httpx2.Client, canary: Canary, place: str
) -> None:
    canary.pages["/elsewhere"] = b"<!doctype html><title>elsewhere</title><body>"
    before = client.get("/v1/documents").json()["total"], client.get("/v1/jobs").json()["total"]
    context = browser.new_context()
    try:
        page = context.new_page()
        page.goto(f"{getattr(canary, place)}/elsewhere")
        outcomes = page.evaluate(ATTEMPTS, service)
        page.evaluate(FORMS, service)
        page.wait_for_timeout(300)
        framed = page.evaluate("""(service) => new Promise((done) => {
            const frame = document.body.appendChild(document.createElement("iframe"));
            frame.onload = () => done(frame.contentDocument?.body?.innerText ?? "closed");
            frame.src = service + "/"; })""", service)  # fmt: skip
        opened = page.evaluate(
            "(service) => { const other = window.open(service + '/'); return typeof other; }", service
        )
    finally:
        context.close()
    assert {kind for _, kind in outcomes} <= {"opaque", "blocked"}, outcomes
    assert framed in ("closed", "") and opened == "object"
    assert (client.get("/v1/documents").json()["total"], client.get("/v1/jobs").json()["total"]) == before
    assert client.get("/v1/documents", params={"q": "forged"}).json()["total"] == 0
