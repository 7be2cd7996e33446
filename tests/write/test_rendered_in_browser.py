"""The screenshot with its verdicts, in a real browser: notes by pointer and keys, links, switches; nothing else."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bonmun
from tests.browser import chromium
from tests.serve.page.malicious import SENTENCE, Canary, attacking_page, canary_server

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

expect = sync_api.expect


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def canary() -> Iterator[Canary]:
    with canary_server() as server:
        yield server


@pytest.fixture(scope="module")
def file(canary: Canary, browser: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An attacking page, rendered and explained; its style, which hides all of it, is taken for an element."""
    html = attacking_page(canary.address).replace("<style", "<x-style")
    page = bonmun.render(html, settings=bonmun.RenderSettings(screenshot=True, seconds=120))  # on a busy machine
    path = tmp_path_factory.mktemp("rendered") / "rendered.html"
    path.write_text(bonmun.extract(page).explain_rendered(), encoding="utf-8")
    return path


@pytest.fixture
def page(browser: "Browser", canary: Canary, file: Path) -> Iterator["Page"]:
    """The file, opened; in the end nothing may have run, been asked for or navigated."""
    context = browser.new_context(viewport={"width": 1200, "height": 800}, color_scheme="light")
    opened, errors = context.new_page(), list[str]()
    opened.on("console", lambda said: errors.append(said.text))
    opened.on("dialog", lambda dialog: (errors.append(dialog.message), dialog.dismiss()))
    opened.on("popup", lambda popup: errors.append(popup.url))
    opened.goto(file.as_uri())
    yield opened
    assert opened.url.split("#")[0] == file.as_uri()
    assert opened.evaluate("window.__ran ?? null") is None
    assert not canary.asked and not errors
    context.close()


def test_the_picture_is_that_of_the_page(page: "Page") -> None:
    assert page.locator(".bm-shot > img").evaluate("one => one.complete && one.naturalWidth") == 1366
    kept = page.locator(".bm-box.bm-keep", has_text=SENTENCE).first
    inner, outer = kept.bounding_box(), page.locator(".bm-shot").bounding_box()
    assert inner and outer and outer["x"] <= inner["x"] and inner["y"] + inner["height"] <= outer["y"] + outer["height"]


def test_pointer_and_focus_show_the_note_of_a_box(page: "Page") -> None:
    boxes = page.locator(".bm-box:visible")
    boxes.nth(1).focus()
    expect(page.locator(".bm-note:visible")).to_have_count(1)
    expect(boxes.nth(1).locator(".bm-note")).to_be_visible()
    hovered = page.locator(".bm-box.bm-keep", has_text=SENTENCE).first
    hovered.hover(force=True, position={"x": 3, "y": 3})
    expect(hovered.locator(".bm-note")).to_be_visible()
    expect(page.locator(".bm-note:visible")).to_have_count(1)
    expect(hovered.locator(".bm-note")).to_contain_text("/html/body")


def test_entries_and_boxes_lead_to_each_other(page: "Page") -> None:
    entry = page.locator(".bm-list > a").last
    number = (entry.get_attribute("id") or "")[1:]
    entry.click()
    expect(page.locator(f"#b{number}")).to_be_in_viewport()
    expect(page.locator(f"#b{number} > .bm-note")).to_be_visible()
    page.locator("#b0").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#r0")).to_be_in_viewport()
    expect(page.locator("#r0 > code")).to_be_visible()


def test_a_switch_shows_kept_or_dropped_blocks_alone(page: "Page") -> None:
    page.get_by_role("radio", name="kept").check()
    assert page.locator(".bm-box.bm-keep:visible").count() > 0
    expect(page.locator(".bm-drop:is(.bm-box, .bm-list > *):visible")).to_have_count(0)
    page.get_by_role("radio", name="dropped").check()
    assert page.locator(".bm-box.bm-drop:visible").count() > 0
    expect(page.locator(".bm-keep:is(.bm-box, .bm-list > *):visible")).to_have_count(0)


def test_it_is_accessible_and_fits_a_phone(page: "Page") -> None:
    from tests.serve.page.watched import accessible

    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    accessible(page)
    page.emulate_media(color_scheme="dark")
    accessible(page)
