"""The tabs XTractor and Logical of the Extract screen, driven in Chromium: linked panes, keys, long pages."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from tests.serve.page.watched import NARROW, TIMEOUT, Watched, accessible, screenshot

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

expect = sync_api.expect
expect.set_options(timeout=TIMEOUT)

FIGURE_4 = "<div>one<h3>two</h3><div>three</div><div>four</div><h3>five</h3><h3>six</h3></div>"
"""The worked example of the XPath paper: groups of 1, 1, 2 and 2 text nodes; the longest is "three", "four"."""
ARTICLE = """<ul><li><a href=/>Home</a><li><a href=/tea>Tea shop</a></ul><div id=text>
<p>Tea is made of leaves and hot water; the leaves stand in the water for some minutes.</p>
<p>The leaves of green tea are tender, and hot water makes the tea bitter.</p>
<p>Water from the tap is good enough for black tea.</p></div><div class=end><p>All rights reserved.</p></div>"""


@pytest.fixture
def page(screen: Watched) -> Iterator["Page"]:
    """The Extract screen before the first page."""
    screen.errors.clear()
    screen.expected.clear()
    yield screen.open("/")
    screen.check()


def give(page: "Page", html: str, tab: str) -> "Locator":
    """Extract a page and open a tab; return its panel."""
    page.set_input_files("#file", {"name": "page.html", "mimeType": "text/html", "buffer": html.encode()})
    expect(page.locator("#work")).to_be_visible()
    page.locator(f"#tab-{tab}").click()
    panel = page.locator(f"#panel-{tab}")
    expect(panel.get_by_role("option").first).to_be_visible()
    return panel


def pane(panel: "Locator", name: str) -> "Locator":
    return panel.locator("section.pane").filter(has=panel.page.get_by_role("heading", name=name, exact=False))


def marked(page: "Page") -> "Locator":
    """The parts of the drawn page that the analysis marks."""
    return page.frame_locator("#frame").locator(".bm-marked")


def test_four_panes_show_the_papers_example(page: "Page") -> None:
    panel = give(page, FIGURE_4, "xtractor")
    groups = panel.get_by_role("listbox", name="Groups").get_by_role("option")
    expect(groups).to_have_count(4)
    expect(groups.first).to_have_text(re.compile(r"Longest group: the main text.*html/body/div/div.*× 2.*9"))
    expect(groups.first).to_have_attribute("aria-selected", "true")
    expect(panel.get_by_role("listbox", name="Text nodes").get_by_role("option")).to_have_count(6)
    expect(pane(panel, "Path")).to_contain_text("html/body/div/div")
    expect(pane(panel, "Path")).to_contain_text("9 characters · 41%")
    expect(panel.get_by_role("region", name="Text", exact=True).last.locator("p")).to_have_text(["three", "four"])
    expect(marked(page)).to_have_text(["three", "four"])
    accessible(page)


def test_another_group_is_shown_in_all_panes_and_on_the_page(page: "Page") -> None:
    panel = give(page, FIGURE_4, "xtractor")
    panel.get_by_role("button", name="Place").click()
    groups = panel.get_by_role("listbox", name="Groups").get_by_role("option")
    expect(groups.last).to_contain_text("html/body/div/h3")
    groups.last.click()
    expect(panel.locator(".nodes .option.lit .node-text")).to_have_text(["five", "six"])
    expect(pane(panel, "Path")).to_contain_text("2 characters shorter than the longest")
    expect(panel.locator(".pane-4 p")).to_have_text(["five", "six"])
    expect(marked(page)).to_have_text(["five", "six"])
    panel.get_by_role("button", name="Back to the longest").click()
    expect(panel.locator(".pane-4 p")).to_have_text(["three", "four"])
    page.locator("#tab-read").click()
    expect(marked(page)).to_have_count(0)
    page.locator("#tab-xtractor").click()
    expect(marked(page)).to_have_text(["three", "four"])


def test_keys_choose_and_the_page_points_back(page: "Page") -> None:
    panel = give(page, FIGURE_4, "xtractor")
    groups = panel.get_by_role("listbox", name="Groups")
    groups.focus()
    page.keyboard.press("End")
    expect(groups.get_by_role("option").last).to_have_attribute("aria-selected", "true")
    expect(panel.locator(".pane-4 p")).to_have_text(["two"])
    page.keyboard.press("ArrowUp")
    expect(panel.locator(".pane-4 p")).to_have_text(["one"])
    panel.locator(".nodes .option").nth(4).click()
    expect(panel.locator(".pane-4 p")).to_have_text(["five", "six"])
    expect(page.frame_locator("#frame").locator(".bm-lit")).to_have_text(["five"])
    page.frame_locator("#frame").get_by_text("three").hover()
    expect(panel.locator(".nodes .option[aria-selected=true] .node-text")).to_have_text("three")


def test_a_page_of_20000_text_nodes_is_shown_in_windows(page: "Page") -> None:
    words = "word<!-- a comment ends a text node -->" * 100
    panel = give(page, f"<p>{words}</p>" * 210, "xtractor")
    nodes = panel.get_by_role("listbox", name="Text nodes")
    expect(panel.locator(".windows")).to_contain_text("1–20,000 of 21,000")
    assert panel.get_by_role("option").count() < 600
    nodes.focus()
    page.keyboard.press("End")
    expect(nodes.locator("[aria-selected=true]")).to_have_attribute("aria-posinset", "20000")
    expect(nodes.locator("[aria-selected=true]")).to_be_in_viewport()
    assert panel.get_by_role("option").count() < 900
    panel.get_by_role("button", name="Next").click()
    expect(panel.locator(".windows")).to_contain_text("20,001–21,000 of 21,000")


def test_the_logical_lists_are_linked(page: "Page") -> None:
    panel = give(page, ARTICLE, "logical")
    lengths = panel.get_by_role("listbox", name="By length").get_by_role("option")
    expect(lengths).to_have_count(4)
    expect(lengths.first).to_have_text(re.compile(r"1.*Candidate.*Tea is made of leaves"))
    panel.get_by_role("listbox", name="By keyword weight").get_by_role("option", name=re.compile("green tea")).click()
    leaf = pane(panel, "Weight of the chosen block")
    expect(leaf).to_contain_text(re.compile(r"Weight = .*tea 2 × 4.*water 1 × 4.* = \d+"))
    expect(leaf).to_contain_text("/html/body/div[1]/p[2]")
    expect(marked(page)).to_contain_text(["The leaves of green tea"])
    panel.get_by_role("listbox", name="Keywords").get_by_role("option", name=re.compile("water")).click()
    expect(panel.locator(".pane-1 .option.lit")).to_have_count(3)
    expect(marked(page)).to_have_count(3)
    panel.get_by_role("button", name="Steps").click()
    expect(panel.get_by_role("region", name="Region").last).to_contain_text("Chosen, weight")
    panel.get_by_role("button", name="Show on the page").click()
    expect(marked(page)).to_have_count(3)
    accessible(page)


def test_a_page_without_text_says_so(page: "Page") -> None:
    page.set_input_files("#file", {"name": "page.html", "mimeType": "text/html", "buffer": b"<ul><li>Only a list</ul>"})
    expect(page.locator("#work")).to_be_visible()
    page.locator("#tab-logical").click()
    expect(page.locator("#panel-logical")).to_contain_text("Without lists, links and emphasis no text is left")


@pytest.mark.parametrize("tab", ["xtractor", "logical"])
def test_panes_are_stacked_in_a_narrow_window(open_screen: Callable[..., Watched], tab: str) -> None:
    page = open_screen(viewport=NARROW, locale="ko-KR", color_scheme="dark").open("/")
    panel = give(page, ARTICLE, tab)
    boxes = [one.bounding_box() for one in panel.locator("section.pane").all()]
    assert all(one and two and two["y"] >= one["y"] + one["height"] for one, two in pairwise(boxes))
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    accessible(page)
    screenshot(page, f"{tab}-narrow-dark-ko")


@pytest.mark.parametrize("tab", ["xtractor", "logical"])
def test_the_sample_in_wide_windows(open_screen: Callable[..., Watched], tab: str) -> None:
    page = open_screen(color_scheme="light").open("/")
    page.locator('[data-sample*="samples/en"]').click()
    expect(page.locator("#work")).to_be_visible()
    page.locator(f"#tab-{tab}").click()
    expect(page.locator(f"#panel-{tab}").get_by_role("option").first).to_be_visible()
    screenshot(page, tab)
    page.emulate_media(color_scheme="dark")
    accessible(page)
    screenshot(page, f"{tab}-dark")
