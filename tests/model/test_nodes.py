from array import array
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun.core import core
from bonmun.model.nodes import Nodes
from bonmun.model.xpaths import XPaths
from bonmun.read.parse import parse
from tests.write.documents import markup


def paths(html: str) -> list[str]:
    nodes = parse(html)
    return [nodes.xpath(row) for row in range(len(nodes))]


def test_xpath_counts_siblings_of_the_same_tag() -> None:
    found = paths("<div></div><p>a</p><div><p>b<br>c</p></div>")
    assert "/html/body/div[2]/p[1]/text()[2]" in found
    assert "/html/body/p[1]/text()[1]" in found


def test_foreign_and_oddly_named_elements_are_counted_among_all_siblings() -> None:
    found = paths("<p>x<svg><g><path></path></g></svg><o:p>y</o:p><my-tag>z</my-tag>")
    assert "/html/body/p[1]/*[1]/*[1]/*[1]" in found
    assert "/html/body/p[1]/*[2]/text()[1]" in found
    assert "/html/body/p[1]/*[3]/text()[1]" in found


def test_every_xpath_is_unique() -> None:
    found = paths("<ul><li>a<li>b<ul><li>c</ul></ul><table><tr><td>1<td>2</table><p>x<b>y</b>z")
    assert len(set(found)) == len(found)


def test_places_are_counted_once_for_a_long_list() -> None:
    nodes = parse("<ul>" + "<li>x" * 30_000 + "</ul>")  # quadratic counting would take minutes
    assert nodes.xpath(len(nodes) - 1) == "/html/body/ul[1]/li[30000]/text()[1]"
    assert len({nodes.xpath(row) for row in range(len(nodes))}) == len(nodes)


def test_equal_tag_paths_have_equal_numbers() -> None:
    nodes = parse("<div><p>a</p></div><div><p>b</p></div><p>c</p>")
    by_path: dict[str, set[int]] = {}
    for row in range(len(nodes)):
        by_path.setdefault(nodes.tag_path(row), set()).add(nodes.path[row])
    assert all(len(numbers) == 1 for numbers in by_path.values())
    assert len({min(numbers) for numbers in by_path.values()}) == len(by_path)


@pytest.fixture(scope="module")
def nodes() -> Nodes:
    return parse('<nav id="MainNav" class="top_bar x2" role="navigation"></nav>')


def test_tokens_are_the_words_of_class_id_and_role(nodes: Nodes) -> None:
    assert nodes.tokens(3) == {"main", "nav", "top", "bar", "x2", "navigation"}


@pytest.mark.parametrize(
    "markup",
    [
        "<p CLASS='a Footnote'><b></b><i class=note></i><p class><p class='no&#116;e'>"
        "<p id=note class=x><p class=footnot>",
        "<p class=NOTE class=other><br><br><p class='footnot footnote'>" * 3,
        "<p>no attribute at all",
    ],
)
def test_rows_by_attribute_agree_with_the_reference(markup: str) -> None:
    nodes = parse(markup)
    assert list(nodes.rows_having("class", "note", "footnote")) == nodes.rows_having_by_reference(
        "class", "note", "footnote"
    )


def test_rows_by_attribute_within_some_rows() -> None:
    nodes = parse('<p class="note">1<p class="note">2<p class="note">3')
    for within in (range(4, 7), range(5, 5), range(len(nodes))):
        expected = [row for row in nodes.rows_having_by_reference("class", "note") if row in within]
        assert list(nodes.rows_having("class", "note", within=within)) == expected


@pytest.mark.parametrize("seed", range(20))
def test_long_words_agree_with_the_reference(seed: int) -> None:
    choose = Random(seed)
    words = tuple("".join(choose.choices("ab-", k=choose.randint(4, 7))) for _ in range(5))
    values = ("".join(choose.choices("abAB-", k=choose.randint(0, 30))) for _ in range(200))
    nodes = parse("".join(f'<p class="{value}">' for value in values))
    assert list(nodes.rows_having("class", *words)) == nodes.rows_having_by_reference("class", *words)


@pytest.mark.parametrize("seed", range(20))
def test_words_with_the_same_start_agree_with_the_reference(seed: int) -> None:
    choose = Random(seed)
    words = tuple("#" + "".join(choose.choices("ab#", k=choose.randint(0, 3))) for _ in range(choose.randint(1, 4)))
    values = ("".join(choose.choices("abAB#/", k=choose.randint(0, 12))) for _ in range(200))
    nodes = parse("".join(f'<p class="{value}">' for value in values))
    assert list(nodes.rows_having("class", *words)) == nodes.rows_having_by_reference("class", *words)


def test_rows_by_attribute() -> None:
    nodes = parse('<p><a href="#n1">1</a> <a href="/x">2</a> <a>3</a> <a HREF="/y#z">4</a>')
    assert [nodes.content(row) for row in nodes.rows_having("href", "#")] == ["1", "4"]
    assert not nodes.rows_having("data-note", "x")


@settings(max_examples=100, deadline=None)
@given(markup, st.integers(0, 120))
def test_both_twins_count_the_same_places(html: str, depth: int) -> None:
    html = "<div>" * depth + html + "<x-y><svg><g>a</g><p>b</svg><o:p>c</o:p><tea>d</tea>e<tea>" + html
    if core() is None:
        pytest.skip("the compiled core is not there")
    nodes = parse(html)
    compiled, reference = XPaths(nodes), XPaths(nodes)
    for deepest, by_anchor in ((96, False), (len(nodes), True), (3, False)):
        assert [*compiled._places(deepest, by_anchor)] == [*reference.places_by_reference(deepest, by_anchor)]


def test_columns_that_are_no_tree_are_refused() -> None:
    compiled = core()
    if compiled is None:
        pytest.skip("the compiled core is not there")
    parent, depth, tag, end = (memoryview(array("i", column)) for column in ([-1, 0], [0, 1], [1, 0], [2, 2]))
    assert memoryview(compiled.places(parent, depth, tag, end, b"\1\2", 9, -1)).cast("i").tolist() == [1, 1]
    for columns, kinds in (
        ((parent[:1], depth, tag, end), b"\1\2"),
        ((memoryview(array("i", [-1, 1])), depth, tag, end), b"\1\2"),
        ((parent, depth, tag, memoryview(array("i", [2, 1]))), b"\1\2"),
        ((parent, depth, tag, end), b"\1"),
    ):
        with pytest.raises(ValueError, match="not of a tree"):
            compiled.places(*columns, kinds, 9, -1)
