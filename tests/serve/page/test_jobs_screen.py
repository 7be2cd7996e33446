"""Jobs in the browser: crawls and batches started, watched live, cancelled, resumed, retried; time against size."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from bonmun.middleware.network_settings import NetworkSettings
from bonmun.serve.jobs.settings import JobSettings
from bonmun.serve.settings import ServeSettings
from tests.middleware.local_server import answer, serving
from tests.middleware.network_server import KeepAliveServer
from tests.serve.page.archived_pages import notes
from tests.serve.page.relay import relaying
from tests.serve.page.watched import NARROW, TIMEOUT, Watched, accessible, running, screenshot, watched

expect.set_options(timeout=TIMEOUT)
PAGES = 8


class Gated:
    """A site on this machine with pages that wait until they are let through."""

    def __init__(self, server: KeepAliveServer) -> None:
        self.server = server
        self.gate = threading.Event()
        for number in range(PAGES):
            server.serve(answer(notes(number, number * 80).encode()), f"/notes/{number}")
        server.serve(answer(b"", "404 Not Found"), "/robots.txt")
        server.serve(answer(b"", "404 Not Found"), "/gone")
        for name in ("slow", "slower", "slower?again"):
            server.serve(self._wait, f"/{name}")
        self._serve_feed()

    def address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server.port}{path}"

    def _wait(self, connection: socket.socket) -> None:
        self.gate.wait(TIMEOUT / 1000)
        connection.sendall(answer(notes(PAGES + 1).encode(), Connection="close"))

    def _serve_feed(self) -> None:
        paths = [*(f"/notes/{number}" for number in range(PAGES)), "/gone", "/slow"]
        items = "".join(f"<item><link>{self.address(path)}</link></item>" for path in paths)
        self.server.serve(answer(f"<rss version='2.0'><channel>{items}</channel></rss>".encode()), "/feed.xml")


@pytest.fixture(scope="module")
def site() -> Iterator[Gated]:
    with serving(KeepAliveServer()) as server:
        gated = Gated(server)
        yield gated
        gated.gate.set()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service with a store of its own, whose crawls do not wait between two pages."""
    store = tmp_path_factory.mktemp("jobs") / "store.db"
    jobs = JobSettings(network=NetworkSettings(delay=0, retries=0), nice=0, patience=5.0)
    with running(ServeSettings(store=str(store), workers=1, allow_private=True, jobs=jobs)) as address:
        yield address


@pytest.fixture
def points(service: str) -> int:
    """The number of measured pages, some of them large."""
    with httpx2.Client(base_url=service, timeout=120) as client:
        for number in range(PAGES):
            given = {"url": f"https://notes.example.com/{number}", "html": notes(number, number * 80)}
            assert client.post("/v1/documents", json=given).status_code == 200
        return len(client.get("/v1/timings").json())


def card(page: Page, name: str) -> Locator:
    return page.get_by_role("listitem", name=name)


def count(job: Locator, stage: str) -> Locator:
    return job.locator(f".stage-{stage} dd")


def test_a_crawl_is_watched_live_and_its_failures_are_retried(screen: Watched, site: Gated) -> None:
    page = screen.open("/jobs")
    page.get_by_role("button", name="Start the crawl").click()
    expect(page.locator("#crawl").get_by_role("alert")).to_contain_text("Name at least one source")
    page.keyboard.type("files:/etc")
    page.get_by_role("button", name="Start the crawl").click()
    expect(page.locator("#crawl").get_by_role("alert")).to_contain_text("“files:/etc” is no source")
    page.get_by_label("Sources, one per line").fill(f"feed:{site.address('/feed.xml')}")
    page.get_by_label("Name (optional)").first.fill("Notes")
    page.get_by_role("button", name="Start the crawl").click()
    job = card(page, "Notes")
    expect(count(job, "stored")).to_have_text(str(PAGES), timeout=2 * TIMEOUT)  # a worker process starts first
    expect(count(job, "pending")).to_have_text("1")
    expect(job.locator(".pill").first).to_have_text("▶ running")
    accessible(page)
    screenshot(page, "jobs-running")
    site.gate.set()
    expect(job.locator(".pill").first).to_have_text("✓ done")
    expect(page.locator("#announcer")).to_have_text("Notes: done")
    job.get_by_text("1 failed page").click()
    expect(job.locator(".reasons")).to_contain_text("404")
    accessible(page)
    screenshot(page, "jobs-failures")
    site.server.serve(answer(notes(PAGES + 2).encode()), "/gone")
    job.get_by_role("button", name="Retry these").click()
    expect(count(job, "failed")).to_have_text("0")
    expect(count(job, "stored")).to_have_text(str(PAGES + 2))
    job.get_by_role("link", name="Documents").click()
    expect(page.locator("#count")).to_contain_text(f"{PAGES + 2} documents")


def test_a_crawl_is_cancelled_resumed_and_deleted(screen: Watched, site: Gated) -> None:
    site.gate.clear()
    page = screen.open("/jobs")
    page.get_by_label("Sources, one per line").fill(site.address("/slower"))
    page.get_by_text("Options").first.click()
    page.get_by_label("Pages at most").fill("5")
    page.get_by_role("button", name="Start the crawl").click()
    job = card(page, "slower")
    expect(job.locator(".pill").first).to_have_text("▶ running")
    job.get_by_role("button", name="Cancel").click()
    expect(job.locator(".pill").first).to_have_text("◼ cancelled")
    site.gate.set()
    job.get_by_role("button", name="Resume").click()
    expect(job.locator(".pill").first).to_have_text("✓ done")
    job.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(job).to_have_count(0)


def test_a_stream_of_events_that_breaks_is_opened_again(browser: Browser, service: str, site: Gated) -> None:
    site.gate.clear()
    with relaying(service) as relay, watched(browser, relay.address) as screen:
        screen.expected.append("net::ERR_")  # of the broken connection
        page = screen.open("/jobs")
        page.get_by_label("Sources, one per line").fill(site.address("/slower?again"))
        page.get_by_role("button", name="Start the crawl").click()
        job = card(page, "again")
        expect(job.locator(".pill").first).to_have_text("▶ running")
        relay.cut()
        site.gate.set()
        expect(job.locator(".pill").first).to_have_text("✓ done")


def test_a_batch_of_a_file_and_its_results(screen: Watched) -> None:
    page = screen.open("/jobs")
    lines = [json.dumps({"id": number, "html": notes(number)}) for number in range(3)]
    page.get_by_role("tab", name="Batch").click()
    page.get_by_role("button", name="Start the batch").click()
    expect(page.locator("#batch").get_by_role("alert")).to_contain_text("Choose a file first")
    content = "\n".join([*lines, "no JSON"]).encode()
    page.get_by_label("File with one page per line").set_input_files(
        {"name": "pages.jsonl", "mimeType": "application/x-ndjson", "buffer": content}
    )
    page.get_by_role("button", name="Start the batch").click()
    job = card(page, "pages.jsonl")
    expect(job.locator(".pill").first).to_have_text("✓ done")
    expect(count(job, "failed")).to_have_text("1")
    with page.expect_download() as download:
        job.get_by_role("link", name="Download results").click()
    results = [json.loads(line) for line in Path(download.value.path()).read_text("utf-8").splitlines()]
    assert [result.get("status") for result in results] == ["ok", "ok", "ok", None]


def test_time_against_size_is_plotted(screen: Watched, points: int) -> None:
    page = screen.open("/jobs")
    figure = page.locator("figure")
    expect(figure.locator(".plot-point")).to_have_count(points)
    expect(figure.locator(".plot-trend")).not_to_be_empty()
    figure.locator(".plot-area").focus()
    page.keyboard.press("End")
    expect(figure.locator(".plot-tip")).to_contain_text("Size of the page")
    page.locator("#timings").scroll_into_view_if_needed()
    accessible(page)
    screenshot(page, "jobs-plot")
    page.get_by_label("logarithmic").check()
    expect(figure.locator(".plot-point")).to_have_count(points)
    page.get_by_role("combobox", name="Step").select_option("judge")
    expect(figure.locator("figcaption")).to_contain_text("Judge")
    figure.get_by_text("Show the values as a table").click()
    expect(figure.get_by_role("row")).to_have_count(points + 1)
    accessible(page)
    screenshot(page, "jobs-plot-table")


def test_jobs_on_a_phone_in_korean_and_dark(open_screen: Callable[..., Watched], service: str, points: int) -> None:
    with httpx2.Client(base_url=service, timeout=120) as client:
        line = json.dumps({"html": notes(1)})
        headers = {"Content-Type": "application/x-ndjson"}
        assert client.post("/v1/jobs?name=One", content=line, headers=headers).status_code == 201
    page = open_screen(locale="ko-KR", viewport=NARROW, color_scheme="dark").open("/jobs")
    expect(card(page, "One")).to_contain_text("완료")
    expect(page.locator(".plot-point").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    accessible(page)
    screenshot(page, "jobs-narrow-ko-dark")
    page.locator("#timings").scroll_into_view_if_needed()
    screenshot(page, "plot-narrow-ko-dark")
