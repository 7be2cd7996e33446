import pytest

np = pytest.importorskip("numpy", reason="training needs the extra train")

import bonmun  # noqa: E402
from bonmun.training.visual.labels import (  # noqa: E402
    gold_characters,
    inside,
    labels_by_share,
    labels_by_single,
    row_at,
)

PAGE = (
    "<body><nav><a>Home</a> <a>News</a></nav><main><h1>Tea</h1><div class=text><p>Tea is made of leaves.</p>"
    "<p>It is drunk <b>hot</b>.<img></p></div><aside>Related: milk</aside></main><footer>Imprint and more</footer>"
)


@pytest.fixture(scope="module")
def page():
    return bonmun.read_page(PAGE)


def shares(page, *kept):
    return [float(any(text.startswith(start) for start in kept)) for text in page.blocks.text]


def names(page, flags):
    return [page.nodes.name(row) for row in np.flatnonzero(flags) if page.nodes.name(row) != "#text"]


def test_pure_elements_and_all_inside_them_are_main_content(page):
    gold = gold_characters(page, shares(page, "Tea is", "It is"))
    assert names(page, labels_by_share(page.nodes, gold)) == ["div", "p", "p", "b", "img"]


def test_an_ancestor_with_a_few_other_characters_is_still_pure(page):
    gold = gold_characters(page, shares(page, "Tea", "It is", "Related"))
    assert names(page, labels_by_share(page.nodes, gold))[0] == "main"


def test_the_single_label_is_the_smallest_element_with_nearly_all_gold(page):
    gold = gold_characters(page, shares(page, "Tea is", "Related"))
    assert names(page, labels_by_share(page.nodes, gold)) == ["p", "aside"]
    assert names(page, labels_by_single(page.nodes, gold))[:2] == ["main", "h1"]
    assert len(names(page, labels_by_single(page.nodes, gold))) == 8


def test_a_page_without_gold_has_no_main_content(page):
    gold = gold_characters(page, shares(page))
    assert not labels_by_share(page.nodes, gold).any()
    assert not labels_by_single(page.nodes, gold).any()


def test_text_that_is_never_rendered_counts_nowhere():
    page = bonmun.read_page("<div><p>Tea is made of leaves.</p><script>var milk = 'much more than tea'</script></div>")
    gold = gold_characters(page, [1.0] * len(page.blocks))
    assert "div" in names(page, labels_by_share(page.nodes, gold))


def test_marked_xpaths_of_a_parser_without_implied_table_bodies_are_found():
    nodes = bonmun.read_page("<table><tr><td>1<tr><td>2</table><table><tbody><tr><td>3</table>").nodes
    found = [row_at(nodes, path) for path in ("/html/body/table[1]/tr[2]/td", "/html/body/table[2]/tbody/tr/td")]
    assert [nodes.text(row + 1) for row in found] == ["2", "3"]
    assert row_at(nodes, "/html/body/table[3]") == -1
    assert row_at(nodes, "/html/body/comment()") == -1


def test_overlapping_marks_are_one_region(page):
    main = row_at(page.nodes, "/html/body/main")
    both = inside(page.nodes, [main, row_at(page.nodes, "/html/body/main/div")])
    assert both.tolist() == inside(page.nodes, [main]).tolist()
    assert not inside(page.nodes, []).any()
