from collections.abc import Callable
from time import process_time

import pytest

from bonmun.model.block import Blocks, Kind
from bonmun.model.nodes import Nodes
from bonmun.model.tags import CONTROL, HIDDEN, TEXT, UNRENDERED
from bonmun.read.parse import parse
from bonmun.read.segment import segment
from bonmun.read.segment_reference import segment_by_reference
from tests.corpora import pages


def blocks_of(html: str) -> Blocks:
    return segment(parse(html))


def seen(html: str) -> list[tuple[str, str]]:
    blocks = blocks_of(html)
    return [(str(kind), text) for kind, text in zip(blocks.kind, blocks.text, strict=True)]


def test_inline_markup_never_splits_a_block() -> None:
    html = "<p>A <b>bold</b>, <a href=#>linked<i>!</i></a> and <code>coded</code> <span><em>line</em></span>.</p>"
    assert seen(html) == [("paragraph", "A bold, linked! and coded line.")]


def test_white_space_is_collapsed_and_words_are_not_glued() -> None:
    assert seen("<p> a\n\t b&nbsp;&nbsp;c <b> d</b>e\u3000</p>") == [("paragraph", "a b c de")]


def test_headings_have_levels() -> None:
    blocks = blocks_of("<h1>a</h1><h2>b</h2><h6>c</h6>")
    assert set(blocks.kind) == {Kind.HEADING}
    assert list(blocks.level) == [1, 2, 6]


def test_list_items_have_their_nesting_level() -> None:
    blocks = blocks_of("<ul><li>a<ol><li>b<ul><li>c</ul></ol><li>d</ul>")
    assert blocks.text == ("a", "b", "c", "d")
    assert set(blocks.kind) == {Kind.ITEM}
    assert list(blocks.level) == [1, 2, 3, 1]


def test_a_paragraph_in_an_item_is_an_item() -> None:
    assert seen("<ul><li><p>a</p><p>b</p></ul>") == [("item", "a"), ("item", "b")]


def test_cells_of_a_data_table_are_blocks() -> None:
    html = "<table><caption>T</caption><tr><th>h<th>i<tr><td>1<br>2<td><p>3</p></table>"
    assert seen(html) == [("caption", "T"), ("cell", "h"), ("cell", "i"), ("cell", "1"), ("cell", "2"), ("cell", "3")]
    assert list(blocks_of(html).continues) == [0, 0, 0, 0, 1, 0]


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>nav<td><p>text</p></table>",
        "<table role=presentation><tr><th>nav<th>text<tr><td>a<td>b</table>",
        "<table><tr><td><table><tr><td>nav</table><td>text<tr><td>a<td>b</table>",
        "<table><tr><td><p>name<p>rank<p>date<td><p>a<p>b<p>c<tr><td><p>name<p>rank<td><p>a<p>b<p>c</table>",
    ],
)
def test_a_layout_table_gives_its_cells_no_kind(html: str) -> None:
    assert {kind for kind, _ in seen(html)} == {"paragraph"}


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><th>a<th>b<tr><td><table><tr><td>1<td>2</table><td>3</table>",
        "<table><tr><td><p>a<td><ul><li>1<li>2<li>3</ul><tr><td>b<td><ul><li>4<li>5<li>6</ul></table>",
    ],
)
def test_headers_and_plain_cells_make_a_data_table(html: str) -> None:
    assert len(blocks_of(html).tables) == 1
    assert {kind for kind, _ in seen(html)} <= {"cell", "item"}


def test_code_keeps_its_white_space() -> None:
    html = "<pre><code>def f():\n    return <b>1</b><br>\n\tx  \n</code></pre>"
    assert seen(html) == [("code", "def f():\n    return 1\n\n\tx")]


def test_quotes_captions_and_definitions_have_their_kinds() -> None:
    html = (
        "<blockquote><p>q</p></blockquote><figure><img src=a.png><figcaption>c</figcaption></figure><dl><dt>t<dd>d</dl>"
    )
    assert seen(html) == [("quote", "q"), ("image", ""), ("caption", "c"), ("term", "t"), ("definition", "d")]


def test_text_between_breaks_is_a_block_that_continues_the_one_before() -> None:
    blocks = blocks_of("<p>one<br>two<br><br>three</p>four<br>five")
    assert blocks.text == ("one", "two", "three", "four", "five")
    assert list(blocks.continues) == [0, 1, 0, 0, 1]


def test_a_heading_stays_whole_across_a_break() -> None:
    assert seen("<h1>One<br>title</h1>") == [("heading", "One title")]


def test_bare_text_beside_block_children_is_a_block() -> None:
    html = "<div>before<div>inside</div>after <b>bold</b><p>para</p>end</div>"
    assert [text for _, text in seen(html)] == ["before", "inside", "after bold", "para", "end"]


def test_controls_are_blocks_of_their_own() -> None:
    blocks = blocks_of("<div>Text <button>Copy</button> more</div><select><option>One<option>Two</select>")
    assert blocks.text == ("Text", "Copy", "more", "One", "Two")
    assert [bool(flags & CONTROL) for flags in blocks.flags] == [False, True, False, True, True]


def test_scripts_and_styles_inside_a_paragraph_are_no_text() -> None:
    assert seen("<p>a<script>x()</script> b<style>p{}</style></p>") == [("paragraph", "a b")]


def test_hidden_text_in_a_shown_block_is_left_out_and_hidden_blocks_are_flagged() -> None:
    blocks = blocks_of("<p>a <span hidden>secret</span>b</p><p hidden>c</p><p><span style='display:none'>d</span></p>")
    assert blocks.text == ("a b", "c", "d")
    assert [bool(flags & HIDDEN) for flags in blocks.flags] == [False, True, True]


def test_ruby_annotations_are_not_part_of_the_text() -> None:
    assert seen("<p><ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>を読む</p>") == [("paragraph", "漢字を読む")]


def test_soft_hyphens_are_not_text_and_make_no_block() -> None:
    assert seen("<p>ex\xadam\xadple</p><p>\xad</p>") == [("paragraph", "example")]


def test_an_image_alone_is_a_block_and_a_pixel_is_none() -> None:
    assert seen("<div><img src=a.png></div><p><img src=pixel.gif width=1 height=1></p>") == [("image", "")]


def test_characters_in_links_are_counted() -> None:
    blocks = blocks_of("<p>abc <a href=#>de <b>f</b></a></p>")
    assert list(blocks.link_chars) == [3]


@pytest.mark.cpu_timed
@pytest.mark.parametrize("segmented", [segment, segment_by_reference])
def test_many_cells_in_nested_tables_take_linear_time(segmented: Callable[[Nodes], Blocks]) -> None:
    cells = "<table>" + "<tr><td>x<td>y" * 20_000

    def seconds(depth: int) -> float:
        nodes = parse("<table><tr><td>" * depth + cells)
        start = process_time()
        assert len(segmented(nodes)) == 40_000
        return process_time() - start

    assert seconds(100) < 2 * seconds(1) + 0.1


def test_no_text_of_a_real_page_is_lost_or_read_twice() -> None:
    for record in pages("cjk_dev"):
        nodes = parse(record["html"])
        blocks = segment(nodes)
        owner = blocks.of_row(nodes)
        for row in range(len(nodes)):
            if nodes.tag[row] == TEXT and nodes.chars[row] and not nodes.flags[row] & UNRENDERED:
                text = " ".join(nodes.text(row).replace("\xad", "").replace("\ufeff", "").split())
                assert not text or owner[row] >= 0
        assert all(stop <= first for stop, first in zip(blocks.stop, blocks.first[1:], strict=False))


def test_lines_of_code_in_elements_of_their_own_are_one_block() -> None:
    html = "<pre><div>a</div><div>  b</div>\n<div>c\n</div><div>\n</div><div>d</div></pre>"
    assert seen(html) == [("code", "a\n  b\nc\n\nd")]
    assert seen("<pre><ol>\n<li>x = 1\n<li>  y\n<li><br><li>z</ol></pre>") == [("code", "x = 1\n  y\n\nz")]
    assert seen("<pre>a<p>b</p><div>c</div></pre>") == [("code", "a"), ("code", "b"), ("code", "c")]
