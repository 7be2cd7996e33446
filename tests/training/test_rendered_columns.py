"""Rendered columns of a page with two columns, whose boxes are written by hand."""

import pytest

from bonmun.errors import InputError
from bonmun.evaluate.layouts import with_saved_layout
from bonmun.model.page import Page
from bonmun.read.page import read_page
from bonmun.rendering.tying import DrawnElements
from bonmun.training.rendered_columns import rendered_columns

PROSE = "Tea is made of leaves, and of water that has just boiled, and it takes some minutes until it can be drunk. "
MARKUP = f"<body><div><a href=/>Home</a><a href=/b>Tea</a></div><div><h1>Tea</h1><p>{PROSE}</p><p>{PROSE * 3}</p></div>"
BOXES = {
    "html": [(0, 0, 1000, 1600, 1)],
    "head": [(0, 0, 0, 0, 0)],
    "body": [(0, 0, 1000, 1600, 1)],
    "div": [(0, 0, 200, 400, 1), (220, 0, 920, 1600, 1)],
    "a": [(0, 0, 60, 20, 1), (60, 0, 90, 20, 1)],
    "h1": [(220, 0, 920, 80, 1)],
    "p": [(220, 100, 920, 160, 1), (220, 180, 920, 360, 1)],
}
NAMES = ["html", "head", "body", "div", "a", "a", "div", "h1", "p", "p"]


def drawn(boxes: dict[str, list[tuple[int, int, int, int, int]]]) -> Page:
    """The page with these boxes."""
    queues = {name: list(rest) for name, rest in boxes.items()}
    flat = [number for name in NAMES for number in queues[name].pop(0)]
    return with_saved_layout(read_page(MARKUP), DrawnElements(NAMES, flat, (1000, 800), (1000, 1600)))


def test_each_block_has_a_number_in_each_column() -> None:
    page = drawn(BOXES)
    columns = rendered_columns(page)
    assert {len(values) for values in columns.values()} == {len(page.blocks)} == {4}


def test_the_main_column_is_that_of_the_running_text() -> None:
    columns = rendered_columns(drawn(BOXES))
    assert columns["drawn_over_main"] == [0, 1, 1, 1]
    assert columns["drawn_to_main_left"] == [-220, 0, 0, 0]
    assert columns["drawn_above_main"][1:] == [0, -100, -180]


def test_the_container_of_a_block_ends_where_the_width_jumps() -> None:
    columns = rendered_columns(drawn(BOXES))
    assert columns["drawn_in_width"] == [200, 700, 700, 700]
    assert columns["drawn_jump"] == pytest.approx([0.2, 0.7, 0.7, 0.7])
    assert columns["drawn_in_links"][0] > 0.8 > columns["drawn_in_links"][1] == 0
    assert columns["drawn_in_share"][0] + columns["drawn_in_share"][1] == pytest.approx(1)


def test_neighbours_are_measured_in_pixels() -> None:
    columns = rendered_columns(drawn(BOXES))
    assert columns["drawn_gap_before"][2:] == [20, 20]
    assert columns["drawn_step_after"][0] == 220


def test_text_that_is_not_drawn_has_no_share_of_its_column() -> None:
    hidden = {**BOXES, "p": [BOXES["p"][0], (0, 0, 0, 0, 0)]}
    columns = rendered_columns(drawn(hidden))
    assert columns["drawn_visible"] == [1, 1, 1, 0]
    assert columns["drawn_column_share"][3] == 0
    assert columns["drawn_shown_share"][0] < 0.5


def test_a_page_without_blocks_has_empty_columns() -> None:
    names = ["html", "head", "body"]
    page = with_saved_layout(read_page(""), DrawnElements(names, [0, 0, 9, 9, 1] * 3, (9, 9), (9, 9)))
    assert set(map(len, rendered_columns(page).values())) == {0}


def test_a_page_without_layout_is_refused() -> None:
    with pytest.raises(InputError, match=r"bonmun\.render"):
        rendered_columns(read_page(MARKUP))
