"""The Extract screen, driven in Chromium: input, both sides and their links, formats, options, errors."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.serve.page.extract_screen import block_of, drawn, give, mark, paste, read
from tests.serve.page.page_server import ENGLISH, KOREAN, PageServer, page_server
from tests.serve.page.watched import NARROW, TIMEOUT, Watched, accessible, screenshot

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

expect = sync_api.expect
expect.set_options(timeout=TIMEOUT)
FIRST_PAINT = 100_000
"""Bytes that the first paint may transfer."""
LONG = "This sentence stands in for an article: it is long enough to be kept, and it says nothing that matters."


@pytest.fixture(scope="module")
def pages() -> Iterator[PageServer]:
    with page_server() as server:
        yield server


@pytest.fixture
def page(screen: Watched) -> Iterator["Page"]:
    """The Extract screen before the first page."""
    screen.errors.clear()
    screen.expected.clear()
    yield screen.open("/")
    screen.check()


def test_a_pasted_page_is_shown_with_its_verdicts(page: "Page") -> None:
    screenshot(page, "extract-start")
    give(page, ENGLISH)
    expect(read(page, "Eleven years after")).to_be_visible()
    expect(page.locator(".reading")).not_to_contain_text("Summer sale")
    expect(page.locator(".reading-title")).to_have_text("Old ferry harbour reopens as a swimming bath")
    for fact in ("Maren Holt", "16 May 2026", "The Tidewater Post", "English", "article"):
        expect(page.locator(".facts-line")).to_contain_text(fact)
    expect(page.locator(".sure")).to_contain_text("%")
    expect(mark(page, "Eleven years after")).to_have_class("bm-keep")
    expect(mark(page, "Summer sale")).to_have_class("bm-drop")
    expect(page.locator("#summary")).to_contain_text(re.compile(r"\d+ of \d+ blocks kept"))
    expect(page.locator("#given-text")).to_contain_text(re.compile(r"Pasted HTML, [\d.]+ kB"))
    page.reload()  # the address bar names the page
    expect(read(page, "Eleven years after")).to_be_visible()
    page.locator("#given-remove").click()
    expect(page.locator("#source")).to_be_focused()


def test_pasted_text_is_recognised(page: "Page") -> None:
    page.locator("#source").fill(f"<h1>Tea</h1><p>{LONG}</p>")
    page.get_by_role("button", name="Extract").click()
    expect(read(page, "This sentence")).to_be_visible()
    page.locator("#given-remove").click()
    with page.expect_response("**/v1/explain"):
        paste(page, "plain text beside it", f"<p>{LONG} As HTML.</p>")  # copied from a page in a browser
    expect(read(page, "As HTML.")).to_be_visible()


def test_an_address_is_fetched_and_becomes_a_link(page: "Page", pages: PageServer) -> None:
    page.keyboard.press("/")
    expect(page.locator("#source")).to_be_focused()
    page.keyboard.type(f"{pages.address}/article")
    page.keyboard.press("Enter")
    expect(read(page, "Eleven years after")).to_be_visible()
    expect(page.get_by_role("tabpanel", name="Read")).to_be_focused()  # j and k are keys now, not letters
    expect(page).to_have_url(re.compile(r"/\?url=http"))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#method").select_option("density")
    expect(page).to_have_url(re.compile(r"method=density"))
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#toasts")).to_contain_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto(link)  # typed or from a bookmark
    expect(read(page, "Eleven years after")).to_be_visible()
    expect(page.locator("#method")).to_have_value("density")


def test_a_link_on_another_site_fetches_nothing(browser: "Browser", service: str, pages: PageServer) -> None:
    context = browser.new_context()
    try:
        page = context.new_page()
        page.goto(f"{pages.address}/link?{service}/?url={pages.address}/article%3Fforeign")
        page.get_by_role("link", name="go").click()
        expect(page.locator("#messages")).to_contain_text("Press Extract")
        expect(page.locator("#source")).to_have_value(f"{pages.address}/article?foreign")
        assert "/article?foreign" not in pages.asked
    finally:
        context.close()


def test_a_file_is_chosen_or_dropped(page: "Page", tmp_path: Path) -> None:
    file = tmp_path / "harbour.html"
    file.write_bytes(KOREAN.replace('charset="utf-8"', 'charset="euc-kr"').encode("cp949", "ignore"))
    page.locator("#file").set_input_files(file)
    expect(read(page, "스무 해 동안")).to_be_visible()  # in the encoding that it declares
    expect(page.locator("#given-text")).to_contain_text("harbour.html")
    dropped = page.evaluate_handle(
        "html => { const data = new DataTransfer(); data.items.add(new File([html], 'dropped.html')); return data; }",
        ENGLISH,
    )
    page.dispatch_event("body", "dragenter", {"dataTransfer": dropped})
    expect(page.locator("#drop-here")).to_be_visible()
    page.dispatch_event("body", "drop", {"dataTransfer": dropped})
    expect(read(page, "Eleven years after")).to_be_visible()
    expect(page.locator("#drop-here")).to_be_hidden()


def test_a_file_that_is_chosen_before_the_scripts_ran_is_taken(open_screen: Callable[..., Watched]) -> None:
    watched = open_screen(locale="ko-KR")
    held: list[Route] = []
    watched.page.route("**/phrases_ko.js", lambda route: held.append(route))  # scripts wait for it, the page does not
    page = watched.open("/")
    page.locator("#file").set_input_files({"name": "a.html", "mimeType": "text/html", "buffer": KOREAN.encode()})
    assert len(held) == 1
    held[0].continue_()
    expect(read(page, "스무 해 동안")).to_be_visible()


def test_errors_are_shown_in_place_and_the_input_stays(screen: Watched, page: "Page", pages: PageServer) -> None:
    screen.expected.append("Failed to load resource")
    messages, field = page.locator("#messages"), page.locator("#source")
    page.get_by_role("button", name="Extract").click()
    expect(messages).to_contain_text("Paste an address or HTML first")
    field.fill("just some words")
    field.press("Enter")
    expect(messages).to_contain_text("neither an address nor HTML")
    for path, problem in {"/missing": "404", "/picture": "image"}.items():
        field.fill(pages.address + path)
        field.press("Enter")
        expect(messages.get_by_role("alert")).to_contain_text(problem)
        expect(field).to_have_value(pages.address + path)
    screenshot(page, "extract-error")
    accessible(page)
    expect(page.locator("#start")).to_be_visible()
    asked = len(pages.asked)
    messages.get_by_role("button", name="Try again").click()
    expect(messages.get_by_role("alert")).to_contain_text("image")
    assert len(pages.asked) > asked
    page.goto(page.url.split("?")[0] + "?page=" + "0" * 32)
    expect(messages).to_contain_text("does not have this page any more")


def test_fetching_shows_its_steps_and_can_be_cancelled(page: "Page", pages: PageServer) -> None:
    field, messages = page.locator("#source"), page.locator("#messages")
    field.fill(f"{pages.address}/slow")
    field.press("Enter")
    expect(messages).to_contain_text("Fetching from 127.0.0.1")
    screenshot(page, "extract-fetching")
    field.press("Escape")
    expect(messages).to_contain_text("Cancelled")
    field.press("Enter")
    messages.get_by_role("button", name="Cancel").click()
    expect(messages).to_contain_text("Cancelled")
    expect(field).to_have_value(f"{pages.address}/slow")
    pages.goes_on.set()
    field.press("Enter")
    expect(read(page, "Eleven years after")).to_be_visible()


def test_both_sides_are_linked(page: "Page") -> None:
    give(page, ENGLISH)
    inspector = page.locator("#inspector")
    mark(page, "A sauna on").hover()
    expect(read(page, "A sauna on")).to_have_class(re.compile("lit"))
    expect(read(page, "A sauna on")).to_be_in_viewport()
    expect(inspector).to_contain_text("kept")
    expect(inspector).to_contain_text("/html/body/main[1]/article[1]/div[1]/p[")
    expect(inspector.locator(".reason").first).to_contain_text("like main text")
    read(page, "Eleven years after").hover()
    expect(mark(page, "Eleven years after")).to_have_class(re.compile("bm-lit"))
    expect(mark(page, "Eleven years after")).to_be_in_viewport()
    expect(mark(page, "A sauna on")).not_to_have_class(re.compile("bm-lit"))
    screenshot(page, "extract")
    page.keyboard.press("j")
    expect(drawn(page).locator(".bm-lit")).to_contain_text("Swimmers on the harbour steps")
    page.keyboard.press("k")
    expect(page.locator("#spoken")).to_contain_text("Block 11 of")
    expect(page.get_by_title("https://tidewater.example")).to_have_count(0)  # no address: the page was pasted


def test_the_strip_leads_to_a_place(page: "Page") -> None:
    give(page, f"<title>Many</title>{''.join(f'<p>{LONG} Number {at}.</p>' for at in range(200))}")
    strip = page.locator("#strip")
    box = strip.bounding_box()
    assert box is not None
    strip.click(position={"x": 5, "y": box["height"] * 0.6})
    lit = drawn(page).locator(".bm-lit").first
    expect(lit).to_be_in_viewport()
    place = int(lit.get_attribute("data-block") or 0)
    assert 100 < place < 180
    expect(page.locator(".reading .lit")).to_be_in_viewport()
    strip.press("ArrowDown")
    expect(strip).to_have_attribute("aria-valuenow", str(place + 2))
    strip.press("Home")
    expect(strip).to_have_attribute("aria-valuetext", re.compile("Block 1 of 200, kept"))
    expect(drawn(page).locator("[data-block='0']")).to_be_in_viewport()
    expect(read(page, "Number 0.")).to_be_in_viewport()


def test_method_and_preference_recompute_in_place(page: "Page") -> None:
    give(page, ENGLISH)
    mark(page, "A sauna on").hover()
    top = f"""document.querySelector("#frame").contentDocument
        .querySelector("[data-block='{block_of(page, "A sauna")}']").getBoundingClientRect().top"""
    before = page.evaluate(top)
    slider, kept = page.get_by_role("slider", name="Preference"), drawn(page).locator(".bm-keep[data-first]")
    balanced = kept.count()
    with page.expect_response(lambda one: json.loads(one.request.post_data or "{}").get("prefer") == 4):
        slider.press("End")
    expect(page.locator("#prefer-note")).to_have_text("recall ×4")
    expect(page).to_have_url(re.compile("prefer=4"))
    assert kept.count() > balanced
    assert abs(page.evaluate(top) - before) < 3
    page.keyboard.press("[")
    expect(page.locator("#prefer-note")).to_contain_text("recall ×3.36")
    page.locator("#method").select_option("xpath")
    expect(slider).to_be_disabled()
    expect(page.locator("#prefer-note")).to_have_text("xpath has no such setting")
    mark(page, "Eleven years after").hover()
    expect(page.locator("#inspector")).to_contain_text("longest group")
    accessible(page)


def test_formats_follow_the_output_switches(page: "Page", service: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    give(page, ENGLISH)
    page.get_by_role("tab", name="Read").press("ArrowRight")
    expect(page.get_by_role("tab", name="Markdown")).to_be_focused()
    code = page.locator("#panel-markdown code")
    expect(code).to_contain_text("## What is open now")
    page.get_by_text("Output", exact=True).click()
    screenshot(page, "extract-output")
    page.get_by_label("Front matter").check()
    expect(code).to_contain_text("author: Maren Holt")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator("#toasts")).to_contain_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == code.text_content()
    page.keyboard.press("3")
    expect(page.locator("#panel-json code")).to_contain_text('"format": "bonmun/document"')
    page.keyboard.press("4")
    expect(page.locator("#panel-xml code")).to_contain_text("<?xml")
    page.locator("summary", has_text="Save").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Text", exact=True).click()
    assert download.value.suggested_filename == "Old ferry harbour reopens as a swimming bath.txt"
    assert download.value.path().read_text("utf-8").startswith("Eleven years after")


def test_the_table_of_reasons_can_be_filtered_and_searched(page: "Page") -> None:
    give(page, ENGLISH)
    page.get_by_role("tab", name="Why").click()
    rows = page.locator(".why-table tbody tr")
    expect(page.locator(".plot-profile")).to_be_visible()
    all_rows = rows.count()
    page.get_by_role("button", name="Kept", exact=True).click()
    expect(rows.first).to_contain_text("Eleven years after")
    assert rows.count() < all_rows
    page.get_by_label("Kind").select_option("item")
    expect(rows).to_have_count(3)
    page.get_by_label("Kind").select_option("")
    page.get_by_role("button", name="All", exact=True).click()
    page.get_by_label("Search text").fill("(<nav>)")
    expect(rows).to_have_count(5)
    screenshot(page, "extract-why")
    accessible(page)
    rows.nth(1).hover()
    expect(mark(page, "Sport")).to_have_class(re.compile("bm-lit"))
    page.get_by_label("Search text").fill("no such words")
    expect(page.locator("#panel-why")).to_contain_text("No block matches")


def test_twenty_thousand_blocks_do_not_freeze_the_page(page: "Page") -> None:
    give(page, "<title>Long</title>" + "".join(f"<h3>{at}</h3><p>{LONG} {at}" for at in range(10_000)))
    page.get_by_role("tab", name="Why").click()
    expect(page.locator(".pager")).to_contain_text("1–100 of 20,000")
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page.locator(".pager")).to_contain_text("101–200 of 20,000")
    page.get_by_label("Search text").fill("matters. 9999")
    expect(page.locator(".why-table tbody tr")).to_have_count(1)
    assert page.locator("*").count() < 3000


def test_both_analyses_have_a_tab(page: "Page") -> None:
    give(page, ENGLISH)
    for name in ("XTractor", "Logical"):
        page.get_by_role("tab", name=name).click()
        panel = page.get_by_role("tabpanel", name=name)
        expect(panel).not_to_be_empty()
        expect(panel.get_by_role("alert")).to_have_count(0)
        expect(drawn(page).locator(".bm-marked")).not_to_have_count(0)
    page.get_by_role("tab", name="Read").click()
    expect(drawn(page).locator(".bm-marked")).to_have_count(0)


def test_the_first_paint_is_small(open_screen: Callable[..., Watched]) -> None:
    watched = open_screen()
    sizes: list[int] = []

    def count(request: "sync_api.Request") -> None:
        size = request.sizes()
        sizes.append(size["responseBodySize"] + size["responseHeadersSize"])

    watched.page.on("requestfinished", count)
    page = watched.open("/")
    expect(page.locator("#method option")).not_to_have_count(0)
    assert len(sizes) > 10 and sum(sizes) < FIRST_PAINT, f"{len(sizes)} requests, {sum(sizes):,} bytes"


def test_the_language_changes_in_place(open_screen: Callable[..., Watched]) -> None:
    page = open_screen().open("/")
    page.locator("[data-sample]").first.click()
    expect(read(page, "Eleven")).to_be_visible()
    expect(page.get_by_role("tabpanel", name="Read")).to_be_focused()
    with page.expect_navigation():
        page.get_by_role("link", name="KO").click()
    expect(read(page, "Eleven")).to_be_visible()
    page.keyboard.press("n")
    expect(page.locator("#inspector")).to_contain_text("유지")
    expect(page.locator(".reason").first).to_contain_text("본문 같음")
    expect(page.locator(".reason").first).not_to_contain_text(re.compile("[A-Za-z]{3}"))  # reasons too are Korean


@pytest.mark.parametrize(
    ("language", "scheme", "width"),
    [("en-GB", "dark", 1440), ("ko-KR", "light", 1440), ("ko-KR", "dark", 390), ("en-GB", "light", 390)],
)
def test_every_look_is_accessible(open_screen: Callable[..., Watched], language: str, scheme: str, width: int) -> None:
    viewport = NARROW if width == NARROW["width"] else {"width": 1440, "height": 900}
    page = open_screen(locale=language, color_scheme=scheme, viewport=viewport).open("/")
    name = f"{language[:2]}-{scheme}-{width}"
    accessible(page)
    screenshot(page, f"extract-start-{name}")
    page.locator("[data-sample]").nth(int(language == "ko-KR")).click()
    first = read(page, "스무 해" if language == "ko-KR" else "Eleven")
    expect(first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    if width == NARROW["width"]:
        expect(page.locator("#frame")).to_be_hidden()
        page.locator("[data-show=page]").click()
        expect(page.locator("#frame")).to_be_visible()
        expect(first).to_be_hidden()
        screenshot(page, f"extract-page-{name}")
        page.locator("[data-show=result]").click()
    page.keyboard.press("n")
    accessible(page)
    screenshot(page, f"extract-{name}")
    page.locator("#tab-why").click()
    expect(page.locator(".why-table")).to_be_visible()
    accessible(page)
    screenshot(page, f"extract-why-{name}")
