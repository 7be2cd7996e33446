"""The compiled search for elements and its twin."""

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.core import core
from bonmun.model.nodes import Nodes
from bonmun.read.byline import author_marks, author_marks_by_reference
from bonmun.read.elements import contents_by_name, contents_by_name_by_reference, elements, elements_by_reference
from bonmun.read.headline import fold, fold_by_reference
from bonmun.read.parse import parse
from bonmun.read.related import is_related, is_related_by_reference
from bonmun.read.structured import plain_text, plain_text_by_reference

PAGE = """<html lang=en><meta name=author content="Ann &amp; Bob"><meta content=x><meta NAME=a NAME=b content>
<link rel="canonical" href="/tea"><div itemscope itemtype="https://schema.org/Recipe"><b itemprop=name>Tea</b>
<p itemprop="">x</p><i class=a>y</i></div>"""


_PIECES = (
    "Tea",
    " ",
    "  ",
    "\n",
    "\r",
    "\xa0",
    "\u3000",
    "\x1c",
    "\x85",
    "ä",
    "茶",
    "&amp;",
    "<b>",
    "<",
    "{{x}}",
    "%%a%%",
    "[",
    "[[",
)


@given(st.lists(st.sampled_from(_PIECES)).map("".join) | st.text())
def test_both_read_a_value_alike(text: str) -> None:
    for value in (text, text * 99):
        assert plain_text(value) == plain_text_by_reference(value)


def test_named_rows_are_those_with_the_word() -> None:
    compiled, nodes = (
        core(),
        parse("<h2 class='Post-Title'>a</h2><h2 class=x>b</h2><h3 id=title>c</h3><h2 class='a subtitle'>"),
    )
    if compiled is None:
        pytest.skip("the compiled core is not there")
    rows = array("i", nodes.rows_of("h2", "h3"))
    found = compiled.worded_rows(nodes.held, rows, nodes.attr_number("class"), b"title\0")
    assert found == [row for row in rows if "title" in (nodes.attr(row, "class") or "").lower()]
    for wrong, words in ((array("i", [99]), b"title\0"), (rows, b"Title\0")):
        with pytest.raises(ValueError, match="must"):
            compiled.worded_rows(nodes.held, wrong, 0, words)


@pytest.mark.parametrize("tag", ["meta", "link", "b", "video", None])
@pytest.mark.parametrize("names", [("name", "content"), ("itemprop", "itemscope", "itemtype"), ("rel", "none"), ()])
def test_both_find_the_same(tag: str | None, names: tuple[str, ...]) -> None:
    nodes: Nodes = parse(PAGE)
    for needed in range(len(names) + 1):
        for most in (0, 1, 99):
            found = elements(nodes, tag, names, most, needed)
            assert found == elements_by_reference(nodes, tag, names, most, needed)


def test_an_attribute_without_value_is_not_a_missing_one() -> None:
    assert elements(parse("<p itemscope>"), None, ("itemprop", "itemscope"), 9, needed=2) == [(3, None, "")]


def test_values_and_texts_of_rows_are_those_of_the_twin() -> None:
    nodes: Nodes = parse(PAGE + "<p class='a &amp; ä'>ä &lt; b")
    for row in range(-1, len(nodes)):
        assert row < 0 or nodes.text(row) == nodes.text_by_reference(row)
        for name, number in nodes.attr_id.items():
            for most in (None, 0, 3, 5, 99):
                assert nodes.attr(row, name, most) == nodes.attr_by_reference(row, number, most)


def test_a_row_beyond_the_last_is_an_index_error() -> None:
    nodes: Nodes = parse("<p class=a>x")
    with pytest.raises(IndexError):
        nodes.attr(len(nodes), "class")
    with pytest.raises(IndexError):
        nodes.text(len(nodes))


@given(st.text(st.characters() | st.characters(max_codepoint=127), max_size=40))
def test_both_fold_a_title_alike(text: str) -> None:
    assert fold(text) == fold_by_reference(text)


@pytest.mark.parametrize("text", ["", "\ud83d Tea", "\x7fTe@[`{a", "\0Tea", "Tea " * 2_000, "\u00c9t\u00e9 \u212a"])
def test_odd_titles_are_folded_alike(text: str) -> None:
    assert fold(text) == fold_by_reference(text)


def test_contents_are_those_of_the_twin_by_name() -> None:
    names = ("Author", " AUTHOR\x1c", "É ", "", " ", "\xa0x", "a" * 255, "B" * 256, "C" * 300, "d&amp;D", "\u0130")
    metas = "".join(
        f'<meta {attribute}="{name}" content="{content}">'
        for name in names
        for attribute in ("name", "property", "http-equiv", "charset")
        for content in ("tea", "", "ä &lt;")
    )
    nodes: Nodes = parse(f"{metas}<meta property='' name=b http-equiv=c content=x><meta property=A name=b content=x>")
    for most in (0, 1, 40, 999):
        found = contents_by_name(nodes, most)
        assert [*found.items()] == [*contents_by_name_by_reference(nodes, most).items()]
    assert len(found) == 11
    assert not contents_by_name(parse("<p>tea"), 9)


@pytest.mark.parametrize("names", [("class", "id", "rel", "href"), ("rel",)])
def test_both_find_the_same_marks_of_authors(names: tuple[str, ...]) -> None:
    nodes: Nodes = parse(
        "<a rel=Author href=/authors/ann id=writer class='x byline'>Ann</a><p class=tea>"
        "<i class=BY-LINE title=author>b</i>"
        "<b href=/writer/ rel=nofollow></b><a href='/AUTOREN/&amp;' class='&amp;author'>c</a>"
    )
    for first in range(len(nodes) + 1):
        within = range(first, len(nodes))
        assert [*author_marks(nodes, names, within)] == author_marks_by_reference(nodes, names, within)
    assert len([*author_marks(nodes, names, range(len(nodes)))]) == (8 if len(names) > 1 else 1)


@pytest.mark.skipif(core() is None, reason="the compiled core is not built")
def test_lists_of_words_that_do_not_fit_are_refused() -> None:
    compiled, nodes, number = core(), parse("<p class=tea>"), b"\0\0\0\0"
    assert compiled is not None
    for words in (b"", b"\0", b"\0\0", b"tea", b"tea\0", b"Tea\0\0", b"tea\0\0a\0\0", b"tea\0\0\0"):
        with pytest.raises(ValueError, match="lists"):
            compiled.marked_attributes(nodes.held, number, words, 0, 1)
    for names in (b"", number * 5):
        with pytest.raises(ValueError, match="lists"):
            compiled.marked_attributes(nodes.held, names, b"tea\0\0" * (len(names) // 4), 0, 1)
    for first, stop in ((-1, 1), (2, 1), (0, len(nodes) + 1)):
        with pytest.raises(ValueError, match="rows"):
            compiled.marked_attributes(nodes.held, number, b"tea\0\0", first, stop)


def test_both_find_the_same_boxes_of_other_articles() -> None:
    nodes: Nodes = parse(
        "<h1>a</h1><div class='Related-posts'><p>b<i id=x>c</i></div><div id=most_READ><b>d</b></div>"
        "<div class=more><b class=correlated>e</b></div><div class=recommended><h2>f</h2><i>g</i></div>" + "<p><b>" * 9
    )
    rows = range(len(nodes))
    found = [is_related(nodes, row, headline) for row in rows for headline in (-1, *rows)]
    assert found == [is_related_by_reference(nodes, row, headline) for row in rows for headline in (-1, *rows)]
    assert {*found} == {True, False}


@pytest.mark.skipif(core() is None, reason="the compiled core is not built")
def test_values_above_refuses_rows_and_words_that_do_not_fit() -> None:
    compiled, nodes = core(), parse("<p>tea")
    assert compiled is not None
    for row in (-1, len(nodes)):
        with pytest.raises(IndexError):
            compiled.values_above(nodes.held, row, 0, 8, (0, 0), b"tea\0")
    with pytest.raises(ValueError, match="words"):
        compiled.values_above(nodes.held, 0, 0, 8, (0, 0), b"tea")
