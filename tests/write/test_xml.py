"""XML matches its schema and is read by every parser, whatever the page."""

import xml.etree.ElementTree as Standard
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree  # type: ignore[import-untyped]

from bonmun.model.document import Document
from bonmun.model.judged_block import Block
from bonmun.model.metadata import Metadata
from bonmun.model.output import Output
from bonmun.model.page import Page
from bonmun.model.valid_text import valid_text
from bonmun.model.verdict import Reason, Verdicts
from bonmun.read.parse import parse
from bonmun.read.segment import segment
from bonmun.write import shown_blocks
from bonmun.write.xml import NAMESPACE, write
from tests.write.documents import document, markup, real_documents
from tests.write.test_json import FULL

NS = f"{{{NAMESPACE}}}"
BLOCKS = {NS + name for name in ("paragraph", "heading", "caption", "figure", "listing")}
SCHEMA = etree.XMLSchema(etree.fromstring((files("bonmun.write") / "document.xsd").read_bytes()))


def read(written: str) -> Any:
    """Return the document read by lxml from bytes, after the standard library has read it from text."""
    Standard.fromstring(written)  # noqa: S314
    tree = etree.fromstring(written.encode("utf-8"))
    SCHEMA.assertValid(tree)
    return tree


def body(tree: Any) -> list[str]:
    """The text of every block."""
    return ["".join(element.itertext()) for element in tree.find(NS + "body").iter() if element.tag in BLOCKS]


def legal(text: str) -> str:
    return "".join(
        char
        for char in text
        if char in "\t\n\r" or " " <= char < "\ud800" or "\ue000" <= char < "\ufffe" or char >= "\U00010000"
    )


def joined(block: Block) -> str:
    """The text of the runs, which is the block's but for superscripts."""
    return "".join(run.text for run in block.runs if run.src is None)


@settings(max_examples=150, deadline=None)
@given(markup)
def test_any_page_matches_the_schema_and_loses_nothing(html: str) -> None:
    doc = document(html)
    tree = read(write(doc))
    assert body(tree) == [joined(block) for block in shown_blocks(doc)]
    assert [verdict.get("xpath") for verdict in tree.iter(NS + "verdict")] == [
        block.xpath for block in shown_blocks(doc)
    ]


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(), max_size=20))
def test_any_character_is_written_or_left_out(text: str) -> None:
    doc = document(f"<pre>{text.replace('&', '&amp;').replace('<', '&lt;')}|</pre>", metadata=Metadata(title=text))
    tree = read(write(doc))
    assert (tree.find(f"{NS}metadata/{NS}title").text or "") == valid_text(text)
    assert body(tree) == [legal(block.text) for block in shown_blocks(doc)]


def test_real_pages_match_the_schema() -> None:
    for name, stop, step in (("cjk_dev", None, 3), ("wcxb_dev", 200, 5)):
        for doc in real_documents(name, 0, stop, step):
            assert body(read(write(doc))) == [legal(joined(block)) for block in shown_blocks(doc)]


def test_a_document_is_written_in_full() -> None:
    html = "<p>one <b>two &lt;</b><ol start=2><li>three<br>four</ol><h2><a href='?a=1&amp;b'>five</a></h2>"
    assert write(document(html, metadata=FULL).with_output(Output(reasons=True))).startswith(
        '<?xml version="1.0"?>\n'
        '<document xmlns="urn:bonmun:document:1" version="1" status="ok" method="everything" confidence="0.6667"'
        ' url="https://example.org/a/page.html">\n'
        "<notes/>\n"
        "<metadata>\n"
        '<title>Tea "time"</title>\n'
        "<author>김</author>\n"
        "<date>2026-01-02</date>\n"
        "<published>2026-01-02T03:04:05+00:00</published>\n"
        "<modified>2026-01-03</modified>\n"
        "<language>ko</language>\n"
        "<site>Site</site>\n"
        "<hostname>example.org</hostname>\n"
        "<canonical-url>https://example.org/</canonical-url>\n"
        "<description>\ufffd\U0001f600</description>\n"
        "<image>https://example.org/a.png</image>\n"
        "<tag>a</tag>\n"
        "<tag>b</tag>\n"
        "<author-name>김</author-name>\n"
        "</metadata>\n"
        "<body>\n"
        '<paragraph id="b0">one <strong>two &lt;</strong></paragraph>\n'
        '<list start="2">\n'
        "<item>\n"
        '<paragraph id="b1">three</paragraph>\n'
        '<paragraph id="b2" continues="true">four</paragraph>\n'
        "</item>\n"
        "</list>\n"
        '<heading id="b3" level="2"><link href="https://example.org/a/page.html?a=1&amp;b">five</link></heading>\n'
        "</body>\n"
        "<verdicts>\n"
        '<verdict block="b0" score="0.1235" xpath="/html/body/p[1]">\n'
        '<reason name="kept-by-test">all &lt; of it</reason>\n'
        '<reason name="no-detail"/>\n'
        "</verdict>\n"
    )


def test_verdicts_have_reasons_only_on_request() -> None:
    doc = document("<p>one <img src=a.png alt=b> two<video src=/v.mp4></video><p>three")
    without, with_reasons = read(write(doc)), read(write(doc.with_output(Output(reasons=True))))
    assert not list(without.iter(NS + "reason"))
    assert all(len(verdict) for verdict in with_reasons.iter(NS + "verdict"))
    assert [dict(verdict.attrib) for verdict in with_reasons.iter(NS + "verdict")] == [
        dict(verdict.attrib) for verdict in without.iter(NS + "verdict")
    ]


def test_cells_have_header_and_span_attributes() -> None:
    html = "<table><caption>C<tr><th rowspan=2>a<th colspan=2>b<tr><td>drop<td>d</table>"
    tree = read(write(document(html, drop=("drop",))))
    rows = tree.iter(NS + "row")
    assert [[{**cell.attrib, "text": "".join(cell.itertext()).strip()} for cell in row] for row in rows] == [
        [{"header": "true", "rows": "2", "text": "a"}, {"header": "true", "columns": "2", "text": "b"}],
        [{"text": ""}, {"text": "d"}],
    ]


def test_notes_hold_reasons_and_warnings_and_verdicts_mark_partial_blocks() -> None:
    nodes = parse("<p>a <b>b</b> c")
    page = Page(nodes, segment(nodes), None, "cp949", ("the charset <lied>",))
    bold = next(row for row in range(len(nodes)) if nodes.text(row) == "b")
    verdicts = Verdicts([1], [1.0], [()], 0.0, {0: (bold,)}, (Reason("odd", "a & b"),), page_type="article")
    tree = read(write(Document(page, verdicts, "m", Metadata())))
    assert (tree.get("encoding"), tree.get("page-type"), tree.get("url")) == ("cp949", "article", None)
    assert [(note.get("name"), note.text) for note in tree[0]] == [("odd", "a & b"), (None, "the charset <lied>")]
    assert body(tree) == ["b"]
    assert dict(tree.find(f"{NS}verdicts/{NS}verdict").attrib) == {
        "block": "b0",
        "score": "1",
        "xpath": "/html/body/p[1]",
        "partial": "true",
    }


def test_the_schema_rejects_invalid_documents() -> None:
    written = write(document("<ul><li>a</ul>"))
    for right, wrong in (("item>", "thing>"), ('status="ok"', 'status="fine"'), ('block="b0"', 'block="b7"')):
        assert right in written
        assert not SCHEMA.validate(etree.fromstring(written.replace(right, wrong)))


@pytest.mark.parametrize("html", ["", "<p>a"])
def test_an_empty_document_says_why(html: str) -> None:
    tree = read(write(document(html, drop=("a",))))
    assert tree.get("status") == "empty"
    assert tree.find(f"{NS}notes/{NS}reason").get("name") == "no-text"


def test_hundreds_of_levels_are_written() -> None:
    doc = document("".join(f"<ul><li>{level}<blockquote>" for level in range(160)))
    assert body(read(write(doc))) == [block.text for block in shown_blocks(doc)]
