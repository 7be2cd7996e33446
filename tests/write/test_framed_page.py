"""The page in the frame: every block is marked, and nothing of the page can load, run, style or lead anywhere."""

from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from bonmun.pipeline import extract
from bonmun.write.framed_page import write

LONG = "A sentence that is long enough to be kept by any method of this library, since it goes on for quite a while."
OURS = {"data-block", "data-first", "data-hidden", "data-score", "data-address", "class"}
STRUCTURE = {"colspan", "rowspan", "start", "value", "dir", "lang"}
HOSTILE = """<base href=//evil.example><meta http-equiv=refresh content="0;url=//evil.example">
<style>@import "//evil.example"</style>
<svg onload=alert(1)><script>alert(1)</script><a xlink:href="javascript:alert(1)">x</a></svg>
<form action=//evil.example><input name=token><button formaction=//evil.example>go</button></form>
<p id=main style="background:url(//evil.example)" onclick=alert(1)>{long}<a href="javascript:alert(1)">one</a>
<a href="https://example.org/?a=1&amp;b=&quot;2">two</a>
<img src=//evil.example onerror=alert(1) alt="a picture" width=640 height=480>
<iframe srcdoc="<script>alert(1)</script>"></iframe><object data=//evil.example></object><embed src=//evil.example>"""


def drawn(html: str) -> LexborHTMLParser:
    return LexborHTMLParser(write(extract(html, url="https://example.org/a"), "/static/frame.css"))


def test_every_block_is_marked_with_its_number_and_score() -> None:
    document = extract(
        f"<h1>Title</h1><p>{LONG}<p>One <b>two</b><ul><li>five</ul><p>{LONG}", url="https://example.org/"
    )
    tree = LexborHTMLParser(write(document, "/static/frame.css"))
    firsts = [mark.attributes["data-block"] for mark in tree.css("[data-first]")]
    assert firsts == [str(block.index) for block in document.all_blocks]
    for mark in tree.css("[data-block]"):
        block = document.all_blocks[int(mark.attributes["data-block"] or "")]
        assert mark.attributes["class"] == ("bm-keep" if block.keep else "bm-drop")
        assert (mark.attributes.get("data-score") == str(round(block.score * 10))) == block.keep


def test_addresses_of_links_are_data_and_only_safe_ones() -> None:
    tree = drawn(f"<p>{LONG} <a href=/b>one</a> <a href='java\nscript:alert(1)'>two</a> <a>three</a>")
    assert [link.attributes.get("data-address") for link in tree.css(".bm-link")] == [
        "https://example.org/b",
        None,
        None,
    ]


def test_a_hostile_page_leaves_only_text_and_marks() -> None:
    tree = drawn(HOSTILE.format(long=LONG))
    assert [node.attributes for node in tree.css("link")] == [{"rel": "stylesheet", "href": "/static/frame.css"}]
    assert tree.css("script, style, base, form, input, iframe, object, embed, img, svg, a, button") == []
    assert [node.attributes for node in tree.css("meta")] == [{"charset": "utf-8"}]
    for node in tree.css(".bm-page *"):
        assert {*node.attributes} <= OURS | STRUCTURE, node.html


@given(st.text("<>\"'=/ abpscritonmeds&;!-", max_size=80))
def test_any_attribute_of_the_drawn_page_is_one_of_ours(soup: str) -> None:
    for node in drawn(f"<p>{LONG}{soup}").css(".bm-page *"):
        assert {*node.attributes} <= OURS | STRUCTURE, node.html
