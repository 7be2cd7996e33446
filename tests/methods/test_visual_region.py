"""From probabilities of blocks to the few elements that cover the main content."""

import pytest

import bonmun
from bonmun.methods.visual.region import Region, RegionSettings, find_region
from bonmun.model.page import Page

NO_CONTEXT = RegionSettings(relative=0.0, contrast=1.0, blend=0.0, cost=0.001)
TEA = "Tea is made of leaves, and of water that has just boiled."


def region(page: Page, probability: list[float], beta: float = 1.0, settings: RegionSettings = NO_CONTEXT) -> Region:
    return find_region(page, list(page.blocks.chars), probability, beta, settings)


def chosen(page: Page, found: Region) -> list[str]:
    return [page.nodes.xpath(row) for row in found.chosen]


@pytest.fixture
def page() -> Page:
    """A menu, an article of four paragraphs, and a footer."""
    paragraphs = f"<p>{TEA}</p>" * 4
    return bonmun.read_page(f"<ul><li>Home<li>Tea</ul><main><div>{paragraphs}</div></main><p>All rights reserved</p>")


def test_the_smallest_element_around_all_probable_blocks_is_chosen(page: Page) -> None:
    assert chosen(page, region(page, [0.1, 0.1, 0.9, 0.9, 0.9, 0.9, 0.1])) == ["/html/body/main[1]/div[1]"]


def test_a_doubtful_block_among_probable_ones_does_not_break_the_region(page: Page) -> None:
    assert chosen(page, region(page, [0.1, 0.1, 0.9, 0.45, 0.9, 0.9, 0.1])) == ["/html/body/main[1]/div[1]"]


def test_an_improbable_long_block_among_probable_ones_is_left_out(page: Page) -> None:
    found = chosen(page, region(page, [0.1, 0.1, 0.9, 0.01, 0.9, 0.9, 0.1]))
    assert found == [f"/html/body/main[1]/div[1]/p[{number}]" for number in (1, 3, 4)]


def test_a_high_cost_joins_the_elements_and_none_lies_in_another(page: Page) -> None:
    probability = [0.1, 0.1, 0.9, 0.01, 0.9, 0.9, 0.1]
    dear = RegionSettings(relative=0.0, contrast=1.0, blend=0.0, cost=0.1)
    assert chosen(page, region(page, probability, settings=dear)) == ["/html/body/main[1]/div[1]"]


def test_everything_probable_is_the_body_and_nothing_probable_keeps_the_best(page: Page) -> None:
    assert chosen(page, region(page, [0.9] * 7)) == ["/html/body"]
    low = region(page, [0.01, 0.01, 0.2, 0.2, 0.2, 0.2, 0.01])
    assert chosen(page, low) == ["/html/body/main[1]/div[1]"]
    assert low.expected < 0.6


def test_a_page_that_is_low_as_a_whole_is_judged_by_its_differences(page: Page) -> None:
    found = region(page, [0.05, 0.05, 0.3, 0.3, 0.3, 0.3, 0.05], settings=RegionSettings())
    assert chosen(page, found) == ["/html/body/main[1]/div[1]"]
    assert found.likely[2] > 3 * found.likely[0]


def test_a_block_is_blended_with_the_elements_around_it(page: Page) -> None:
    blend = RegionSettings(relative=0.0, contrast=1.0, blend=0.6, cost=0.001)
    found = region(page, [0.1, 0.1, 0.9, 0.2, 0.9, 0.9, 0.1], settings=blend)
    assert found.likely[3] > 0.35
    assert found.likely[6] < 0.35


def test_recall_lowers_the_threshold_and_precision_raises_it(page: Page) -> None:
    probability = [0.35, 0.35, 0.9, 0.9, 0.9, 0.9, 0.35]
    precision, balance, recall = (region(page, probability, beta).threshold for beta in (0.5, 1.0, 2.0))
    assert recall < balance < precision
    assert chosen(page, region(page, probability, 3.0)) == ["/html/body"]


def test_probabilities_of_zero_and_one_have_finite_odds(page: Page) -> None:
    found = region(page, [0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0], settings=RegionSettings())
    assert chosen(page, found) == ["/html/body/main[1]/div[1]"]
    assert all(0 < value < 1 for value in found.likely)


def test_a_page_without_characters_has_no_region(page: Page) -> None:
    found = find_region(page, [0] * 7, [0.9] * 7, 1.0, NO_CONTEXT)
    assert found.chosen == ()
    assert found.expected == 0.0


def test_deeply_nested_elements_are_judged_in_one_pass() -> None:
    page = bonmun.read_page("<div>" * 500 + f"<p>{TEA}")
    assert len(region(page, [0.9] * len(page.blocks)).chosen) == 1
