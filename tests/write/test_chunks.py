import json
import os
import re
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bonmun
from bonmun import Chunk, Document, Kind
from bonmun.write.chunk_pieces import Piece
from bonmun.write.chunks import _blocks, estimated_tokens
from bonmun.write.structure import Leaf, OutlineNode
from tests.corpora import pages
from tests.golden_cases import GOLDEN, document_of
from tests.without_core import needs_depth
from tests.write.documents import document, markup

LETTER = re.compile(r"\w")
GOLDEN_CASES = sorted((GOLDEN / "chunks").iterdir())


def texts(doc: Document, **options: Any) -> list[str]:
    return [chunk.text for chunk in doc.chunks(**options)]


def check(doc: Document, format: str, limit: int | None, by: str, name: str = "max_chars") -> None:
    """Check that chunks are slices in order, miss no text and no block, and keep to the limit."""
    whole = doc.markdown if format == "markdown" else doc.text
    options: dict[str, Any] = {name: limit}
    chunks = doc.chunks(**options, by=by, format=format)
    ends = [0, *(chunk.end for chunk in chunks)]
    for end, chunk in zip(ends, chunks, strict=False):
        assert whole[chunk.start : chunk.end] == chunk.text
        assert chunk.text.strip()
        assert not LETTER.search(whole[end : chunk.start])
        size = chunk.chars if name == "max_chars" else chunk.tokens
        assert chunk.oversized == (limit is not None and size > limit)
        assert not chunk.oversized or is_whole(chunk)
    assert not LETTER.search(whole[ends[-1] :])
    indexes = [block.index for chunk in chunks for block in chunk.blocks]
    assert {block.index for block in doc.blocks if LETTER.search(block.text)} <= set(indexes)


def is_whole(chunk: Chunk) -> bool:
    """Whether it holds a table or code, which may exceed the limit; or one character that does."""
    nodes = chunk.blocks[0].page.nodes
    tables = any(nodes.name(row) == "table" for block in chunk.blocks for row in nodes.ancestors(block.rows[0]))
    return tables or any(block.kind in (Kind.CODE, Kind.CELL) for block in chunk.blocks) or chunk.chars == 1


@pytest.mark.parametrize(("corpus", "step"), [("wcxb_dev", 151), ("cjk_dev", 23), ("news_dev", 29)])
def test_no_text_of_a_real_page_is_lost(corpus: str, step: int) -> None:
    for record in islice(pages(corpus), 0, None, step):
        doc = bonmun.extract(record["html"], url=record["url"] or None)
        for format in ("markdown", "text"):
            check(doc, format, 256, "heading", "max_tokens")
            check(doc, format, 300, "size")
            check(doc, format, 40, "heading")
            check(doc, format, None, "heading")


@settings(max_examples=150, deadline=None)
@given(st.lists(markup, max_size=5).map("".join), st.integers(1, 80), st.sampled_from(["heading", "size"]))
def test_no_text_of_a_random_outline_is_lost(html: str, limit: int, by: str) -> None:
    doc = document(html)
    for format in ("markdown", "text"):
        check(doc, format, limit, by)
        check(doc, format, None, by)


@pytest.mark.parametrize("case", GOLDEN_CASES, ids=lambda case: case.name)
def test_the_chunks_of_a_golden_case(case: Path) -> None:
    found = [
        {"headings": chunk.headings, "tokens": chunk.tokens, "oversized": chunk.oversized, "text": chunk.text}
        for chunk in document_of(case).chunks(max_tokens=60)
    ]
    written = json.dumps(found, ensure_ascii=False, indent=1) + "\n"
    expected = case / "expected.chunks.json"
    if os.environ.get("BONMUN_GOLDEN") == "write":
        expected.write_text(written, encoding="utf-8")
    assert written == expected.read_text(encoding="utf-8")


def test_neighbouring_sections_under_one_parent_are_merged_while_they_fit() -> None:
    doc = document("<h1>A</h1>a<h2>B</h2>b<h3>C</h3>c<h2>D</h2>d<h1>E</h1>e")
    assert texts(doc, max_chars=200) == [doc.markdown]
    assert texts(doc, max_chars=32) == ["# A\n\na\n\n## B\n\nb\n\n### C\n\nc", "## D\n\nd", "# E\n\ne"]
    assert texts(doc, max_chars=18) == ["# A\n\na", "## B\n\nb\n\n### C\n\nc", "## D\n\nd", "# E\n\ne"]


def test_without_a_limit_every_section_is_a_chunk() -> None:
    doc = document("intro<h1>A</h1><h2>B</h2>b<h2>C</h2>c")
    assert texts(doc) == ["intro", "# A\n\n## B\n\nb", "## C\n\nc"]
    assert texts(doc, by="size") == [doc.markdown]


def test_the_heading_path_holds_for_the_whole_chunk() -> None:
    doc = document("0<h1>A</h1><h2>B</h2>b<h2>C</h2>c<h1>D</h1>d")
    assert [chunk.headings for chunk in doc.chunks()] == [(), ("A", "B"), ("A", "C"), ("D",)]
    assert [chunk.headings for chunk in doc.chunks(max_chars=22)] == [(), ("A",), ("D",)]


def test_a_heading_stays_with_the_text_below_it() -> None:
    doc = document(f"<p>{'a' * 20}</p><h2>B</h2><p>{'b' * 20}</p>")
    assert texts(doc, max_chars=30, by="size") == ["a" * 20, f"## B\n\n{'b' * 20}"]


def test_a_paragraph_that_does_not_fit_with_its_heading_is_cut() -> None:
    doc = document("<h2>Heading</h2><p>One is here. Two is here. Three is here.")
    assert texts(doc, max_chars=40) == ["## Heading\n\nOne is here. Two is here.", "Three is here."]


@pytest.mark.parametrize("element", ["<pre>one\ntwo\nthree</pre>", "<table><tr><td>a<td>b<tr><td>c<td>d</table>"])
@pytest.mark.parametrize("around", ["{}", "<ul><li>i<li>{}</ul>", "<blockquote>q{}</blockquote>"])
def test_tables_and_code_are_never_cut(element: str, around: str) -> None:
    doc = document(f"<p>before</p>{around.format(element)}<p>after</p>")
    chunks = doc.chunks(max_chars=8)
    (large,) = [chunk for chunk in chunks if chunk.oversized]
    assert large.blocks == tuple(block for block in large.blocks if block.kind in (Kind.CODE, Kind.CELL))
    assert {block.text for block in large.blocks} in ({"one\ntwo\nthree"}, {"a", "b", "c", "d"})


def test_a_paragraph_is_cut_at_sentence_ends_but_not_inside_links_code_and_emphasis() -> None:
    html = '<p>One is here. <a href="/x">Two. Is</a> here. <b>Three is here. Four.</b> Five <code>a. B</code> is.'
    assert texts(document(html, url=None), max_chars=36) == [
        "One is here. [Two. Is](/x) here.",
        "**Three is here. Four.**",
        "Five `a. B` is.",
    ]


def test_a_long_sentence_is_cut_between_words_and_a_long_word_anywhere() -> None:
    assert texts(document("<p>some words and abcdefghijkl"), max_chars=10) == ["some words", "and abcdef", "ghijkl"]


def test_chinese_and_korean_are_cut_at_sentences_then_at_characters_or_words() -> None:
    assert texts(document("<p>今天天气很好。我们去公园。"), max_chars=8) == ["今天天气很好。", "我们去公园。"]
    assert texts(document("<p>今天天气很好我们去公园"), max_chars=4) == ["今天天气", "很好我们", "去公园"]
    assert texts(document("<p>오늘은 날씨가 좋다"), max_chars=9) == ["오늘은 날씨가", "좋다"]


def test_a_list_is_cut_at_items_and_each_chunk_has_the_blocks_of_its_items() -> None:
    doc = document("<ul><li>one<li>two<ul><li>three<li>four</ul><li>five</ul>")
    chunks = doc.chunks(max_chars=12)
    assert [chunk.text for chunk in chunks] == ["- one\n- two", "- three", "- four", "- five"]
    assert [[block.text for block in chunk.blocks] for chunk in chunks] == [
        ["one", "two"],
        ["three"],
        ["four"],
        ["five"],
    ]
    assert chunks[1].xpaths == ("/html/body/ul[1]/li[2]/ul[1]/li[1]",)


def test_lines_of_a_paragraph_are_their_own_blocks() -> None:
    chunks = document("<p>one line<br>two lines<br>three").chunks(max_chars=10)
    assert [(chunk.text, chunk.blocks[0].text) for chunk in chunks] == [
        ("one line", "one line"), ("two lines", "two lines"), ("three", "three")]  # fmt: skip


def test_the_span_covers_the_blocks_in_the_bytes_of_the_page() -> None:
    html = "<h1>Ä</h1><p>one</p><h1>B</h1><p>two</p>"
    spans = [chunk.span for chunk in document(html).chunks()]
    if spans[0] is not None:
        assert [html.encode()[slice(*span)] for span in spans if span] == ["Ä</h1><p>one".encode(), b"B</h1><p>two"]


@pytest.mark.parametrize("count", [lambda text: len(text.split()), lambda text: 3 + len(text.encode())])
def test_a_tokenizer_of_the_user_sets_the_limit(count: Callable[[str], int]) -> None:
    doc = document("<p>" + "One more sentence is here. " * 50)
    chunks = doc.chunks(60, tokens=count)
    assert len(chunks) > 4
    assert all(chunk.tokens == count(chunk.text) <= 60 for chunk in chunks)


def test_the_estimate_counts_scripts_by_their_usual_length_of_a_token() -> None:
    assert [estimated_tokens(text) for text in ("", "word", "words", "é", "ж" * 4, "茶水", "가", "😀")] == [
        0, 1, 2, 1, 2, 2, 1, 2]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_tokens": 5, "max_chars": 5}, "both given"),
        ({"max_chars": 0}, "at least 1, not 0"),
    ],
)
def test_a_limit_that_makes_no_sense_is_a_value_error(options: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        document("<p>a").chunks(**options)


def test_unknown_names_are_errors() -> None:
    with pytest.raises(bonmun.UnknownName, match="no way to cut chunks named 'page'; there are: heading, size"):
        document("<p>a").chunks(by="page")
    with pytest.raises(bonmun.UnknownName, match="format of chunks"):
        document("<p>a").chunks(format="html")


def test_text_that_belongs_to_no_block_is_in_a_chunk_too() -> None:
    doc = document("<h2>A</h2><p>one</p><ul><li>two<li>three</ul>")
    vars(doc)["markdown"] = f"# Title\n\n{doc.markdown}\n\n---\n\n> A comment"
    assert "\n\n".join(texts(doc, max_chars=30)) == doc.markdown
    check(doc, "markdown", 30, "heading")


def test_a_document_without_text_has_no_chunks() -> None:
    assert document("").chunks(100) == ()


@pytest.mark.cpu_timed
@needs_depth
@pytest.mark.parametrize(
    "unit",
    [
        "<p>One sentence. ",
        "word ",
        "字",
        "a.b",
        "<li>x",
        "<h2>h</h2>t",
        "<ul><li>x",
        "[",
        "(",
        "”",
        "<i>a. B</i> ",
        ".",
    ],
)
def test_time_is_linear_in_the_size_of_the_page(unit: str) -> None:
    def seconds(count: int) -> float:
        doc = document(unit * count)
        assert doc.markdown is not None
        start = time.process_time()
        doc.chunks(max_chars=500)
        return time.process_time() - start

    few = max(seconds(1_600), 0.02)
    assert min(seconds(8_000) for _ in range(2)) < 16 * few  # 5 is linear, 25 quadratic


def test_a_paragraph_too_long_for_sentences_is_cut_between_words() -> None:
    text = "One sentence ends here. Another follows it. " * 6_000
    chunks = document(f"<p>{text}").chunks(max_chars=500)
    assert " ".join(chunk.text for chunk in chunks).split() == text.split()
    assert all(len(chunk.text) <= 500 for chunk in chunks)
    assert chunks[0].text.endswith(".")


def test_nodes_that_were_cut_into_many_pieces_are_looked_at_once_for_a_chunk() -> None:
    class Counted(list[OutlineNode]):
        looks = 0

        def __iter__(self) -> Iterator[OutlineNode]:
            self.looks += 1
            return super().__iter__()

    blocks = document("<p>One. Two.</p><p>Three. Four.</p><p>Five.</p>").blocks
    nodes, last = Counted(Leaf([block]) for block in blocks[:2]), [Leaf([blocks[2]])]
    pieces = [Piece(at, at + 1, nodes) for at in range(1000)] + [Piece(1000, 1001, last)]
    assert _blocks(pieces) == tuple(blocks)
    assert nodes.looks == 1
