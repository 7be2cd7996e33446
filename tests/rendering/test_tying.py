import time
from array import array
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.model.nodes import Nodes
from bonmun.read.parse import parse
from bonmun.rendering.tying import DrawnElements, matched_elements, split_names, tied

NAMES = ("div", "p", "li", "x-y")


def drawn(names: str) -> DrawnElements:
    """Elements whose left side is their number and whose width is 1000."""
    elements = names.split(" ")
    boxes = array("i", [part for number in range(len(elements)) for part in (number, 0, number + 1000, 1, 1)])
    return DrawnElements(elements, boxes, (1366, 768), (1366, 2000))


def numbers(page: str, names: str) -> dict[str, int]:
    """The browser's number of each element that has an id; -1 for none."""
    nodes, layout = parse(page), tied(parse(page), drawn(names))
    rows = {identity: row for row in range(len(nodes)) if (identity := nodes.attr(row, "id"))}
    return {identity: layout.left[row] if layout.width(row) else -1 for identity, row in rows.items()}


def test_every_row_has_the_box_of_its_element() -> None:
    nodes = parse("<h1>Tea</h1><p>made of <b>leaves</b> and water")
    layout = tied(nodes, drawn("html head body h1 p b"))
    boxes = [(nodes.text(row) or nodes.name(row), layout.left[row]) for row in range(3, len(nodes))]
    assert boxes == [("h1", 3), ("Tea", 3), ("p", 4), ("made of ", 4), ("b", 5), ("leaves", 5), (" and water", 4)]
    assert layout.untied == 0 and list(layout.visible) == [1] * len(nodes)
    assert layout.viewport == (1366, 768) and layout.document == (1366, 2000)


def test_names_of_svg_elements_are_compared_without_case() -> None:
    page = "<svg><foreignObject><p id=p></p></foreignObject><clipPath id=c></clipPath></svg>"
    assert numbers(page, "html head body svg foreignObject p clipPath") == {"p": 5, "c": 6}


def test_a_row_that_the_browser_lacks_has_no_box_and_is_counted() -> None:
    nodes = parse("<h1>Tea</h1><aside>Please</aside><p>Tea</p>")
    layout = tied(nodes, drawn("html head body h1 p"))
    row = next(row for row in range(len(nodes)) if nodes.text(row) == "Please")
    assert layout.untied == 1 and layout.visible[row] == 0 and layout.width(row) == 0
    assert layout.left[len(nodes) - 1] == 4


def test_the_content_of_noscript_is_a_text_where_scripts_ran() -> None:
    page = "<body><noscript><p id=a></p><p id=b></p></noscript><p id=c></p><p id=d></p>"
    names = ["html", "head", "body", "noscript", "p", "p"]
    assert matched_elements(parse(page), names, scripts=True) == [0, 1, 2, 3, -1, -1, 4, 5]


def test_elements_that_only_the_browser_has_are_left_out() -> None:
    assert numbers("<p id=a></p><p id=b></p>", "html head body p section div p") == {"a": 3, "b": 6}


def test_differences_in_several_places_are_aligned() -> None:
    page = "<h1 id=h></h1><nav id=n><i id=i></i></nav><p id=p></p><ul id=u></ul><b id=b></b>"
    assert numbers(page, "html head body h1 p table tbody ul") == {"h": 3, "n": -1, "i": -1, "p": 4, "u": 7, "b": -1}


def test_a_page_without_any_element_of_the_browser_ties_nothing() -> None:
    nodes = parse("<p>Tea")
    layout = tied(nodes, DrawnElements([], [], (1, 1), (1, 1)))
    assert layout.untied == 4 and not any(layout.visible)


def test_a_name_may_contain_white_space_other_than_a_space() -> None:
    nodes = parse("<x\u2003y>Tea")
    assert split_names(" ".join(nodes.name(row) for row in range(4))) == ["html", "head", "body", "x\u2003y"]
    assert tied(nodes, drawn("html head body x\u2003y")).untied == 0


@given(st.lists(st.sampled_from(NAMES)), st.lists(st.sampled_from(NAMES)))
def test_only_elements_of_the_same_name_tie_and_in_order(ours: list[str], theirs: list[str]) -> None:
    check(nodes_of(ours), ["html", "head", "body", *theirs])


def test_differences_larger_than_a_window_are_aligned() -> None:
    names = [NAMES[number * number % 7 % 3] for number in range(30_000)]
    changed = [name for number, name in enumerate(names) if number % 1000]
    matched = check(nodes_of(names), ["html", "head", "body", *changed])
    assert matched.count(-1) == 30


@pytest.mark.cpu_timed
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (["p", "div"] * 50_000, ["li"] * 100_000),
        (["p", "div"] * 50_000, ["div", "div", "p"] * 33_000),
        ([f"x-{number}" for number in range(100_000)], [f"y-{number}" for number in range(100_000)]),
        (["p"] * 100_000, ["p", "li"] * 50_000),
    ],
    ids=["nothing in common", "everywhere in common", "names of their own", "every second"],
)
def test_a_hundred_thousand_different_elements_take_bounded_time(ours: list[str], theirs: list[str]) -> None:
    nodes, start = nodes_of(ours), time.process_time()
    matched_elements(nodes, ["html", "head", "body", *theirs])
    assert time.process_time() - start < 10


def nodes_of(names: Sequence[str]) -> Nodes:
    return parse("<body>" + "".join(f"<{name}></{name}>" for name in names))


def check(nodes: Nodes, theirs: list[str]) -> list[int]:
    matched = matched_elements(nodes, theirs)
    ours = [nodes.name(row) for row in range(len(nodes)) if nodes.tag[row]]
    pairs = [(name, number) for name, number in zip(ours, matched, strict=True) if number >= 0]
    assert all(name == theirs[number] for name, number in pairs)
    assert [number for _, number in pairs] == sorted({number for _, number in pairs})
    return matched
