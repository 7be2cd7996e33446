"""TEI is read by every parser and keeps all text, whatever the page."""

import datetime
from typing import Any

from hypothesis import given, settings
from lxml import etree  # type: ignore[import-untyped]

from bonmun.model.metadata import Metadata
from bonmun.write import shown_blocks
from bonmun.write.tei import NAMESPACE, write
from tests.write.documents import document, markup, real_documents

NS = {"t": NAMESPACE}


def read(written: str) -> Any:
    return etree.fromstring(written.encode("utf-8"))


def body(written: str) -> str:
    text: str = written[written.index("<body>") + 6 : written.index("</body>")].strip()
    return text


def words(text: str) -> list[str]:
    return text.replace("�", "").split()


def test_the_header_has_title_author_date_and_url() -> None:
    metadata = Metadata(title="Tea & <water>", author="Maren Holt", date=datetime.date(2026, 3, 14), language="en")
    tree = read(write(document("<p>Tea", metadata=metadata)))
    assert tree.findtext(".//t:titleStmt/t:title", namespaces=NS) == "Tea & <water>"
    assert tree.findtext(".//t:titleStmt/t:author", namespaces=NS) == "Maren Holt"
    assert tree.find(".//t:bibl/t:date", NS).get("when") == "2026-03-14"
    assert tree.find(".//t:bibl/t:ptr", NS).get("target") == "https://example.org/a/page.html"
    assert tree.find(".//t:language", NS).get("ident") == "en"


def test_headings_open_divisions_by_level() -> None:
    assert body(write(document("<p>a<h2>One</h2><p>b<h3>Inner</h3><p>c<h2>Two</h2><p>d"))).replace("\n", "") == (
        "<p>a</p><div><head>One</head><p>b</p><div><head>Inner</head><p>c</p></div></div>"
        "<div><head>Two</head><p>d</p></div>"
    )


def test_lists_quotes_code_and_inline_markup() -> None:
    html = (
        "<ol start=3><li>x<li><p>y<p>z</ol><ul><li>i</ul><blockquote><p>q</blockquote>"
        "<pre><code class=language-py>a\n  b</code></pre>"
        "<p><b>1</b> <i>2</i> <code>3</code> <a href='/n o'>4</a> <s>5</s> <sup>6</sup><br>7</p>"
    )
    assert body(write(document(html))).replace("\n<", "<") == (
        '<list rend="numbered"><item n="3">x</item><item n="4"><p>y</p><p>z</p></item></list>'
        '<list rend="bulleted"><item>i</item></list><quote><p>q</p></quote>'
        '<p><code xml:space="preserve" lang="py">a\n  b</code></p>'
        '<p><hi rend="bold">1</hi> <hi rend="italic">2</hi> <code>3</code> '
        '<ref target="https://example.org/n%20o">4</ref> <del rend="strikethrough">5</del> '
        '<hi rend="sup">6</hi><lb/>7</p>'
    )


def test_tables_definitions_and_pictures() -> None:
    html = (
        "<table><tr><th>k<th>v<tr><td colspan=2>1</table><dl><dt>a<dt>b<dd>c<dd>d</dl>"
        "<p>The picture:<img src=p.png alt=P></p>"
    )
    assert body(write(document(html))).replace("\n", "") == (
        '<table><row><cell role="label">k</cell><cell role="label">v</cell></row>'
        '<row><cell cols="2">1</cell></row></table>'
        '<list type="gloss"><label>a</label><item/><label>b</label><item>c</item><label/><item>d</item></list>'
        '<p>The picture:<graphic url="https://example.org/a/p.png"><desc>P</desc></graphic></p>'
    )


def test_an_empty_document_is_valid() -> None:
    assert body(write(document(""))) == "<p/>"


def test_hundreds_of_levels_are_written() -> None:
    read(write(document("".join(f"<ul><li>{level}<blockquote>" for level in range(160)))))


@settings(max_examples=60, deadline=None)
@given(markup)
def test_any_markup_gives_well_formed_xml(html: str) -> None:
    read(write(document(html)))


def test_real_pages_keep_their_text() -> None:
    for doc in real_documents("wcxb_dev", 0, 400, 20):
        tree = read(write(doc))
        for graphic in tree.findall(".//t:graphic", NS):
            for child in list(graphic):
                graphic.remove(child)
        text = " ".join(tree.find(".//t:body", NS).itertext())
        raw = ("".join(run.text for run in block.runs if run.src is None) for block in shown_blocks(doc))
        assert "".join(words(text)) == "".join(words(" ".join(raw)))
