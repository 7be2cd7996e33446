"""The Compare screen, driven in Chromium: methods in columns, differences, reasons, methods that fail, long pages."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.serve.page.watched import NARROW, TIMEOUT, Watched, accessible, screenshot

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

expect = sync_api.expect
expect.set_options(timeout=TIMEOUT)

SCREEN = "/compare?methods=auto,xpath,xpath-robust"
MENU = "".join(f"<li><a href=/{name}>{name}</a>" for name in ("News", "Sport", "Culture", "Weather"))
ARTICLE = f"""<title>Tea</title><ul>{MENU}</ul><article><h1>How tea is made</h1>
<p>Tea is made of leaves, and of water that has just boiled; the leaves have to stand in it for some minutes.</p>
<p>Green tea wants <b>cooler water</b>, because the leaves are tender and turn bitter when the water is too hot.</p>
<p>&lt;img src=x onerror=alert(1)&gt; is what the label said, and nobody in the tea house knew what it meant to say.</p>
</article><p>All rights reserved.</p>"""


@pytest.fixture
def page(screen: Watched) -> Iterator["Page"]:
    """The Compare screen before the first page, with the default methods."""
    screen.errors.clear()
    screen.expected.clear()
    yield screen.open(SCREEN)
    screen.check()


def give(page: "Page", html: str) -> None:
    page.set_input_files("#file", {"name": "page.html", "mimeType": "text/html", "buffer": html.encode()})
    expect(page.locator("#comparison")).to_be_visible()


def block(page: "Page", text: str) -> "Locator":
    return page.locator(".block", has_text=text)


def test_each_method_has_a_column_of_verdicts(page: "Page") -> None:
    give(page, ARTICLE)
    second = block(page, "Green tea")
    expect(second.locator(".cell")).to_have_count(3)
    expect(second.locator(".cell").first).to_contain_text("kept")
    expect(page.locator(".method-card")).to_have_count(3)
    expect(page.locator(".method-card").first).to_contain_text(re.compile(r"\d+ blocks\d+ characters"))
    expect(page.locator(".matrix tbody tr")).to_have_count(3)
    expect(page.locator(".matrix tbody tr").first.locator("td").nth(1)).to_have_text(re.compile(r"^\d+%$"))
    expect(block(page, "<img src=x")).to_be_visible()  # as text
    assert page.locator("#blocks img").count() == 0
    accessible(page)


def test_differences_are_stepped_through_by_key(page: "Page") -> None:
    give(page, ARTICLE)
    count = page.locator(".block.differs").count()
    assert count >= 2
    expect(page.locator("#difference-count")).to_contain_text(re.compile(rf"^{count} of \d+ blocks differ"))
    page.keyboard.press("n")
    expect(page.locator(".block.current.differs")).to_have_count(1)
    expect(page.locator("#position")).to_have_text(f"1 of {count}")
    page.keyboard.press("n")
    expect(page.locator("#position")).to_have_text(f"2 of {count}")
    page.keyboard.press("p")
    page.keyboard.press("p")
    expect(page.locator("#position")).to_have_text(f"{count} of {count}")  # around the end
    expect(page.locator("#spoken")).to_contain_text("keeps it")
    page.get_by_role("button", name="Next difference").click()
    expect(page.locator("#position")).to_have_text(f"1 of {count}")


def test_blocks_that_all_drop_are_folded_and_agreed_ones_can_be(page: "Page") -> None:
    give(page, ARTICLE)
    fold = page.get_by_role("button", name=re.compile("4 blocks dropped by all"))
    expect(fold).to_have_attribute("aria-expanded", "false")
    expect(block(page, "Weather")).to_have_count(0)
    fold.click()
    expect(block(page, "Weather")).to_be_visible()
    fold.click()
    expect(block(page, "Weather")).to_have_count(0)
    page.get_by_role("checkbox", name="Only differences").check()
    expect(page.locator(".block:not(.differs)")).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("on which all agree")).first).to_be_visible()
    page.keyboard.press("d")
    expect(page.get_by_role("checkbox", name="Only differences")).not_to_be_checked()


def test_a_click_on_a_block_shows_the_reasons_of_each_method(page: "Page") -> None:
    give(page, ARTICLE)
    block(page, "Green tea").locator(".block-text").click()
    detail = page.locator(".block-detail")
    expect(detail.locator(".why ul")).to_have_count(3)
    expect(detail.get_by_role("region", name="xpath", exact=True)).to_contain_text(
        re.compile("group html/body/article/p")
    )
    expect(detail).to_contain_text("/html/body/article[1]/p[2]")
    accessible(page)
    screenshot(page, "compare-reasons")
    page.get_by_role("button", name="Block 7: why").click()
    expect(detail).to_have_count(0)


def test_methods_are_changed_added_and_removed(page: "Page") -> None:
    give(page, ARTICLE)
    page.get_by_label("Method 3").select_option("logical")
    expect(page.locator("#bar-names span")).to_have_text(["auto", "xpath", "logical"])
    page.get_by_role("button", name="Add a method").click()
    expect(page.locator("#bar-names span")).to_have_count(4)
    expect(page.get_by_label("Method 4")).to_be_focused()
    expect(page.get_by_role("button", name="Add a method")).to_be_hidden()
    page.get_by_role("button", name="Remove auto").click()
    page.get_by_role("button", name="Remove xpath").click()
    expect(page.locator("#bar-names span")).to_have_count(2)
    expect(page.get_by_role("button", name=re.compile("^Remove "))).to_have_count(0)  # two are the fewest
    names = page.locator("#bar-names span").all_text_contents()
    page.reload()  # the address bar names the page and the methods
    expect(page.locator("#bar-names span")).to_have_text(names)


def test_the_page_goes_along_to_the_extract_screen_and_back(page: "Page") -> None:
    give(page, ARTICLE)
    screens = page.get_by_role("navigation", name="Screens")
    screens.get_by_role("link", name="Extract").click()
    expect(page.locator("#work")).to_be_visible()
    screens.get_by_role("link", name="Compare").click()
    expect(block(page, "Green tea")).to_be_visible()


def test_a_method_that_fails_has_its_problem_in_its_column(page: "Page") -> None:
    give(page, ARTICLE)
    page.get_by_label("Method 2").select_option("template")
    card = page.get_by_role("region", name="template")
    expect(card).to_contain_text("Learn the site")
    expect(card.get_by_role("link", name="Sites")).to_have_attribute("href", "/sites")
    expect(block(page, "Green tea").locator(".cell.failed")).to_have_count(1)
    expect(block(page, "Green tea").locator(".cell.keep")).to_have_count(2)
    expect(page.locator(".matrix tbody tr").nth(1)).to_contain_text("–")


def test_a_page_that_is_gone_is_asked_for_again(screen: Watched) -> None:
    screen.expected.append("410")
    page = screen.open(f"/compare?page={'0' * 32}&methods=auto,xpath")
    expect(page.get_by_role("alert")).to_be_visible()
    give(page, ARTICLE)
    expect(page.locator("#bar-names span")).to_have_text(["auto", "xpath"])
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_long_page_has_only_the_rows_near_the_window(page: "Page") -> None:
    items = "".join(f"<div><p>Paragraph {number} is <i>a text</i> of its own.</p></div>" for number in range(4000))
    give(page, ARTICLE + items)
    expect(page.locator(".block").first).to_be_visible()
    assert page.locator(".block").count() < 400
    page.keyboard.press("p")  # the last difference
    expect(page.locator(".block.current")).to_be_in_viewport()
    assert page.locator(".block").count() < 600


def test_columns_become_a_stack_in_a_narrow_window(open_screen: Callable[..., Watched]) -> None:
    page = open_screen(viewport=NARROW, locale="ko-KR", color_scheme="dark").open(SCREEN)
    accessible(page)
    give(page, ARTICLE)
    page.keyboard.press("n")
    row = page.locator(".block.current")
    expect(row.locator(".cell-name").first).to_be_visible()
    text, cell = row.locator(".block-text").bounding_box(), row.locator(".cell").first.bounding_box()
    assert text and cell and cell["y"] >= text["y"] + text["height"]
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    expect(page.locator("#difference-count")).to_contain_text("판정이 갈림")
    accessible(page)
    screenshot(page, "compare-narrow-dark-ko")


def test_the_sample_is_compared_in_dark_colours(open_screen: Callable[..., Watched]) -> None:
    page = open_screen(color_scheme="light").open(SCREEN)
    page.locator('[data-sample*="samples/en"]').click()
    expect(page.locator("#comparison")).to_be_visible()
    page.keyboard.press("n")
    screenshot(page, "compare")
    page.emulate_media(color_scheme="dark")
    accessible(page)
    screenshot(page, "compare-dark")
