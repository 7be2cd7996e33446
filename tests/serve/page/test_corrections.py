"""Corrections on the Extract screen: by mouse and by key, undone, saved as a labelled page; and pages that attack."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.serve.page.extract_screen import block_of, drawn, give, mark, read
from tests.serve.page.page_server import ENGLISH
from tests.serve.page.watched import NARROW, TIMEOUT, Watched, accessible, screenshot

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
if TYPE_CHECKING:
    from playwright.sync_api import Page

expect = sync_api.expect
expect.set_options(timeout=TIMEOUT)
HOSTILE = Path(__file__).with_name("hostile.html").read_text("utf-8")


@pytest.fixture
def page(screen: Watched) -> Iterator["Page"]:
    screen.errors.clear()
    yield screen.open("/")
    screen.check()


def test_a_click_corrects_and_can_be_undone(page: "Page") -> None:
    give(page, ENGLISH)
    bar = page.locator("#corrections")
    expect(bar).to_be_hidden()
    mark(page, "Old ferry harbour").click()
    expect(mark(page, "Old ferry harbour")).to_have_class(re.compile("bm-keep bm-flipped"))
    expect(page.locator(".reading h1")).to_contain_text("Old ferry harbour")
    expect(page.locator(".reading-title")).to_have_count(0)  # the text has the title now
    expect(bar).to_contain_text("1 correction.")
    expect(page.locator("#inspector")).to_contain_text("corrected")
    screenshot(page, "extract-corrections")
    mark(page, "News").click()
    mark(page, "Weather").click(modifiers=["Shift"])
    expect(bar).to_contain_text("5 corrections.")
    for name in ("News", "Sport", "Culture", "Weather"):
        expect(mark(page, name)).to_have_class(re.compile("bm-flipped"))
    accessible(page)
    page.keyboard.press("u")
    expect(bar).to_contain_text("2 corrections.")
    bar.get_by_role("button", name="Discard").click()
    expect(bar).to_be_hidden()
    expect(mark(page, "News")).to_have_class("bm-drop")


def test_a_finger_looks_first_and_corrects_with_the_second_tap(open_screen: Callable[..., Watched]) -> None:
    page = open_screen(viewport=NARROW, has_touch=True).open("/")
    page.locator("[data-sample]").first.tap()
    page.locator("[data-show=page]").tap()
    mark(page, "Summer sale").tap()
    expect(page.locator("#inspector")).to_contain_text("dropped")
    expect(page.locator("#corrections")).to_be_hidden()
    mark(page, "Summer sale").tap()
    expect(page.locator("#corrections")).to_contain_text("1 correction.")


def test_corrections_by_key(page: "Page") -> None:
    give(page, ENGLISH)
    first = block_of(page, "Eleven years")
    page.locator("#strip").focus()
    for _ in range(2):
        page.keyboard.press("n")  # the second kept block
    page.keyboard.press("k")
    expect(page.locator("#inspector")).to_contain_text(f"block {first + 1}")
    page.keyboard.press("x")
    expect(mark(page, "Eleven years")).to_have_class(re.compile("bm-drop"))
    expect(read(page, "Eleven years")).to_have_count(0)
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("X")
    expect(page.locator("#corrections")).to_contain_text("3 corrections.")
    page.keyboard.press("5")
    page.get_by_role("button", name="Corrected").click()
    expect(page.locator(".why-table tbody tr")).to_have_count(3)
    page.get_by_role("button", name=re.compile(f"Block {first + 1} is dropped")).click()
    expect(page.locator(".why-table tbody tr")).to_have_count(2)
    page.keyboard.press("u")
    expect(page.locator(".why-table tbody tr")).to_have_count(3)
    page.locator("#method").select_option("density")
    expect(page).to_have_url(re.compile("density"))
    expect(mark(page, "Eleven years")).to_have_class(re.compile("bm-drop bm-flipped"))  # the reader's verdict stays


def test_corrections_are_saved_as_a_labelled_page(page: "Page") -> None:
    give(page, ENGLISH)
    mark(page, "Summer sale").click()
    bar = page.locator("#corrections")
    bar.get_by_role("button", name="Save as labelled page").click()
    expect(bar).to_contain_text("Saved with 1 correction.")
    expect(bar).to_contain_text(re.compile(r"Labelled pages: \d+; corrections: \d+"))
    screenshot(page, "extract-saved")
    mark(page, "Advertisement").click()
    expect(bar).to_contain_text("2 corrections.")
    expect(bar.get_by_role("button", name="Save as labelled page")).to_be_enabled()


def test_a_page_that_attacks_runs_nothing_and_sends_nothing(open_screen: Callable[..., Watched]) -> None:
    watched = open_screen()
    page = watched.open("/")
    give(page, HOSTILE)
    expect(read(page, "A sentence")).to_be_visible()
    for target in drawn(page).locator("[data-first]:visible").all():
        target.click()
    for tab in ("Markdown", "JSON", "XML", "Why", "Read"):
        page.get_by_role("tab", name=tab).click()
    for link in page.locator(".reading .link").all():
        link.click()
    expect(page.locator("#work")).to_be_visible()
    page.locator("#method").select_option("density")
    expect(page).to_have_url(re.compile("density"))
    assert page.evaluate("window.hacked") is None
    assert (
        page.frame_locator("#frame")
        .locator("script, a, img, svg, iframe, form, style, base, [style], [onclick]")
        .count()
        == 0
    )
    assert page.url.startswith(watched.address)
