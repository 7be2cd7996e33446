"""The page as a browser renders it, on the left side of the Extract screen."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bonmun.limits import Limits
from bonmun.serve.settings import ServeSettings
from tests.serve.page.extract_screen import block_of, drawn, give, read
from tests.serve.page.malicious import attacking_page, canary_server
from tests.serve.page.page_server import ENGLISH, KOREAN
from tests.serve.page.watched import NARROW, TIMEOUT, Watched, accessible, running, screenshot, watched

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

expect = sync_api.expect
expect.set_options(timeout=TIMEOUT)
RENDERING = 120_000
"""Milliseconds for the first page, with the start of a browser on a busy machine."""
STYLED = ENGLISH.replace(
    "</head>",
    "<style>body { max-width: 60rem; margin: 0 auto; padding: 1rem 2rem; font: 18px/1.6 sans-serif }"
    " nav ul { display: flex; gap: 1rem; padding: 0; list-style: none } aside { float: right; width: 14rem }"
    "</style></head>",
)


@pytest.fixture
def page(screen: Watched) -> Iterator["Page"]:
    """The Extract screen before the first page."""
    screen.errors.clear()
    screen.expected.clear()
    yield screen.open("/")
    screen.check()


def render(page: "Page", name: str = "Rendered") -> None:
    """Show the page as a browser renders it, and wait for the picture."""
    page.get_by_role("button", name=name, exact=True).click()
    expect(page.locator(".shot > img")).to_be_visible(timeout=RENDERING)


def box(page: "Page", text: str) -> "Locator":
    """The box of the block that has a text."""
    return page.locator(f'.box[data-block="{block_of(page, text)}"]')


def test_verdicts_are_drawn_over_the_screenshot_and_linked_with_the_text(page: "Page") -> None:
    give(page, STYLED)
    render(page)
    kept, dropped = box(page, "Eleven years after"), box(page, "Summer sale")
    expect(kept).to_have_class("box keep")
    expect(dropped).to_have_class("box")
    assert _is_on_the_picture(page, kept) and _is_on_the_picture(page, dropped)
    screenshot(page, "extract-rendered")
    kept.hover()
    expect(read(page, "Eleven years after")).to_have_class("lit")
    expect(page.locator("#inspector")).to_contain_text("kept")
    read(page, "A sauna on the former").click()
    lit = box(page, "A sauna on the former")
    expect(lit).to_have_class(re.compile("lit"))
    expect(lit).to_be_in_viewport()
    assert page.locator(".strip-sure").get_attribute("d")
    page.get_by_label("Actual size").check()
    width = page.locator(".shot > img").evaluate("picture => picture.naturalWidth")
    expect(page.locator(".shot")).to_have_css("width", f"{width}px")
    accessible(page)


def _is_on_the_picture(page: "Page", one: "Locator") -> bool:
    """Whether the middle of a box is inside the picture."""
    inner, outer = one.bounding_box(), page.locator(".shot > img").bounding_box()
    assert inner and outer
    across, down = inner["x"] + inner["width"] / 2 - outer["x"], inner["y"] + inner["height"] / 2 - outer["y"]
    return 0 < across < outer["width"] and 0 < down < outer["height"]


def test_keys_step_from_box_to_box_and_a_click_corrects_a_verdict(page: "Page") -> None:
    give(page, STYLED)
    page.locator("#panel-read").focus()
    page.keyboard.press("v")
    expect(page.locator(".shot > img")).to_be_visible(timeout=RENDERING)
    for _ in range(3):
        page.keyboard.press("n")
    expect(page.locator(".box.lit.keep")).to_be_in_viewport()
    expect(page.locator("#spoken")).to_contain_text("kept")
    box(page, "Summer sale").click()
    expect(box(page, "Summer sale")).to_have_class(re.compile("keep.* flipped"))
    expect(read(page, "Summer sale")).to_be_visible()
    expect(page.locator("#corrections")).to_contain_text("1 correction")
    page.keyboard.press("u")
    expect(box(page, "Summer sale")).to_have_class(re.compile("^box( lit)?$"))
    page.keyboard.press("v")
    expect(page.locator("#frame")).to_be_visible()
    expect(page.locator("#rendered")).to_be_hidden()


def test_another_method_keeps_the_picture_and_another_page_has_its_own(page: "Page") -> None:
    rendered: list[bool] = []
    page.on("request", lambda request: request.url.endswith("/v1/explain")
            and rendered.append(bool((request.post_data_json or {}).get("rendered"))))  # fmt: skip
    give(page, STYLED)
    render(page)
    with page.expect_response("**/v1/explain"):
        page.locator("#method").select_option("xpath")
    expect(page.locator("#summary")).to_contain_text("blocks kept")
    assert rendered == [False, True, False]
    page.locator("#given-remove").click()
    page.locator("#source").fill("<p>Only this sentence is on the page, and it is short.</p><p hidden>Not to be seen.")
    page.keyboard.press("Enter")
    expect(page.locator(".box")).to_have_count(1, timeout=RENDERING)
    assert rendered[-2:] == [False, True]
    page.locator("#rendered summary", has_text="not on the picture: 1").click()
    page.get_by_role("button", name="Not to be seen.").click()
    expect(page.locator("#inspector")).to_contain_text("hidden")


def test_elements_are_shaded_by_the_probability_that_visual_gives_them(page: "Page") -> None:
    pytest.importorskip("numpy", reason="the extra `visual` is not installed")
    give(page, STYLED)
    page.locator("#method").select_option("visual")
    expect(page.locator("#summary")).to_contain_text("blocks kept")
    render(page)
    expect(page.locator(".shot-elements")).to_be_hidden()
    page.get_by_label("Probability of elements").check(timeout=RENDERING)
    expect(page.locator(".shot-elements")).to_be_visible()
    assert page.locator(".shot-elements > i").count() > 20
    with page.expect_response("**/v1/explain", timeout=RENDERING):
        page.locator("#method").select_option("auto")
    expect(page.get_by_label("Probability of elements")).to_be_hidden()
    expect(page.locator(".shot-elements > i")).to_have_count(0)


def test_korean_on_a_phone_in_the_dark(open_screen: Callable[..., Watched]) -> None:
    page = open_screen(locale="ko-KR", viewport=NARROW, color_scheme="dark").open("/")
    page.locator("#file").set_input_files({"name": "a.html", "mimeType": "text/html", "buffer": KOREAN.encode()})
    page.locator("[data-show=page]").click()
    render(page, "렌더링")
    expect(page.locator(".box.keep").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    screenshot(page, "extract-rendered-ko-dark-390")
    accessible(page)


def test_a_service_without_chromium_says_what_to_install(
    browser: "Browser", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("BONMUN_CHROMIUM", os.fspath(broken))
    settings = ServeSettings(store=":memory:", workers=1, limits=Limits(seconds=60))
    with running(settings) as address, watched(browser, address) as one:
        one.expected.append("501")
        page = one.open("/")
        give(page, STYLED)
        page.get_by_role("button", name="Rendered", exact=True).click()
        said = page.locator("#rendered .message")
        expect(said).to_contain_text("The service cannot render pages", timeout=RENDERING)
        expect(said).to_contain_text("apt-get install chromium")
        screenshot(page, "extract-rendered-missing")
        accessible(page)
        page.get_by_role("button", name="Simplified").click()
        expect(drawn(page).locator(".bm-keep").first).to_be_visible()


def test_a_failure_can_be_tried_again(screen: Watched, page: "Page") -> None:
    screen.expected.append("422")

    def fail(route: "Route") -> None:
        if not (route.request.post_data_json or {}).get("rendered"):
            route.continue_()
            return
        body = {"type": "urn:bonmun:problem:RenderError", "title": "RenderError", "status": 422, "detail": "it hung"}
        route.fulfill(status=422, json=body)

    page.route("**/v1/explain", fail)
    give(page, STYLED)
    page.get_by_role("button", name="Rendered", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("The page was not rendered: it hung.")
    page.unroute("**/v1/explain")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".shot > img")).to_be_visible(timeout=RENDERING)


def test_a_malicious_page_becomes_a_picture(page: "Page") -> None:
    with canary_server() as canary:
        give(page, attacking_page(canary.address).replace("<style", "<x-style"))  # its style hides all of it
        render(page)
        for number in range(0, page.locator(".box").count(), 9):
            page.locator(".box").nth(number).hover(force=True)
        page.locator(".box").first.click(force=True)
        assert page.evaluate("window.__ran ?? null") is None
        assert not canary.asked
        sources = page.locator("main img").evaluate_all("all => all.map((one) => one.src.slice(0, 22))")
        assert sources == ["data:image/png;base64,"]
        assert page.locator("main script, main [onerror], #rendered a, #rendered svg, #rendered iframe").count() == 0
