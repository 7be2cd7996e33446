"""The rows of M4: which elements have one, and the eighteen columns of each."""

import time
from dataclasses import replace
from math import hypot

import numpy as np
import pytest

import bonmun
from bonmun.methods.visual.rows import COLUMNS, NEVER, TABNET_1, TAGS, Rows
from bonmun.model.layout import Layout
from bonmun.model.page import Page

VIEWPORT, DOCUMENT = (1000, 800), (1200, 4000)


def drawn(html: str, boxes: dict[str, tuple[int, int, int, int]] | None = None) -> Page:
    """A page with a box for each of these tags; any other element is not visible."""
    page, boxes = bonmun.read_page(html), boxes or {}
    nodes = page.nodes
    of_row = [boxes.get(nodes.name(row), (0, 0, 0, 0)) for row in range(len(nodes))]
    sides = ([box[side] for box in of_row] for side in range(4))
    visible = bytes(nodes.name(row) in boxes for row in range(len(nodes)))
    return replace(page, layout=Layout(*sides, visible, VIEWPORT, DOCUMENT))


def columns(page: Page, tag: str) -> dict[str, float]:
    """The columns of the first element of that name."""
    rows = Rows.of(page)
    at = next(at for at, row in enumerate(rows.row) if page.nodes.name(int(row)) == tag)
    return dict(zip(COLUMNS, map(float, rows.matrix[at]), strict=True))


def test_the_vocabulary_has_137_tags_and_the_models_16_and_18_columns() -> None:
    assert len(TAGS) == len(set(TAGS)) == 137
    assert len(TABNET_1) == 16
    assert len(COLUMNS) == 18
    assert {"d0", "d1"} == set(COLUMNS) - set(TABNET_1)


def test_elements_that_the_paper_never_considers_have_no_row_nor_have_their_descendants() -> None:
    never = "<button>Buy <b>now</b></button><noscript><p>Turn it on</p></noscript><input><iframe></iframe>"
    page = drawn(f"<title>Tea</title><style>p{{}}</style><script>1</script><div>{never}<i>Tea</i></div>")
    names = [page.nodes.name(int(row)) for row in Rows.of(page).row]
    assert names == ["html", "body", "div", "i"]
    assert not NEVER & set(names)
    assert columns(page, "div")["characters"] == len("Tea")


def test_order_counts_all_elements_and_children_all_child_nodes() -> None:
    page = drawn("<p>One <b>two</b> three<!-- four -->", {})
    assert columns(page, "html")["order"] == 0
    assert columns(page, "p")["order"] == 3  # html, head, body
    assert columns(page, "p")["children"] == 3
    assert columns(page, "b")["children"] == 1


def test_characters_have_white_space_collapsed_and_links_are_counted_with_or_without_address() -> None:
    page = drawn("<div>Green\n   tea<a href=/>Black tea</a><a name=x><b>Oolong</b></a></div>")
    found = columns(page, "div")
    assert found["characters"] == len("Green tea") + len("Black tea") + len("Oolong")
    assert found["link_characters"] == len("Black tea") + len("Oolong")
    assert columns(page, "b")["link_characters"] == len("Oolong")


def test_a_tag_outside_the_vocabulary_is_the_last_category() -> None:
    page = drawn("<my-tea>Tea</my-tea><p>Tea")
    assert columns(page, "my-tea")["tag"] == 137
    assert columns(page, "p")["tag"] == TAGS.index("p")


def test_boxes_and_distances_to_the_centres_of_viewport_and_document() -> None:
    found = columns(drawn("<p>Tea", {"p": (100, 200, 500, 300)}), "p")
    sides = {"left": 100, "top": 200, "right": 500, "bottom": 300, "width": 400, "height": 100, "visible": 1}
    assert {name: found[name] for name in sides} == sides
    sizes = ("viewport_width", "viewport_height", "document_width", "document_height")
    assert tuple(found[name] for name in sizes) == (*VIEWPORT, *DOCUMENT)
    assert found["d0"] == pytest.approx(hypot(300 - 500, 250 - 400))
    assert found["d1"] == pytest.approx(hypot(300 - 600, 250 - 2000))


def test_an_element_that_was_not_drawn_is_not_visible() -> None:
    assert columns(drawn("<p>Tea"), "p")["visible"] == 0


def test_an_empty_page_has_rows_of_zeros() -> None:
    rows = Rows.of(drawn(""))
    assert rows.matrix.shape == (2, 18)
    assert rows.matrix.dtype == np.float32
    assert not rows.matrix[:, 3:12].any()


def test_a_page_without_elements_has_an_empty_matrix() -> None:
    page = drawn("")
    empty = memoryview(b"").cast("i")
    nothing = dict.fromkeys(("parent", "tag", "end", "chars", "flags"), empty)
    rows = Rows.of(
        replace(page, nodes=replace(page.nodes, **nothing), layout=Layout((), (), (), (), b"", (1, 1), (1, 1)))
    )
    assert rows.matrix.shape == (0, 18)
    assert len(rows) == 0


def test_a_page_that_was_not_rendered_is_refused() -> None:
    with pytest.raises(bonmun.NotRendered, match=r"bonmun\.render"):
        Rows.of(bonmun.read_page("<p>Tea"))


@pytest.mark.cpu_timed
def test_the_rows_of_thirteen_hundred_elements_take_milliseconds() -> None:
    page = drawn("<div>" + "<p>Green <a href=/>tea</a></p>" * 650 + "</div>", {"p": (0, 0, 10, 10)})
    Rows.of(page)
    start = time.process_time()
    rows = Rows.of(page)
    assert time.process_time() - start < 0.03
    assert len(rows) > 1300
