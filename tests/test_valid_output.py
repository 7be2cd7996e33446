"""No output and no field has a character that XML forbids, whatever the page, its JSON or its URL has."""

import json
import re
from collections.abc import Iterator
from dataclasses import astuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

import bonmun
from bonmun.model.valid_text import has_forbidden, has_forbidden_by_reference, valid_text
from bonmun.read.page import read_page

FORBIDDEN = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
ODD = st.sampled_from(
    [*map(chr, range(0x20)), "\x7f", "\x85", "\ud83d", "\ude00", "\udfff", "\ufffe", "\uffff", "\ufdd0"]
)
TEXTS = st.text(st.one_of(ODD, st.sampled_from("tea 본문<&;")), min_size=1, max_size=12)
PAGE = """<html lang=en><head><title>{raw} Tea</title><meta name=author content="{raw} Ann Lee">
<meta property=og:site_name content="{reference}"><meta name=description content="&amp;#1;&amp;#xFFFE;{reference}">
<script type="application/ld+json">{json}</script></head><body><h1>Tea {reference}</h1>
<p id="{raw}">Tea is made of leaves {raw}, and of water that has just boiled, <a href="x{raw}y">{reference}</a>.
<img src="a{raw}.png" alt="{raw}"> <code class="language-{raw}">{raw}</code></p><x{name} a{name}=1>More words.</x{name}>
<pre>code {raw}</pre>
<div class=comments><div class=comment><b>Ann {raw}</b><p>A reader's comment {reference}.</p></div></div>"""


def invalid(value: object) -> Iterator[str]:
    """The texts inside a value that have a forbidden character."""
    if isinstance(value, str):
        if FORBIDDEN.search(value):
            yield value
    elif isinstance(value, dict):
        for pair in value.items():
            yield from invalid(list(pair))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from invalid(item)


def assert_valid(document: bonmun.Document) -> None:
    for name in ("text", "markdown", "html", "json", "xml", "tei", "explain"):
        written = document.write(name)
        assert not list(invalid(written)), name
        written.encode()
    assert not list(invalid(json.loads(document.to_json())))
    for name in ("xml", "tei"):
        etree.fromstring(document.write(name).encode())
    assert not list(invalid(document.to_markdown(front_matter=True)))
    assert not list(invalid([chunk.text for chunk in document.chunks(20)]))
    assert not list(invalid([document.url, document.warnings, astuple(document.metadata)]))
    assert not list(invalid([run.text for block in document.all_blocks for run in block.runs]))
    assert not list(invalid([block.text for block in document.all_blocks]))
    assert not list(invalid([[comment.text, comment.author] for comment in document.comments]))


@settings(deadline=None, max_examples=60)
@given(TEXTS, TEXTS)
def test_outputs_are_valid(raw: str, url: str) -> None:
    reference = "".join(f"&#{ord(char)};" for char in raw)
    escaped = "".join(f"\\u{ord(char):04x}" for char in raw)
    fields = (
        '{"@type":"Article","headline":"%s","author":["%s"],"publisher":{"name":"%s"},"image":"%s","keywords":"a,%s"}'
    )
    html = PAGE.format(raw=raw, reference=reference, json=fields % ((escaped,) * 5), name=re.sub(r"[\s<>&;/]", "", raw))
    document = bonmun.extract(html, url=f"https://example.org/{url}")
    assert_valid(document)
    assert_valid(bonmun.extract(html.encode("utf-8", "surrogatepass"), method="xpath-robust"))
    list(document.keywords())
    str(document.summary())


@pytest.mark.parametrize("escape", [r"\ud83d", r"\u0001", r"\ufffe"])
def test_keywords_and_summary_of_a_title_with_odd_characters(escape: str) -> None:
    data = f'<script type="application/ld+json">{{"@type":"Article","headline":"Tea {escape}"}}</script>'
    document = bonmun.extract(data + "<p>Tea is made of leaves, and of water that has just boiled.</p>" * 3)
    assert not list(invalid(document.title)) and str(document.title).startswith("Tea")
    assert len(document.keywords()) and str(document.summary())


def test_text_in_the_data_of_a_script() -> None:
    body = r"Tea is made of leaves \ud83d and \u0001 water. " * 40
    html = f'<script type="application/ld+json">{{"@type":"Article","articleBody":"{body}"}}</script>'
    document = bonmun.extract(html)
    assert "leaves � and" in document.text
    assert_valid(document)


def test_characters_are_joined_replaced_or_dropped() -> None:
    document = bonmun.extract(
        "<p>\ud83d\ude00 te&#1;a&#x1f;and \ud800 &#xFFFE; <b title='&#2;'>words</b> of a text.</p>"
    )
    assert document.text == "\U0001f600 tea and � � words of a text."
    assert bonmun.Metadata(title="\ud83d\ude00\0", tags=("a\x02",)) == bonmun.Metadata(title="\U0001f600", tags=("a",))


def test_a_url_of_surrogates() -> None:
    document = bonmun.extract("<p>Tea <a href=b>leaves</a>", url="https://example.org/\ud83d\x01?a")
    assert document.url == "https://example.org/�?a"
    assert_valid(document)


def test_column_chars_is_that_of_the_valid_text() -> None:
    dirty, clean = read_page("<p>a \x01 b\x02<p>\x03<p>c"), read_page("<p>a  b<p><p>c")
    assert dirty.blocks.text == clean.blocks.text == ("a b", "c")
    assert list(dirty.blocks.chars) == list(clean.blocks.chars)


def test_valid_pages_are_left_alone() -> None:
    page = read_page("<p>Tea\t\r\n\x7f\x85�\ufdd0</p>")
    assert page.nodes.spill == b"" or page.nodes.buffer
    assert valid_text("Tea\t\r\n\x7f\x85�\ufdd0") == "Tea\t\r\n\x7f\x85�\ufdd0"


@given(st.lists(st.one_of(ODD, st.just("본문 ' text " * 3), st.just("！ﾀ�")), max_size=20).map("".join))
def test_compiled_search_agrees_with_its_twin(text: str) -> None:
    utf8 = text.encode("utf-8", "replace")
    assert has_forbidden(utf8) == has_forbidden_by_reference(utf8) == bool(FORBIDDEN.search(utf8.decode()))
