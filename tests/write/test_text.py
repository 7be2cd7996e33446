"""Plain text as a reader would copy it off the page."""

from time import process_time

import pytest
from hypothesis import given, settings

from bonmun.model.block import Kind
from bonmun.write.text import write
from tests.write.documents import document, markup, real_documents


@settings(max_examples=200, deadline=None)
@given(markup)
def test_no_block_is_lost_and_no_white_space_trails(html: str) -> None:
    doc = document(html)
    text, at = write(doc), 0
    for block in doc.blocks:
        for word in block.text.split():
            at = text.index(word, at) + len(word)
    assert text == text.strip("\n")
    if all(block.kind is not Kind.CODE for block in doc.blocks):
        assert all(line == line.rstrip() for line in text.split("\n"))


def test_real_pages_keep_every_word() -> None:
    for doc in real_documents("cjk_dev", 0, None, 5):
        words = [word for block in doc.blocks for word in block.text.split()]
        written = iter(write(doc).split())
        assert all(word in written for word in words)


def test_paragraphs_are_separated_by_empty_lines_and_lines_by_breaks() -> None:
    assert write(document("<h1>T</h1><p>a<br>b<br><br>c<p>d")) == "T\n\na\nb\n\nc\n\nd"


def test_items_are_marked_and_indented() -> None:
    html = "<ul><li>a<ol start=3><li>b<li>c</ol><li><p>d<p>e</ul>"
    assert write(document(html)) == "- a\n  3. b\n  4. c\n- d\n  e"


def test_rows_are_lines_and_cells_are_separated_by_tabs() -> None:
    html = "<table><caption>Cap<tr><th>A<th>B<th>C<tr><td>x<td><p>1<p>2<td>drop<tr><td>drop<td>y<td>z</table>"
    assert write(document(html, drop=("drop",))) == "Cap\n\nA\tB\tC\nx\t1 2\n\ty\tz"


def test_empty_columns_leave_no_tabs() -> None:
    assert write(document("<table><tr><th>A<th><th>B<tr><td>1<td><td>2</table>")) == "A\tB\n1\t2"


def test_code_keeps_its_white_space() -> None:
    assert write(document("<pre>if x:\n    y\n\nz</pre>")) == "if x:\n    y\n\nz"
    assert write(document("<ul><li>a<pre>b\n\n  c</pre></ul>")) == "- a\n  b\n\n    c"


def test_images_are_left_out() -> None:
    assert write(document("<p>a<p><img src='/x.png' alt='x'><ul><li><img src='/y.png'><li>b</ul>")) == "a\n\n- b"


def test_an_empty_document_is_an_empty_text() -> None:
    assert write(document("")) == ""
    assert write(document("<p>a", drop=("a",))) == ""


@pytest.mark.cpu_timed
def test_plain_paragraphs_cost_next_to_nothing() -> None:
    doc = document("<p>A paragraph of a few words." * 20_000)
    assert len(doc.blocks) == 20_000
    started = process_time()
    write(doc)
    assert process_time() - started < 0.2, "10 µs for a block: ten times what it takes"


def test_hundreds_of_levels_are_written() -> None:
    text = write(document("".join(f"<ul><li>{level}" for level in range(240))))
    assert [int(line.split()[-1]) for line in text.split("\n")] == list(range(240))
