import pytest

import bonmun
from bonmun.core import core
from tests.without_core import without_core

PAGE = "<title>T</title><h1>머리</h1><p>First <b>bold</b> line<br>second &amp; last</p><ul><li>one<li>two</ul>".encode()


def test_a_block_has_the_source_offsets_of_its_text() -> None:
    if core() is None:
        pytest.skip("only the compiled reader knows source offsets")
    spans = {block.text: block.span for block in bonmun.extract(PAGE).all_blocks}
    sources = {text: PAGE[slice(*span)].decode() for text, span in spans.items() if span}
    assert sources == {
        "머리": "머리",
        "First bold line": "First <b>bold</b> line",
        "second & last": "second &amp; last",
        "one": "one",
        "two": "two",
    }


def test_blocks_of_the_reference_reader_have_no_source_offsets() -> None:
    with without_core():
        assert bonmun.extract(PAGE).all_blocks[0].span is None


def test_both_readers_give_the_same_document() -> None:
    compiled = bonmun.extract(PAGE).to_json()
    with without_core():
        assert bonmun.extract(PAGE).to_json() == compiled


@pytest.mark.parametrize("page", [b"", "", b"   ", "\ufeff", b"<html></html>", b"<!-- x -->"])
def test_an_empty_page_is_an_empty_document_with_a_reason(page: bytes | str) -> None:
    doc = bonmun.extract(page)
    assert doc.status == "empty"
    assert doc.text == doc.markdown == ""
    assert doc.reasons[0].name == "no-text"


def test_plain_text_is_read_as_paragraphs() -> None:
    doc = bonmun.extract("One line,\nwrapped & whole.\n\nA second paragraph 1 < 2.\n")
    assert [block.text for block in doc.all_blocks] == ["One line, wrapped & whole.", "A second paragraph 1 < 2."]


def test_a_frameset_is_empty() -> None:
    assert bonmun.extract("<frameset><frame src=a.html></frameset>").status == "empty"


def test_links_are_absolute_by_url_and_by_base() -> None:
    html = "<p>A long enough line of text with a <a href='b'>link</a> in it.</p>"
    assert bonmun.extract(html, url="https://example.org/a/").blocks[0].runs[1].href == "https://example.org/a/b"
    based = f"<base href='/c/'>{html}"
    assert bonmun.extract(based, url="https://example.org/a/").blocks[0].runs[1].href == "https://example.org/c/b"


def test_invalid_input_is_a_typed_error() -> None:
    with pytest.raises(bonmun.BonmunError, match="PNG"):
        bonmun.extract(b"\x89PNG\r\n\x1a\n" + b"\0" * 64)
    with pytest.raises(bonmun.BonmunError, match="magic"):
        bonmun.extract("<p>x", method="magic")
    with pytest.raises(bonmun.BonmunError, match="bytes"):
        bonmun.extract("<p>x" * 10, limits=bonmun.Limits(bytes=20))


def test_the_same_bytes_give_the_same_answer() -> None:
    assert bonmun.extract(PAGE).to_json() == bonmun.extract(PAGE).to_json()
